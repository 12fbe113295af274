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
    /// - Returns: Nil for an error that is not the network's.
    static func error(for error: any Error, after progress: ExchangeProgress?, timeout: Duration?) -> (any Error)? {
        guard let meaning = meaning(of: error, isOfSession: progress != nil) else {
            return nil
        }
        switch meaning {
        case .cancelled:
            return CancellationError()
        case .timeout:
            return progress == nil ? TimeoutError(.session) : TimeoutError(.silence, after: timeout)
        case .systemTimeout:
            return TimeoutError(.library("the time", explanation: "The system gave up waiting for the server."))
        case .cacheMiss:
            return RejectionError(.cacheMiss, text(of: error))
        case .request where (error as? URLError)?.code == .unsupportedURL && progress != nil:
            // The URL was checked before it was sent, so it is the response that has an unknown protocol.
            return transportError(.badResponse, .receiving, error: error, after: progress)
        case .request(let code):
            return RequestError(code, text(of: error), underlying: error)
        case .transport(let code, let phase):
            return transportError(code, phase, error: error, after: progress)
        }
    }

    private static func meaning(of error: any Error, isOfSession: Bool) -> URLErrorTable.Meaning? {
        guard let error = error as? URLError else {
            let bridged = error as NSError
            return SystemErrorTable.meaning(domain: bridged.domain, code: bridged.code)
                ?? (isOfSession && SystemErrorTable.domains.contains(bridged.domain) ? .transport(.unknown) : nil)
        }
        #if !canImport(FoundationNetworking)
            if let reason = error.networkUnavailableReason {
                return URLErrorTable.meaning(ofUnavailable: reason.rawValue)
            }
        #endif
        return URLErrorTable.meaning(of: error.code)
    }

    /// The error with code and phase, if the progress or the system's message says more than the table.
    private static func transportError(
        _ code: TransportError.Code, _ phase: TransportError.Phase, error: any Error, after progress: ExchangeProgress?
    ) -> TransportError {
        var code = code
        var phase = phase
        let system = (error as? URLError)?.code
        if let system, let known = LibcurlErrorText.meaning(of: error.localizedDescription, code: system) {
            (code, phase) = known
        } else if system == .unknown, let progress, let announced = progress.announcedLength,
            progress.bytesReceived < announced
        {
            code = .truncated
        }
        if let known = progress?.phase, known == .receiving || known == .waiting || known == .sending {
            // A malformed head ends an exchange while it still waits for one.
            phase = phase == .receiving ? .receiving : known
        } else if progress?.hasBegun == false {
            phase = .connecting
        }
        let hasBegun = progress?.head != nil
        return TransportError(
            code, phase: phase, detail: text(of: error), bytesReceived: hasBegun ? progress?.bytesReceived : nil,
            underlying: error)
    }

    /// The system's message, secrets removed.
    static func text(of error: any Error) -> String {
        let text = Redaction.standard.body(
            Excerpt.cut(error.localizedDescription, to: 4000), contentType: "text/plain")
        #if canImport(FoundationNetworking)
            if let error = error as? URLError, error.code == .badURL,
                error.failingURL?.absoluteString.contains("[") == true
            {
                return "\(text) On Linux, URLSession cannot send to an IPv6 address; a name for it works"
            }
        #endif
        return text
    }
}
