internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Turns an error of the session into one of Backstop's, with the progress of the exchange.
///
/// The code alone misleads: on Linux a truncated body, an untrusted certificate and a malformed header are all -1.
enum URLErrorMapping {
    /// - Parameter progress: The progress of the exchange; nil when unknown.
    static func error(for error: URLError, after progress: ExchangeProgress?, timeout: Duration?) -> any Error {
        switch URLErrorTable.meaning(of: error.code) {
        case .cancelled:
            return CancellationError()
        case .timeout:
            return TimeoutError(.silence, after: timeout)
        case .cacheMiss:
            return RejectionError(.cacheMiss, text(of: error))
        case .request where error.code == .unsupportedURL && progress != nil:
            // The URL was checked before it was sent, so it is the response that has an unknown protocol.
            return transportError(.badResponse, .receiving, error: error, after: progress)
        case .request(let code):
            return RequestError(code, text(of: error), underlying: error)
        case .transport(let code, let phase):
            return transportError(code, phase, error: error, after: progress)
        }
    }

    /// The error with code and phase, if the progress or the system's message says more than the table.
    private static func transportError(
        _ code: TransportError.Code, _ phase: TransportError.Phase, error: URLError, after progress: ExchangeProgress?
    ) -> TransportError {
        var code = code
        var phase = phase
        if let known = LibcurlErrorText.meaning(of: error.localizedDescription, code: error.code) {
            (code, phase) = known
        } else if error.code == .unknown, let progress, let announced = progress.announcedLength,
            progress.bytesReceived < announced
        {
            code = .truncated
        }
        if let known = progress?.phase, known == .receiving || known == .waiting || known == .sending {
            // A malformed head ends an exchange while it still waits for one.
            phase = phase == .receiving ? .receiving : known
        }
        let hasBegun = progress?.head != nil
        return TransportError(
            code, phase: phase, detail: text(of: error), bytesReceived: hasBegun ? progress?.bytesReceived : nil,
            underlying: error)
    }

    /// The system's message, secrets removed.
    static func text(of error: URLError) -> String {
        let text = Redaction.standard.body(error.localizedDescription, contentType: "text/plain")
        #if canImport(FoundationNetworking)
            if error.code == .badURL {
                return "\(text) On Linux, URLSession cannot send to an IPv6 address; a name for it works"
            }
        #endif
        return text
    }
}
