public import BackstopCore
public import Foundation

extension HTTP {
    /// A complete response.
    ///
    /// ```swift
    /// let response = HTTP.Response(status: 200, headers: ["Content-Type": "text/plain"], body: Data("hi".utf8))
    /// ```
    public struct Response: Sendable {
        /// The status code.
        public var status: Int
        /// The header fields.
        public var headers: Headers
        /// The body; empty when there is none.
        public var body: Data
        /// Where it came from, after all redirects; nil when it was made by hand.
        public var url: URL?
        /// How many bytes the body had before a failure cut it; the same as `body.count` otherwise.
        public private(set) var bodySize: Int

        /// The content that the `Decoding` link made of it; nil before that.
        package var content: (any Sendable)?

        /// The content itself, where the `Decoding` link made one; nil before that.
        package var decodedContent: (any Sendable)? {
            (content as? any AnyContentBox)?.anyValue
        }

        /// Makes a response.
        public init(status: Int, headers: Headers = Headers(), body: Data = Data(), url: URL? = nil) {
            self.status = status
            self.headers = headers
            self.body = body
            self.url = url
            bodySize = body.count
        }

        /// The media type in lower case, without parameters: `application/json`; nil when the header is absent.
        public var mediaType: String? {
            headers[.contentType]?.prefix { $0 != ";" }.lowercased().trimmingCharacters(in: .whitespaces)
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
        headers[.retryAfter].flatMap { RetryAfter.wait(from: $0, now: now) }
    }

    /// Status, content type and size.
    public func summary(_ redaction: Redaction) -> String {
        let name = StatusError.name(of: status).map { " \($0)" } ?? ""
        let type = headers[.contentType].map { ", \($0.prefix(100))" } ?? ", no content type"
        let from = url.map { ", from \(redaction.url($0.absoluteString))" } ?? ""
        return "\(status)\(name)\(type), \(bodySize) bytes\(from)"
    }

    /// The headers, and the first part of the body.
    public func details(_ redaction: Redaction) -> [String] {
        var lines = headers.fields.prefix(40).map { field in
            "\(field.name): \(redaction.header(field.name.text, String(field.value.prefix(200))))"
        }
        if headers.fields.count > 40 {
            lines.append("(\(headers.fields.count - 40) more headers)")
        }
        if bodySize > 0 {
            lines.append(
                "body" + BodyText.suffix(body, contentType: mediaType, limit: 500, redaction: redaction))
        }
        return lines
    }

    /// The response with no more than so many bytes of body.
    public func bounded(to bytes: Int) -> HTTP.Response {
        guard body.count > bytes else {
            return self
        }
        var copy = self
        // A copy of the bytes, so that the failure does not keep the whole body in memory.
        copy.body = Data(body.prefix(max(0, bytes)).map { $0 })
        copy.content = nil
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
