internal import Backstop
internal import BackstopCore
internal import Foundation

/// The key of a stored response: the whole request as it reached the cache, but for headers known not to matter, and
/// the partition. What nobody thought of tells responses apart.
struct CacheKey: Hashable, Sendable {
    let method: HTTP.Method
    let url: String
    /// Names and values, sorted, because their order does not matter.
    let headers: [String]
    /// The operation, its variables and its extensions, unless they are in the URL.
    let body: Data
    let partition: String

    /// - Parameter ignored: Headers that do not matter, in addition to ``neutral``.
    /// - Returns: Nil for a body that is not in memory.
    init?(_ request: HTTP.Request, ignoring ignored: Set<HTTP.Headers.Name> = [], partition: String = "") {
        guard let body = request.body.data else {
            return nil
        }
        method = request.method
        url = request.url.absoluteString
        headers = request.headers.fields.filter { !Self.neutral.contains($0.name) && !ignored.contains($0.name) }
            .map { "\($0.name.text.lowercased()): \($0.value)" }.sorted()
        self.body = body
        self.partition = partition
    }

    /// The number of bytes.
    var size: Int {
        headers.reduce(url.utf8.count + body.count + partition.utf8.count) { $0 + $1.utf8.count }
    }

    /// Hashes all bytes of the body: `Data` only hashes the first 80, so that operations with different variables would
    /// collide.
    func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        body.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(headers)
        hasher.combine(partition)
    }

    /// Headers that neither name a caller nor choose an answer; a server that looks at them says so with `Vary`.
    static let neutral: Set<HTTP.Headers.Name> = [
        "Accept-Encoding",  // undone by the transport
        "Content-Type", "Content-Length",  // about the body, which belongs to the key
        "User-Agent",  // the app or the transport, the same for everybody
        .idempotencyKey,  // names a call
        WireMessage.preflight,  // says that no other site's page sent it
        "X-Request-ID", "X-Correlation-ID",  // name a call
        "traceparent", "tracestate",  // W3C Trace Context
        "b3", "X-B3-TraceId", "X-B3-SpanId", "X-B3-ParentSpanId", "X-B3-Sampled", "X-B3-Flags",  // Zipkin
        "X-Amzn-Trace-Id", "X-Cloud-Trace-Context", "uber-trace-id", "sentry-trace",  // vendors' trace ids
        "X-Datadog-Trace-Id", "X-Datadog-Parent-Id", "X-Datadog-Sampling-Priority",
    ]
}
