internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The progress of an exchange, as far as the session has reported it.
struct ExchangeProgress {
    /// The head of the response; nil while none has arrived.
    var head: HTTPURLResponse?
    /// Whether an interim response has arrived: the server has the request, or at least its head.
    var isAnnounced = false
    /// How many decoded bytes of the response body have arrived.
    var bytesReceived: Int64 = 0
    /// Whether the request has a body.
    var hasContent = false
    /// How many bytes of the request body have been sent.
    var bytesSent: Int64 = 0
    /// How many bytes the request body has; nil while unknown.
    var bytesToSend: Int64?

    /// The phase; `.unknown` when it may be any before the response.
    ///
    /// For a request without a body, nothing is reported until the response begins: neither Linux nor Apple platforms
    /// report the connection, or that the head was sent, while the task runs.
    var phase: TransportError.Phase {
        if head != nil {
            return .receiving
        }
        guard hasContent, bytesToSend != 0 else {
            return isAnnounced ? .waiting : .unknown
        }
        guard bytesSent > 0 else {
            // The first bytes of the body are requested as soon as there is a connection.
            return .connecting
        }
        return bytesSent >= bytesToSend ?? .max ? .waiting : .sending
    }

    /// The announced length of the response body on the wire; nil when there is none, or when the session decodes the
    /// body, so that the length says nothing about the bytes that arrive here.
    var announcedLength: Int64? {
        guard let head, head.expectedContentLength >= 0 else {
            return nil
        }
        let encoding = head.value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity"
        return encoding == "identity" ? head.expectedContentLength : nil
    }
}
