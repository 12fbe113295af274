internal import Backstop
internal import BackstopCore

/// What a client calls when the body is read as a stream.
final class StreamSubject: CallSubject {
    let name: String
    let origin: String?
    let intake: (any CallIntake)?

    init(_ intake: HTTP.Intake, name: String, origin: String?) {
        self.name = name
        self.origin = origin
        self.intake = intake
    }
}
