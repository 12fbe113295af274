public import BackstopCore
public import Foundation

/// The one-liners: each sends the ``HTTP/Call`` of the same name.
extension Client {
    /// Sends a GET and decodes the JSON of the response.
    ///
    /// ```swift
    /// nonisolated struct Book: Decodable, Sendable { var id: Int; var title: String }
    /// func books(_ client: Client, page: Int) async throws(Failure) -> [Book] {
    ///     try await client.get("books", query: ["page": page], as: [Book].self)
    /// }
    /// ```
    /// - Throws: The failure; `decoding` when the response does not have the expected content.
    public func get<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await send(.get(target, query: query, headers: headers, decoder: decoder, as: type))
    }

    /// Sends a GET; returns the whole response.
    public func get(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) async throws(Failure) -> HTTP.Response {
        try await send(.get(target, query: query, headers: headers))
    }

    /// Sends a DELETE and decodes the JSON of the response.
    public func delete<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await send(.delete(target, query: query, headers: headers, decoder: decoder, as: type))
    }

    /// Sends a DELETE; returns the whole response.
    @discardableResult
    public func delete(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) async throws(Failure) -> HTTP.Response {
        try await send(.delete(target, query: query, headers: headers))
    }

    /// Sends a HEAD; returns the response, whose body is empty.
    public func head(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) async throws(Failure) -> HTTP.Response {
        try await send(.head(target, query: query, headers: headers))
    }

    /// Sends a POST with a value as JSON and decodes the JSON of the response.
    ///
    /// - Throws: The failure; `request.encoding` when the value cannot be encoded.
    public func post<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil, decoder: JSONDecoder? = nil,
        as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await send(
            .post(target, json: value, query: query, headers: headers, encoder: encoder, decoder: decoder, as: type))
    }

    /// Sends a POST with a value as JSON; returns the whole response.
    @discardableResult
    public func post(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil
    ) async throws(Failure) -> HTTP.Response {
        try await send(.post(target, json: value, query: query, headers: headers, encoder: encoder))
    }

    /// Sends a POST with a form (``HTTP/Body/form(_:)``) and decodes the JSON of the response.
    public func post<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await send(.post(target, form: form, query: query, headers: headers, decoder: decoder, as: type))
    }

    /// Sends a POST with a form; returns the whole response.
    @discardableResult
    public func post(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) async throws(Failure) -> HTTP.Response {
        try await send(.post(target, form: form, query: query, headers: headers))
    }

    /// Sends a POST with any body, or none, and decodes the JSON of the response.
    public func post<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none,
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await send(.post(target, query: query, headers: headers, body: body, decoder: decoder, as: type))
    }

    /// Sends a POST with any body, or none; returns the whole response.
    @discardableResult
    public func post(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none
    ) async throws(Failure) -> HTTP.Response {
        try await send(.post(target, query: query, headers: headers, body: body))
    }

    /// Sends a PUT with a value as JSON and decodes the JSON of the response.
    ///
    /// - Throws: The failure; `request.encoding` when the value cannot be encoded.
    public func put<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil, decoder: JSONDecoder? = nil,
        as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await send(
            .put(target, json: value, query: query, headers: headers, encoder: encoder, decoder: decoder, as: type))
    }

    /// Sends a PUT with a value as JSON; returns the whole response.
    @discardableResult
    public func put(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil
    ) async throws(Failure) -> HTTP.Response {
        try await send(.put(target, json: value, query: query, headers: headers, encoder: encoder))
    }

    /// Sends a PUT with a form (``HTTP/Body/form(_:)``) and decodes the JSON of the response.
    public func put<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await send(.put(target, form: form, query: query, headers: headers, decoder: decoder, as: type))
    }

    /// Sends a PUT with a form; returns the whole response.
    @discardableResult
    public func put(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) async throws(Failure) -> HTTP.Response {
        try await send(.put(target, form: form, query: query, headers: headers))
    }

    /// Sends a PUT with any body, or none, and decodes the JSON of the response.
    public func put<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none,
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await send(.put(target, query: query, headers: headers, body: body, decoder: decoder, as: type))
    }

    /// Sends a PUT with any body, or none; returns the whole response.
    @discardableResult
    public func put(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none
    ) async throws(Failure) -> HTTP.Response {
        try await send(.put(target, query: query, headers: headers, body: body))
    }

    /// Sends a PATCH with a value as JSON and decodes the JSON of the response.
    ///
    /// - Throws: The failure; `request.encoding` when the value cannot be encoded.
    public func patch<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil, decoder: JSONDecoder? = nil,
        as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await send(
            .patch(target, json: value, query: query, headers: headers, encoder: encoder, decoder: decoder, as: type))
    }

    /// Sends a PATCH with a value as JSON; returns the whole response.
    @discardableResult
    public func patch(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil
    ) async throws(Failure) -> HTTP.Response {
        try await send(.patch(target, json: value, query: query, headers: headers, encoder: encoder))
    }

    /// Sends a PATCH with a form (``HTTP/Body/form(_:)``) and decodes the JSON of the response.
    public func patch<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await send(.patch(target, form: form, query: query, headers: headers, decoder: decoder, as: type))
    }

    /// Sends a PATCH with a form; returns the whole response.
    @discardableResult
    public func patch(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) async throws(Failure) -> HTTP.Response {
        try await send(.patch(target, form: form, query: query, headers: headers))
    }

    /// Sends a PATCH with any body, or none, and decodes the JSON of the response.
    public func patch<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none,
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await send(.patch(target, query: query, headers: headers, body: body, decoder: decoder, as: type))
    }

    /// Sends a PATCH with any body, or none; returns the whole response.
    @discardableResult
    public func patch(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none
    ) async throws(Failure) -> HTTP.Response {
        try await send(.patch(target, query: query, headers: headers, body: body))
    }
}
