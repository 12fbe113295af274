internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Turns an error of the session into one of Backstop's, with what had already happened.
///
/// The code alone misleads: on Linux a body cut short, a certificate that is not trusted and a broken header are all -1.
enum URLErrorMapping {
    static func error(for error: URLError, after progress: ExchangeProgress, timeout: Duration?) -> any Error {
        switch URLErrorTable.meaning(of: error.code) {
        case .cancelled:
            return CancellationError()
        case .timeout:
            return TimeoutError(.attempt, after: timeout)
        case .request(let code):
            // What could be checked was checked before; so the text of the system says more.
            return RequestError(code, text(of: error), underlying: error)
        case .transport(let code, let usualPhase):
            let (code, phase) = refined(code, usualPhase, error: error, after: progress)
            return TransportError(
                code, phase: phase, detail: text(of: error),
                bytesReceived: progress.head == nil ? nil : progress.bytesReceived, underlying: error)
        }
    }

    /// Code and phase, where the progress or the system's text knows better than the table.
    private static func refined(
        _ code: TransportError.Code, _ usualPhase: TransportError.Phase, error: URLError,
        after progress: ExchangeProgress
    ) -> (TransportError.Code, TransportError.Phase) {
        let phase = progress.phase == .unknown ? usualPhase : progress.phase
        if let known = CurlText.meaning(of: error.localizedDescription, code: error.code) {
            return (known.code, progress.phase == .unknown ? known.phase : progress.phase)
        }
        guard error.code == .unknown, let announced = progress.announcedLength, progress.bytesReceived < announced
        else {
            return (code, phase)
        }
        return (.truncated, .receiving)
    }

    /// The system's own text, secrets removed.
    static func text(of error: URLError) -> String {
        Redaction.standard.body(error.localizedDescription, contentType: "text/plain")
    }
}
