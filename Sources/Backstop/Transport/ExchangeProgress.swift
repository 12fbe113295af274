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

    /// Whether the session began to send a request, by its metrics; nil before they came, and always on Linux.
    var hasBegun: Bool?

    /// The phase; `.unknown` when it may be any before the response.
    ///
    /// For a request without a body, nothing is reported until the response begins: neither Linux nor Apple platforms
    /// report the connection, or that the head was sent, while the task runs.
    var phase: TransportError.Phase {
        #if canImport(FoundationNetworking)
            phase(countsAtOnce: true)
        #else
            phase(countsAtOnce: false)
        #endif
    }

    /// - Parameter countsAtOnce: Whether no byte counted means that none was sent. On Linux, bytes count when they are
    ///   asked for, for which there must be a connection. On Apple platforms, they are reported "periodically", and
    ///   behind other events (URLSessionTaskDelegate, `urlSession(_:task:didSendBodyData:...)`).
    func phase(countsAtOnce: Bool) -> TransportError.Phase {
        if head != nil {
            return .receiving
        }
        guard hasBegun != false else {
            return .connecting
        }
        let isAtServer = isAnnounced || hasBegun == true
        guard hasContent, bytesToSend != 0 else {
            return isAtServer ? .waiting : .unknown
        }
        guard bytesSent > 0 || isAtServer else {
            return countsAtOnce ? .connecting : .unknown
        }
        return bytesSent >= bytesToSend ?? .max ? .waiting : .sending
    }

    /// What the times say at which the session began to send requests (URLSessionTaskTransactionMetrics,
    /// `requestStartDate`: nil when it did not); nil when there are none.
    static func hasBegun(_ requestStarts: [Date?]) -> Bool? {
        requestStarts.isEmpty ? nil : requestStarts.contains { $0 != nil }
    }

    /// The announced length of the response body on the wire; nil when there is none, or when the session decodes the
    /// body, so that the length says nothing about the bytes that arrive here.
    var announcedLength: Int64? {
        guard let head else {
            return nil
        }
        let encoding = head.value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity"
        return encoding == "identity" ? AnnouncedLength.bytes(of: head) : nil
    }
}
