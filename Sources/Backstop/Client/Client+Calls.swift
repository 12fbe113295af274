public import BackstopCore
internal import Foundation

extension Client {
    /// Asks for JSON and decodes it.
    ///
    /// ```swift
    /// struct Book: Decodable, Sendable { var id: Int; var title: String }
    /// func books(_ client: Client) async throws(Failure) -> [Book] {
    ///     try await client.get("books", query: ["page": "2"], as: [Book].self)
    /// }
    /// ```
    /// - Throws: The failure; `decoding` when the answer is not what was asked for.
    public func get<Content: Decodable & Sendable>(
        _ target: String, query: KeyValuePairs<String, String?> = [:], headers: HTTP.Headers = [:],
        as type: Content.Type = Content.self
    ) async throws(Failure) -> Content {
        let items = query.map { URLQueryItem(name: $0.key, value: $0.value) }
        return try await send(
            JSONCall<Content>(name: Self.name(.get, target)) {
                try HTTP.Request(.get, target, queryItems: items, headers: headers)
            })
    }

    /// Asks for whatever is there and gives the whole response.
    public func get(
        _ target: String, query: KeyValuePairs<String, String?> = [:], headers: HTTP.Headers = [:]
    ) async throws(Failure) -> HTTP.Response {
        let items = query.map { URLQueryItem(name: $0.key, value: $0.value) }
        return try await send(
            PlainCall(name: Self.name(.get, target)) {
                try HTTP.Request(.get, target, queryItems: items, headers: headers)
            })
    }

    /// Sends a value as JSON and decodes the answer.
    ///
    /// - Throws: The failure; `request.encoding` when the value cannot be encoded.
    public func post<Content: Decodable & Sendable>(
        _ target: String, json value: some Encodable & Sendable, headers: HTTP.Headers = [:],
        as type: Content.Type = Content.self
    ) async throws(Failure) -> Content {
        try await send(
            JSONCall<Content>(name: Self.name(.post, target), make: Self.maker(.post, target, value, headers)))
    }

    /// Sends a value as JSON and gives the whole response.
    @discardableResult
    public func post(
        _ target: String, json value: some Encodable & Sendable, headers: HTTP.Headers = [:]
    ) async throws(Failure) -> HTTP.Response {
        try await send(PlainCall(name: Self.name(.post, target), make: Self.maker(.post, target, value, headers)))
    }

    /// Puts a value as JSON and decodes the answer.
    public func put<Content: Decodable & Sendable>(
        _ target: String, json value: some Encodable & Sendable, headers: HTTP.Headers = [:],
        as type: Content.Type = Content.self
    ) async throws(Failure) -> Content {
        try await send(
            JSONCall<Content>(name: Self.name(.put, target), make: Self.maker(.put, target, value, headers)))
    }

    /// Puts a value as JSON and gives the whole response.
    @discardableResult
    public func put(
        _ target: String, json value: some Encodable & Sendable, headers: HTTP.Headers = [:]
    ) async throws(Failure) -> HTTP.Response {
        try await send(PlainCall(name: Self.name(.put, target), make: Self.maker(.put, target, value, headers)))
    }

    /// Changes a part of a resource by a value as JSON, and decodes the answer.
    public func patch<Content: Decodable & Sendable>(
        _ target: String, json value: some Encodable & Sendable, headers: HTTP.Headers = [:],
        as type: Content.Type = Content.self
    ) async throws(Failure) -> Content {
        try await send(
            JSONCall<Content>(name: Self.name(.patch, target), make: Self.maker(.patch, target, value, headers)))
    }

    /// Removes a resource and gives the whole response.
    @discardableResult
    public func delete(_ target: String, headers: HTTP.Headers = [:]) async throws(Failure) -> HTTP.Response {
        try await send(
            PlainCall(name: Self.name(.delete, target)) { try HTTP.Request(.delete, target, headers: headers) })
    }

    /// Method and path: what the query and the user information of a target say belongs to the request, which is shown
    /// redacted, and would make each name another one.
    private static func name(_ method: HTTP.Method, _ target: String) -> String {
        let path = target.prefix { $0 != "?" && $0 != "#" }
        return "\(method) \(BodyText.line(Redaction.standard.url(String(path)), limit: 200))"
    }

    private static func maker(
        _ method: HTTP.Method, _ target: String, _ value: some Encodable & Sendable, _ headers: HTTP.Headers
    ) -> @Sendable () throws -> HTTP.Request {
        {
            var request = try HTTP.Request(method, target, headers: headers)
            try request.setJSON(value)
            return request
        }
    }
}
