public import BackstopCore
public import Foundation

extension HTTP {
    /// A request: method, target, headers, body.
    ///
    /// The target may be a path below the client's base URL, or a whole `http` or `https` URL.
    ///
    /// ```swift
    /// var request = try HTTP.Request(.get, "books", query: ["author": "Frank Herbert", "page": "2"])
    /// request.headers[.accept] = "application/json"
    /// ```
    public struct Request: Sendable {
        /// The method.
        public var method: Method
        /// The target: a whole URL once the client has put its base URL before it.
        public var url: URL
        /// The header fields.
        public var headers: Headers
        /// The content.
        public var body: Body
        /// Whether the request may be sent again; nil lets the method and `Idempotency-Key` decide.
        ///
        /// Say true for a POST that only reads, such as a search or a GraphQL query. Default: nil.
        public var isRepeatable: Bool?

        /// Makes a request.
        ///
        /// - Parameters:
        ///   - method: The method.
        ///   - target: A path below the client's base URL, or a whole URL. Characters that URLs do not allow are
        ///     percent-encoded.
        ///   - query: Items that are added to the target's query, names and values percent-encoded.
        /// - Throws: ``RequestError`` with `.invalidURL` when the target cannot be read.
        public init(
            _ method: Method, _ target: String, query: KeyValuePairs<String, String?> = [:],
            headers: Headers = Headers(), body: Body = .none
        ) throws(RequestError) {
            let items = query.map { URLQueryItem(name: $0.key, value: $0.value) }
            try self.init(method, target, queryItems: items, headers: headers, body: body)
        }

        /// Makes a request with a query that is not known when the code is written.
        ///
        /// - Throws: ``RequestError`` with `.invalidURL` when the target cannot be read.
        public init(
            _ method: Method, _ target: String, queryItems: [URLQueryItem], headers: Headers = Headers(),
            body: Body = .none
        ) throws(RequestError) {
            self.init(method, url: try RequestURL.parse(target, queryItems: queryItems), headers: headers, body: body)
        }

        /// Makes a request for a URL.
        public init(_ method: Method = .get, url: URL, headers: Headers = Headers(), body: Body = .none) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
        }

        /// Makes a request whose body is JSON.
        ///
        /// - Throws: ``RequestError`` with `.invalidURL`, or with `.encoding` when the value cannot be encoded.
        public static func json(
            _ method: Method, _ target: String, _ value: some Encodable, encoder: JSONEncoder = JSONEncoder()
        ) throws(RequestError) -> Request {
            var request = try Request(method, target)
            try request.setJSON(value, encoder: encoder)
            return request
        }

        /// Makes the JSON of a value the body, and says so in `Content-Type`.
        ///
        /// - Throws: ``RequestError`` with `.encoding` when the value cannot be encoded.
        public mutating func setJSON(
            _ value: some Encodable, encoder: JSONEncoder = JSONEncoder()
        ) throws(RequestError) {
            do {
                body = .data(try encoder.encode(value))
            } catch {
                let classified = Failure.Reason(classifying: error)
                if case .request(let known) = classified {
                    throw known
                }
                throw RequestError(.encoding, "\(Swift.type(of: value)) could not be encoded", underlying: error)
            }
            headers[.contentType] = "application/json"
        }
    }
}

extension HTTP.Request: CallRequest {
    /// What ``isRepeatable`` says; else whether the method is idempotent (RFC 9110, 9.2.2), or the request has an
    /// `Idempotency-Key`.
    public var isIdempotent: Bool {
        isRepeatable ?? (method.isIdempotent || headers[.idempotencyKey] != nil)
    }

    /// The value of `Idempotency-Key`, where it alone makes the request idempotent; nil otherwise.
    public var idempotencyKey: String? {
        isRepeatable == nil && !method.isIdempotent ? headers[.idempotencyKey] : nil
    }

    /// Whether the body can be sent again.
    public var isReplayable: Bool {
        body.isReplayable
    }

    /// Method and URL.
    public func summary(_ redaction: Redaction) -> String {
        "\(method) \(BodyText.line(redaction.url(url.absoluteString), limit: 2000))"
    }

    /// The headers, and the first part of the body.
    public func details(_ redaction: Redaction) -> [String] {
        var lines = headers.reportLines(redaction)
        switch body {
        case .none:
            break
        case .data(let data):
            lines.append(
                "body: \(data.count) bytes"
                    + BodyText.suffix(data, contentType: headers[.contentType], limit: 500, redaction: redaction))
        case .file(let url):
            lines.append("body: the file \(url.lastPathComponent)")
        case .stream(let stream):
            lines.append("body: a stream of " + (stream.length.map { "\($0) bytes" } ?? "unknown length"))
        }
        return lines
    }
}

extension HTTP.Request: CustomStringConvertible, CustomReflectable {
    /// Method and URL, secrets redacted.
    public var description: String {
        summary(.standard)
    }

    /// The same with headers, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["summary": description, "headers": headers], displayStyle: .struct)
    }
}
