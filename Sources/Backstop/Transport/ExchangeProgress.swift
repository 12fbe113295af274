internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// How far an exchange has come, from what the session has reported.
struct ExchangeProgress {
    /// The head of the response; nil while none has arrived.
    var head: HTTPURLResponse?
    /// Whether an interim response has come: the server has the request, or at least its head.
    var isAnnounced = false
    /// How many bytes of the response's body have arrived, decoded ones.
    var bytesReceived: Int64 = 0
    /// Whether the request has a body.
    var hasContent = false
    /// How many bytes of the request's body went out.
    var bytesSent: Int64 = 0
    /// How many bytes the request's body has; nil while that is not known.
    var bytesToSend: Int64?

    /// The phase that this shows; `.unknown` when it may be any before the response.
    ///
    /// A request without a body gives no sign until its response begins: neither Linux nor Apple's systems report the
    /// connection, or the head that goes out, while the task runs.
    var phase: TransportError.Phase {
        if head != nil {
            return .receiving
        }
        guard hasContent, bytesToSend != 0 else {
            return isAnnounced ? .waiting : .unknown
        }
        guard bytesSent > 0 else {
            // The first bytes of the body are asked for as soon as there is a connection.
            return .connecting
        }
        return bytesSent >= bytesToSend ?? .max ? .waiting : .sending
    }

    /// The length that the response has announced for its body as it is on the wire; nil when it has not, or when the
    /// session decodes the body, so that the length says nothing about the bytes that arrive here.
    var announcedLength: Int64? {
        guard let head, head.expectedContentLength >= 0 else {
            return nil
        }
        let encoding = head.value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity"
        return encoding == "identity" ? head.expectedContentLength : nil
    }
}
