internal import BackstopCore
public import Foundation

extension HTTP {
    /// A call in one line, for anything that takes an endpoint.
    ///
    /// ```swift
    /// nonisolated struct Book: Decodable, Sendable { var id: Int; var title: String }
    ///
    /// func show(_ id: String, with client: Client) async {
    ///     let outcome = await client.perform(.get(["books", id], as: Book.self)) {
    ///         On(status: 404) { _ in print("There is no such book.") }
    ///     }
    ///     print(outcome.value?.title ?? "")
    /// }
    /// ```
    public struct Call<Content: Sendable>: Endpoint {
        /// The call's name in logs, traces and reports: method and path.
        public var name: String {
            // Without the query and user info of the target: they are shown, redacted, with the request, and would make
            // each name different.
            let text = (try? target.targetText()) ?? ""
            let path = String(text.prefix { $0 != "?" && $0 != "#" })
            return "\(method) \(BodyText.line(Redaction.standard.url(path), limit: 200))"
        }

        /// `application/json` if the content is JSON; nil otherwise.
        public let accept: String?
        private let method: HTTP.Method
        private let target: any HTTP.Target
        private let make: @Sendable () throws -> HTTP.Request
        private let read: @Sendable (HTTP.Response) throws -> Content

        /// Makes the request.
        ///
        /// - Throws: `RequestError` for an unusable target, or a value that cannot be encoded.
        public func makeRequest() throws -> HTTP.Request {
            try make()
        }

        /// Reads the content.
        public func content(from response: HTTP.Response) throws -> Content {
            try read(response)
        }
    }
}

extension HTTP.Call: DescribedInDumps {
    /// Method and path, as in its name; the query may have secrets.
    public var description: String { name }
}

extension HTTP.Call where Content == HTTP.Response {
    /// A call with any method and body; the content is the whole response.
    ///
    /// ```swift
    /// let logout = HTTP.Call(.post, "logout")
    /// let note = HTTP.Call(.put, "notes/1", headers: [.contentType: "text/plain"], body: .text("Buy milk."))
    /// ```
    public init(
        _ method: HTTP.Method, _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        body: HTTP.Body = .none
    ) {
        self.init(
            accept: nil, method: method, target: target,
            make: { try HTTP.Request(method, target, query: query, headers: headers, body: body) }, read: { $0 })
    }

    /// A call with any method and a form; the content is the whole response.
    public init(
        _ method: HTTP.Method, _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:]
    ) {
        self.init(method, target, query: query, headers: headers, body: .form(form))
    }

    /// A call with any method and a value as JSON; the content is the whole response.
    public init(
        _ method: HTTP.Method, _ target: some HTTP.Target, json value: some Encodable & Sendable,
        query: HTTP.Query = [:], headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil
    ) {
        self.init(
            accept: nil, method: method, target: target,
            make: { try .json(method, target, value, query: query, headers: headers, encoder: encoder) }, read: { $0 })
    }
}

extension HTTP.Call where Content: Decodable {
    /// A call with any method and body whose response is JSON.
    ///
    /// - Parameters:
    ///   - method: The method, such as `.get`.
    ///   - target: A path relative to the client's base URL, or an absolute URL.
    ///   - query: The items of the query. Default: none.
    ///   - headers: Additional header fields. Default: none.
    ///   - body: The content of the request. Default: none.
    ///   - decoder: Decodes the response; nil for the client's, else one with default settings.
    ///   - type: The type to decode; an optional one is nil for a 204 and for an empty body. `Data` is the body as it is,
    ///     and `String` its text, unless it is a string of JSON.
    public init(
        _ method: HTTP.Method, _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        body: HTTP.Body = .none, decoder: JSONDecoder? = nil, as type: Content.Type
    ) {
        self.init(
            accept: Self.accepted, method: method, target: target,
            make: { try HTTP.Request(method, target, query: query, headers: headers, body: body) },
            read: { try Self.read($0, decoder: decoder) })
    }

    /// A call with any method and a form whose response is JSON.
    public init(
        _ method: HTTP.Method, _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], decoder: JSONDecoder? = nil, as type: Content.Type
    ) {
        self.init(method, target, query: query, headers: headers, body: .form(form), decoder: decoder, as: type)
    }

    /// A call with any method and a value as JSON whose response is JSON.
    public init(
        _ method: HTTP.Method, _ target: some HTTP.Target, json value: some Encodable & Sendable,
        query: HTTP.Query = [:], headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil,
        decoder: JSONDecoder? = nil, as type: Content.Type
    ) {
        self.init(
            accept: Self.accepted, method: method, target: target,
            make: { try .json(method, target, value, query: query, headers: headers, encoder: encoder) },
            read: { try Self.read($0, decoder: decoder) })
    }

    /// Bytes and text need not be JSON.
    private static var accepted: String? {
        isData || isText ? nil : "application/json"
    }

    private static var isData: Bool { Content.self == Data.self || Content.self == Data?.self }
    private static var isText: Bool { Content.self == String.self || Content.self == String?.self }

    private static func read(_ response: HTTP.Response, decoder: JSONDecoder?) throws -> Content {
        try response.requireContent()
        if let empty = response.emptyValue(as: Content.self) {
            return empty
        }
        if isData, let body = response.body as? Content {
            return body
        }
        if isText, let text = response.plainText, Content.self == String.self || !response.isJSONNull,
            let content = text as? Content
        {
            return content
        }
        return try response.json(Content.self, decoder: decoder)
    }
}

extension HTTP.Response {
    /// The body as text; nil when it is a string of JSON, or in an encoding that is not known, or not in the one declared.
    fileprivate var plainText: String? {
        guard !isJSON || body.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) != UInt8(ascii: "\"") else {
            return nil
        }
        switch headers[.contentType].flatMap({ MediaRange($0) })?.charset {
        case nil, "utf-8", "utf8", "us-ascii": return String(data: body, encoding: .utf8)
        case "iso-8859-1", "latin1": return String(data: body, encoding: .isoLatin1)
        case "windows-1252": return String(data: body, encoding: .windowsCP1252)
        default: return body.allSatisfy { (1..<0x80).contains($0) } ? String(data: body, encoding: .utf8) : nil
        }
    }

    fileprivate var isJSONNull: Bool {
        isJSON && String(decoding: body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) == "null"
    }

    private var isJSON: Bool {
        mediaType == "application/json" || mediaType?.hasSuffix("+json") == true
    }
}

extension Endpoint {
    /// Sends a GET and decodes the JSON of the response.
    public static func get<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) -> HTTP.Call<Value> where Self == HTTP.Call<Value> {
        HTTP.Call(.get, target, query: query, headers: headers, decoder: decoder, as: type)
    }

    /// A GET; the content is the whole response.
    public static func get(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) -> HTTP.Call<HTTP.Response> where Self == HTTP.Call<HTTP.Response> {
        HTTP.Call(.get, target, query: query, headers: headers)
    }

    /// Sends a DELETE and decodes the JSON of the response.
    public static func delete<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) -> HTTP.Call<Value> where Self == HTTP.Call<Value> {
        HTTP.Call(.delete, target, query: query, headers: headers, decoder: decoder, as: type)
    }

    /// A DELETE; the content is the whole response.
    public static func delete(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) -> HTTP.Call<HTTP.Response> where Self == HTTP.Call<HTTP.Response> {
        HTTP.Call(.delete, target, query: query, headers: headers)
    }

    /// A HEAD; the content is the response, whose body is empty.
    public static func head(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) -> HTTP.Call<HTTP.Response> where Self == HTTP.Call<HTTP.Response> {
        HTTP.Call(.head, target, query: query, headers: headers)
    }

    /// Sends a POST with a value as JSON and decodes the JSON of the response.
    public static func post<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil, decoder: JSONDecoder? = nil,
        as type: Value.Type = Value.self
    ) -> HTTP.Call<Value> where Self == HTTP.Call<Value> {
        HTTP.Call(
            .post, target, json: value, query: query, headers: headers, encoder: encoder, decoder: decoder, as: type)
    }

    /// A POST with a value as JSON; the content is the whole response.
    public static func post(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil
    ) -> HTTP.Call<HTTP.Response> where Self == HTTP.Call<HTTP.Response> {
        HTTP.Call(.post, target, json: value, query: query, headers: headers, encoder: encoder)
    }

    /// Sends a POST with a form and decodes the JSON of the response.
    public static func post<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) -> HTTP.Call<Value> where Self == HTTP.Call<Value> {
        HTTP.Call(.post, target, form: form, query: query, headers: headers, decoder: decoder, as: type)
    }

    /// A POST with a form; the content is the whole response.
    public static func post(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) -> HTTP.Call<HTTP.Response> where Self == HTTP.Call<HTTP.Response> {
        HTTP.Call(.post, target, form: form, query: query, headers: headers)
    }

    /// Sends a POST with any body, or none, and decodes the JSON of the response.
    public static func post<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none,
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) -> HTTP.Call<Value> where Self == HTTP.Call<Value> {
        HTTP.Call(.post, target, query: query, headers: headers, body: body, decoder: decoder, as: type)
    }

    /// A POST with any body, or none; the content is the whole response.
    public static func post(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none
    ) -> HTTP.Call<HTTP.Response> where Self == HTTP.Call<HTTP.Response> {
        HTTP.Call(.post, target, query: query, headers: headers, body: body)
    }

    /// Sends a PUT with a value as JSON and decodes the JSON of the response.
    public static func put<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil, decoder: JSONDecoder? = nil,
        as type: Value.Type = Value.self
    ) -> HTTP.Call<Value> where Self == HTTP.Call<Value> {
        HTTP.Call(
            .put, target, json: value, query: query, headers: headers, encoder: encoder, decoder: decoder, as: type)
    }

    /// A PUT with a value as JSON; the content is the whole response.
    public static func put(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil
    ) -> HTTP.Call<HTTP.Response> where Self == HTTP.Call<HTTP.Response> {
        HTTP.Call(.put, target, json: value, query: query, headers: headers, encoder: encoder)
    }

    /// Sends a PUT with a form and decodes the JSON of the response.
    public static func put<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) -> HTTP.Call<Value> where Self == HTTP.Call<Value> {
        HTTP.Call(.put, target, form: form, query: query, headers: headers, decoder: decoder, as: type)
    }

    /// A PUT with a form; the content is the whole response.
    public static func put(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) -> HTTP.Call<HTTP.Response> where Self == HTTP.Call<HTTP.Response> {
        HTTP.Call(.put, target, form: form, query: query, headers: headers)
    }

    /// Sends a PUT with any body, or none, and decodes the JSON of the response.
    public static func put<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none,
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) -> HTTP.Call<Value> where Self == HTTP.Call<Value> {
        HTTP.Call(.put, target, query: query, headers: headers, body: body, decoder: decoder, as: type)
    }

    /// A PUT with any body, or none; the content is the whole response.
    public static func put(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none
    ) -> HTTP.Call<HTTP.Response> where Self == HTTP.Call<HTTP.Response> {
        HTTP.Call(.put, target, query: query, headers: headers, body: body)
    }

    /// Sends a PATCH with a value as JSON and decodes the JSON of the response.
    public static func patch<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil, decoder: JSONDecoder? = nil,
        as type: Value.Type = Value.self
    ) -> HTTP.Call<Value> where Self == HTTP.Call<Value> {
        HTTP.Call(
            .patch, target, json: value, query: query, headers: headers, encoder: encoder, decoder: decoder, as: type)
    }

    /// A PATCH with a value as JSON; the content is the whole response.
    public static func patch(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil
    ) -> HTTP.Call<HTTP.Response> where Self == HTTP.Call<HTTP.Response> {
        HTTP.Call(.patch, target, json: value, query: query, headers: headers, encoder: encoder)
    }

    /// Sends a PATCH with a form and decodes the JSON of the response.
    public static func patch<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) -> HTTP.Call<Value> where Self == HTTP.Call<Value> {
        HTTP.Call(.patch, target, form: form, query: query, headers: headers, decoder: decoder, as: type)
    }

    /// A PATCH with a form; the content is the whole response.
    public static func patch(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) -> HTTP.Call<HTTP.Response> where Self == HTTP.Call<HTTP.Response> {
        HTTP.Call(.patch, target, form: form, query: query, headers: headers)
    }

    /// Sends a PATCH with any body, or none, and decodes the JSON of the response.
    public static func patch<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none,
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) -> HTTP.Call<Value> where Self == HTTP.Call<Value> {
        HTTP.Call(.patch, target, query: query, headers: headers, body: body, decoder: decoder, as: type)
    }

    /// A PATCH with any body, or none; the content is the whole response.
    public static func patch(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none
    ) -> HTTP.Call<HTTP.Response> where Self == HTTP.Call<HTTP.Response> {
        HTTP.Call(.patch, target, query: query, headers: headers, body: body)
    }
}
