public import BackstopCore
public import Foundation

extension HTTP {
    /// An HTTP request: method, target, headers, body.
    ///
    /// The target may be a path relative to the client's base URL, or an absolute `http` or `https` URL.
    ///
    /// ```swift
    /// var request = try HTTP.Request(.get, "books", query: ["author": "Frank Herbert", "page": "2"])
    /// request.headers[.accept] = "application/json"
    /// ```
    public struct Request: Sendable {
        /// The method.
        public var method: Method {
            get { parts.value.method }
            set { parts.value.method = newValue }
        }
        /// The target: an absolute URL once the client has resolved it against its base URL.
        public var url: URL {
            get { parts.value.place.url }
            set { parts.value.place = .url(newValue, origin: nil) }
        }
        /// The header fields.
        public var headers: Headers {
            get { parts.value.headers }
            _modify { yield &parts.value.headers }
        }
        /// The body. A form sets `Content-Type`; another body in its place takes that away.
        public var body: Body {
            get { parts.value.body }
            set {
                if let old = body.contentType, headers[.contentType] == old {
                    headers[.contentType] = nil
                }
                parts.value.body = newValue
                if let type = newValue.contentType {
                    headers[.contentType] = type
                }
            }
        }
        /// Whether the request may be sent again; nil lets the method and `Idempotency-Key` decide.
        ///
        /// Set it to true for a POST that only reads, such as a search or a GraphQL query; a `Fallback` may then
        /// stand in for it as well. Default: nil.
        public var isRepeatable: Bool? {
            get { parts.value.isRepeatable }
            set { parts.value.isRepeatable = newValue }
        }

        private struct Parts: Sendable {
            var method: Method
            var place: RequestPlace
            var headers: Headers
            var body: Body
            var isRepeatable: Bool?
        }

        private var parts: CopyOnWrite<Parts>

        /// Makes a request.
        ///
        /// - Parameters:
        ///   - method: The method.
        ///   - target: A path relative to the client's base URL, an absolute URL, or the segments of a path; see
        ///     ``HTTP/Target``.
        ///   - query: Items added to the target's query, names and values percent-encoded.
        ///   - headers: The header fields.
        ///   - body: The content.
        /// - Throws: `RequestError` with `.invalidURL` when the target is malformed, or leads above the base URL.
        public init(
            _ method: Method, _ target: some HTTP.Target, query: Query = Query(),
            headers: Headers = Headers(), body: Body = .none
        ) throws(RequestError) {
            self.init(method, try RequestURL.place(target, query), headers, body)
        }

        /// Makes a request with a list of query items; an item without a value is only a name.
        ///
        /// - Throws: `RequestError` with `.invalidURL` when the target is malformed.
        public init(
            _ method: Method, _ target: some HTTP.Target, queryItems: [URLQueryItem], headers: Headers = Headers(),
            body: Body = .none
        ) throws(RequestError) {
            try self.init(method, target, query: Query(queryItems), headers: headers, body: body)
        }

        /// Makes a request for a URL.
        public init(_ method: Method = .get, url: URL, headers: Headers = Headers(), body: Body = .none) {
            self.init(method, .url(url, origin: nil), headers, body)
        }

        private init(_ method: Method, _ place: RequestPlace, _ headers: Headers, _ body: Body) {
            parts = CopyOnWrite(Parts(method: method, place: place, headers: headers, body: body))
            if let type = body.contentType, headers[.contentType] == nil {
                self.headers[.contentType] = type
            }
        }

        /// Puts a path below the base URL of a client.
        mutating func resolve(base: BaseURL?) throws(RequestError) {
            parts.value.place = try RequestURL.resolve(parts.value.place, base: base)
        }

        /// Makes a request whose body is JSON.
        ///
        /// - Parameters:
        ///   - method: The method, such as `.post`.
        ///   - target: A path relative to the client's base URL, or an absolute URL.
        ///   - value: The content of the body; `Data` is JSON already, and sent as it is.
        ///   - query: The items of the query. Default: none.
        ///   - headers: Additional header fields. Default: none.
        ///   - encoder: Encodes the value; nil for the client's, else one with default settings.
        /// - Throws: `RequestError` with `.invalidURL`, or with `.encoding` when the value cannot be encoded.
        public static func json(
            _ method: Method, _ target: some HTTP.Target, _ value: some Encodable, query: Query = Query(),
            headers: Headers = Headers(), encoder: JSONEncoder? = nil
        ) throws(RequestError) -> Request {
            var request = try Request(method, target, query: query, headers: headers)
            try request.setJSON(value, encoder: encoder)
            return request
        }

        /// Sets a value as the JSON body, and `Content-Type` unless it is set.
        ///
        /// - Parameters:
        ///   - value: The content of the body; `Data` is JSON already, and sent as it is: nil is no body. A `String` that
        ///     is an object or a list of objects is refused: it would be encoded again. If a string is meant, whatever
        ///     is in it, give it as `JSONValue.string(text)`.
        ///   - encoder: Encodes the value; nil for the client's, else one with default settings.
        /// - Throws: `RequestError` with `.encoding` when the value cannot be encoded.
        public mutating func setJSON(
            _ value: some Encodable, encoder: JSONEncoder? = nil
        ) throws(RequestError) {
            guard Swift.type(of: value) != Data?.self || value is Data else { return body = .none }
            let encoder = encoder ?? JSONCoding.current.encoder ?? JSONEncoder()
            if let text = value as? String, isDocument(text) {
                throw RequestError(
                    .encoding,
                    "The String is JSON already, and would be encoded again: give it as Data(text.utf8), or, if a "
                        + "string is meant, as JSONValue.string(text)")
            }
            do {
                body = .data(try value as? Data ?? encoder.encode(value))
            } catch {
                if case .request(let known) = Failure.Reason(classifying: error) {
                    throw known
                }
                throw RequestError(.encoding, "\(Swift.type(of: value)) could not be encoded", underlying: error)
            }
            if headers[.contentType] == nil {
                headers[.contentType] = "application/json"
            }
        }

        /// Whether a text is an object of JSON with members, or a list of objects: nobody types that.
        private func isDocument(_ text: String) -> Bool {
            guard let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[" else {
                return false
            }
            switch try? JSONValue(parsing: Data(text.utf8)) {
            case .object(let members): return !members.isEmpty
            case .array(let items): return items.contains { if case .object = $0 { true } else { false } }
            default: return false
            }
        }
    }
}

extension HTTP.Request: CallRequest {
    /// ``isRepeatable`` if set; otherwise whether the method is idempotent (RFC 9110, 9.2.2), or the request has an
    /// `Idempotency-Key`. A blank key is none.
    public var isIdempotent: Bool {
        isRepeatable ?? (method.isIdempotent || idempotencyKey != nil)
    }

    /// The value of `Idempotency-Key`, if only that makes the request idempotent; nil otherwise, and when it is blank.
    /// Several values are one with commas (RFC 9110, 5.3).
    public var idempotencyKey: String? {
        let key = dependsOnKey ? headers[values: .idempotencyKey].joined(separator: ", ") : ""
        return key.contains { !$0.isWhitespace } ? key : nil
    }

    /// Whether the method is safe (RFC 9110, 9.2.1), unless ``isRepeatable`` says otherwise: true for a `POST` that
    /// only reads. A `PUT`, `DELETE` or `PATCH` never only reads.
    public var isReadOnly: Bool {
        switch method {
        case .put, .delete, .patch: false
        default: isRepeatable ?? method.isSafe
        }
    }

    /// Whether only an idempotency key allows the request to be sent twice.
    package var dependsOnKey: Bool {
        isRepeatable == nil && !method.isIdempotent
    }

    /// Scheme, host and port.
    public var destination: String {
        parts.value.place.origin
    }

    /// Whether the body can be sent again.
    public var isReplayable: Bool {
        parts.value.body.isReplayable
    }

    /// Method and URL.
    public func summary(_ redaction: Redaction) -> String {
        "\(method) \(shownURL(redaction))"
    }

    /// Method and URL.
    public func logFields(_ redaction: Redaction) -> [LogField] {
        [LogField(FieldName.method, method.name), LogField(FieldName.url, shownURL(redaction))]
    }

    /// The URL, redacted, cut and on one line.
    package func shownURL(_ redaction: Redaction) -> String {
        BodyText.line(redaction.url(url.absoluteString), limit: 2000)
    }

    /// The headers, and the first part of the body.
    public func details(_ redaction: Redaction) -> [String] {
        let text = body.data.map {
            BodyText.suffix($0, contentType: headers[.contentType], limit: 500, redaction: redaction)
        }
        return headers.reportLines(redaction) + (body.original.isNone ? [] : ["body: \(body)\(text ?? "")"])
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
