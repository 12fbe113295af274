import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation

/// A transport with its script, and the clock, log and observer of the clients that a test makes for it.
struct Rig {
    static let base = "https://api.example.com/v1"

    let transport: ScriptedTransport
    let clock = RecordingClock()
    let log = RecordingLog()
    let observer = RecordingObserver()

    init(_ steps: ScriptedTransport.Step...) {
        transport = ScriptedTransport(steps)
    }

    init(steps: [ScriptedTransport.Step]) {
        transport = ScriptedTransport(steps)
    }

    /// Options with the recording clock, and random numbers that make each backoff half of its bound.
    var options: CallOptions {
        var options = CallOptions()
        options.clock = clock
        options.random = FixedRandom(units: 0.5)
        options.observers = [observer]
        return options
    }

    /// Handling that writes into the log and tells the observer.
    var handling: FailureHandling {
        var handling = FailureHandling()
        handling.log = log
        handling.observers = [observer]
        return handling
    }

    /// A client of interceptors.
    func client(
        base: String = Rig.base, @HTTP.ChainBuilder interceptors: () throws -> [any HTTP.Interceptor] = { [] }
    ) throws -> Client {
        try Client(
            baseURL: base, transport: transport, options: options, handling: handling, interceptors: interceptors)
    }

    /// The standard client, whose calls are logged whole.
    func standard(bodyLimit: Int = 0, curl: RequestLogging.Curl = .never) throws -> Client {
        try standard(apiError: SignUpError.self, bodyLimit: bodyLimit, curl: curl)
    }

    /// The standard client for a type of error.
    func standard<E: APIError>(
        apiError: E.Type, bodyLimit: Int = 0, curl: RequestLogging.Curl = .never
    ) throws -> Client {
        try Client.standard(
            baseURL: Rig.base, apiError: apiError, transport: transport,
            logging: RequestLogging(.call, bodyLimit: bodyLimit, curl: curl, to: log), options: options,
            handling: handling)
    }

    /// The URLs that were sent to.
    var urls: [String] {
        transport.requests.map(\.url.absoluteString)
    }
}

/// Wants entries of some levels, and keeps whatever it is given: who writes has to ask.
struct PickyLog: LogSink {
    let wanted: Set<LogLevel>
    let kept = Notes<LogEntry>()

    func isEnabled(_ level: LogLevel) -> Bool { wanted.contains(level) }
    func write(_ entry: LogEntry) { kept.add(entry) }
}

/// What `dump` writes.
func dumped(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
}

/// Whether a text has characters that could rewrite a terminal; line ends aside.
func hasControls(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
        scalar != "\n" && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
    }
}
