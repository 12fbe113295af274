internal import Backstop
internal import BackstopCore

/// Which header fields of a request are sent when a connection is opened for it.
enum SocketHeaders {
    /// Those that are not.
    static let left: Set<HTTP.Headers.Name> = [
        "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",  // of one hop
        "Proxy-Authorization",  // for a proxy
        "Host", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol",  // set here
        "Sec-WebSocket-Extensions", "Sec-WebSocket-Accept",  // none are offered
        "Content-Type", "Content-Length", "Content-Encoding", "Expect",  // about the body
        "Accept", "Accept-Encoding", "Range", "Date", "Priority", "Apollo-Require-Preflight",  // about one response
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range",  // about a version of it
        "Cache-Control", "Pragma", "Prefer",  // about how it is to be answered
        "X-APOLLO-OPERATION-NAME", "X-APOLLO-OPERATION-ID", "X-APOLLO-OPERATION-TYPE", "X-APOLLO-CACHE-KEY",
        "X-GraphQL-Operation-Name", "X-GraphQL-Operation-ID", "X-GraphQL-Operation-Type",  // name an operation
        .idempotencyKey, "Request-ID", "X-Request-ID", "Correlation-ID", "X-Correlation-ID",  // name a call
        "traceparent", "tracestate", "baggage",  // W3C Trace Context
        "b3", "X-B3-TraceId", "X-B3-SpanId", "X-B3-ParentSpanId", "X-B3-Sampled", "X-B3-Flags",  // Zipkin
        "X-Amzn-Trace-Id", "X-Cloud-Trace-Context", "uber-trace-id", "sentry-trace",  // vendors' trace ids
        "X-Datadog-Trace-Id", "X-Datadog-Parent-Id", "X-Datadog-Sampling-Priority",
    ]

    /// The fields that are sent.
    static func sent(_ headers: HTTP.Headers) -> HTTP.Headers {
        changed(headers) { sent in left.forEach { sent.remove($0) } }
    }
}
