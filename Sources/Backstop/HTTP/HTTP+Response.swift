public import BackstopCore
public import Foundation

extension HTTP {
    /// A complete HTTP response.
    ///
    /// ```swift
    /// let response = HTTP.Response(status: 200, headers: ["Content-Type": "text/plain"], body: Data("hi".utf8))
    /// ```
    public struct Response: Sendable {
        /// The status code.
        public var status: Int {
            get { parts.value.status }
            set {
                box = nil
                parts.value.status = newValue
            }
        }
        /// The header fields.
        public var headers: Headers {
            get { parts.value.headers }
            _modify {
                box = nil
                yield &parts.value.headers
            }
        }
        /// The body; empty when there is none.
        public var body: Data {
            get { parts.value.body }
            _modify {
                box = nil
                defer {
                    parts.value.bodySize = parts.value.body.count
                    parts.value.isHead = false
                }
                yield &parts.value.body
            }
        }
        /// The URL that it came from, after all redirects; nil when it was created by hand.
        public var url: URL? {
            get { parts.value.url }
            set {
                box = nil
                parts.value.url = newValue
            }
        }
        /// The version of HTTP that the server spoke, such as `1.1` or `2`; nil when the transport does not say, as
        /// ``URLSessionTransport``.
        public var httpVersion: String? {
            get { parts.value.httpVersion }
            set { parts.value.httpVersion = newValue }
        }
        /// The fields after the content (RFC 9110, 6.5), such as a checksum or the status of a gRPC call; empty when
        /// there were none, or the transport cannot read them, as ``URLSessionTransport``.
        public var trailers: Headers {
            get { Headers(received: parts.value.trailers) }
            set { parts.value.trailers = newValue.fields }
        }
        /// The number of bytes before a failure cut the body; otherwise the same as `body.count`.
        public var bodySize: Int { parts.value.bodySize }

        private struct Parts: Sendable {
            var status: Int
            var headers: Headers
            var body: Data
            var url: URL?
            var httpVersion: String?
            var trailers: [Headers.Field] = []
            var bodySize: Int
            /// Whether it is the head of a response whose body is still to come.
            var isHead = false
        }

        private var parts: CopyOnWrite<Parts>

        /// The content decoded by the `Decoding` interceptor, with its call.
        ///
        /// It belongs to that call and to these bytes: changing status, headers or body drops it, and no other call
        /// reads it, even if the response is stored.
        private var box: ContentBox?

        /// The content decoded for a call, in its box; nil when there is none, or it is another call's.
        func content(for context: CallContext) -> ContentBox? {
            box.flatMap { $0.call == context.id ? $0 : nil }
        }

        /// The content decoded for a call; nil when there is none, or it is another call's.
        package func decodedContent(for context: CallContext) -> (any Sendable)? {
            content(for: context)?.content
        }

        /// The same response with the content decoded for a call, or without any.
        func with(_ content: ContentBox?) -> Response {
            var copy = self
            copy.box = content
            return copy
        }

        /// The same response without content, for storing beyond the call.
        package func withoutContent() -> Response {
            with(nil)
        }

        /// Makes a response.
        public init(status: Int, headers: Headers = Headers(), body: Data = Data(), url: URL? = nil) {
            parts = CopyOnWrite(
                Parts(status: status, headers: headers, body: body, url: url, bodySize: body.count))
        }

        /// The same without the body, for one of this size that was read while it arrived.
        package func withoutBody(ofSize size: Int) -> Response {
            var copy = self
            copy.body = Data()
            copy.parts.value.bodySize = size
            return copy
        }

        /// The same as the head of a response whose body is read while it arrives.
        package func withBodyToCome() -> Response {
            changed(withoutBody(ofSize: 0)) { $0.parts.value.isHead = true }
        }

        /// Refuses a response that an interceptor kept although a stream, or a failure, has only a part of its body.
        package func requireWhole() throws {
            guard body.count < bodySize else {
                return
            }
            throw ConfigurationError(
                setting: "The response of an interceptor",
                problem: "has \(body.count) of the \(bodySize) bytes of its body",
                fix: "Keep no response where context.isStream is true, nor that of a failure")
        }

        /// The media type in lower case, without parameters: `application/json`; nil when the header is absent.
        public var mediaType: String? {
            // Every response is asked: Foundation's trimming takes longer than the rest of the chain.
            headers[.contentType].map { value in
                FieldText.trimmed(value[...].utf8.prefix { $0 != UInt8(ascii: ";") }).lowercased()
            }
        }

        /// Whether the status is from 200 to 299.
        public var isSuccess: Bool {
            (200..<300).contains(status)
        }
    }
}

extension HTTP.Response: CallResponse {
    /// The status code.
    public var statusCode: Int? {
        status
    }

    /// The wait that `Retry-After` asks for (RFC 9110, 10.2.3); nil when it is absent or malformed.
    public func retryAfter(now: Duration) -> Duration? {
        headers[.retryAfter].flatMap { RetryAfter.wait(from: $0, now: serverTime(now)) }
    }

    /// How long the server's rate limit is used up, by `RateLimit`, `RateLimit-Remaining` or `X-RateLimit-Remaining`; nil
    /// when requests are left, or it does not say.
    public func rateLimitReset(now: Duration) -> Duration? {
        RateLimitFields.reset(in: headers, now: serverTime(now))
    }

    /// What the moments in the headers are relative to.
    private func serverTime(_ now: Duration) -> Duration {
        RetryAfter.serverTime(date: headers["Date"], age: headers["Age"], now: now)
    }

    /// Status, content type and size, and the URL if it differs from the request's.
    public func summary(_ redaction: Redaction, answering request: (any CallRequest)?) -> String {
        guard let asked = (request as? HTTP.Request)?.url, asked.absoluteString == url?.absoluteString else {
            return summary(redaction)
        }
        return changed(self) { $0.url = nil }.summary(redaction)
    }

    /// Status, content type, size and URL.
    public func summary(_ redaction: Redaction) -> String {
        let name = StatusError.reasonPhrase(of: status).map { " \($0)" } ?? ""
        let type = headers[.contentType].map { BodyText.line(redaction.text($0), limit: 100) } ?? ""
        let from = url.map { ", from \(BodyText.line(redaction.url($0.absoluteString), limit: 2000))" } ?? ""
        let size = parts.value.isHead ? "its body to come" : ByteCount.text(bodySize)
        return "\(status)\(name), \(type.isEmpty ? "no content type" : type), \(size)\(from)"
    }

    /// The headers, and the first part of the body.
    public func details(_ redaction: Redaction) -> [String] {
        var lines = headers.reportLines(redaction)
        if bodySize > 0, !body.isEmpty {
            lines.append(
                "body" + BodyText.suffix(body, contentType: mediaType, limit: 500, redaction: redaction))
        }
        return lines
    }

    /// The response with its body cut to a number of bytes.
    public func bounded(to bytes: Int) -> HTTP.Response {
        guard body.count > bytes else {
            return self
        }
        var copy = withoutContent()
        // A copy of the bytes, so that the failure does not retain the whole body. The size stays.
        copy.parts.value.body = Data(body.prefix(max(0, bytes)).map { $0 })
        return copy
    }
}

extension HTTP.Response: CustomStringConvertible, CustomReflectable {
    /// Status, content type and size, secrets redacted.
    public var description: String {
        summary(.standard)
    }

    /// The same with headers, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["summary": description, "headers": headers], displayStyle: .struct)
    }
}
