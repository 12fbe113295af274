public import BackstopCore
public import Foundation

/// The one-liners for code without async, as ``Client/perform(_:onSuccess:onFailure:onCancel:)`` of the ``HTTP/Call`` of the
/// same name.
extension Client {
    /// Sends a GET and decodes the JSON of the response, for code without async: exactly one closure runs, once, on the
    /// main actor, unless the task is cancelled first.
    ///
    /// ```swift
    /// nonisolated struct Book: Decodable, Sendable { var id: Int; var title: String }
    ///
    /// @MainActor
    /// final class Shelf {
    ///     private(set) var books: [Book] = []
    ///
    ///     func load(_ client: Client) {
    ///         client.get("books", onSuccess: { self.books = $0 }, onError: { failure in failure.statusCode == 404 })
    ///     }
    /// }
    /// ```
    /// For another actor, or to handle cancellation, perform the call: `client.perform(.get("books"), ...)`.
    ///
    /// - Parameters:
    ///   - target: A path relative to the client's base URL, or an absolute URL.
    ///   - query: The items of the query.
    ///   - headers: The headers of the request.
    ///   - decoder: Decodes the content; nil for the client's.
    ///   - type: The type of the content.
    ///   - onSuccess: Receives the content.
    ///   - onError: Returns whether it handled the failure; if not, the scopes and the registered defaults are asked.
    ///     Default: nil, they are asked at once.
    /// - Returns: The task, for cancelling it.
    @discardableResult
    public func get<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self,
        onSuccess: @escaping @MainActor (Value) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<Value> = .get(target, query: query, headers: headers, decoder: decoder, as: type)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a GET for code without async; `onSuccess` receives the whole response.
    @discardableResult
    public func get(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        onSuccess: @escaping @MainActor (HTTP.Response) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<HTTP.Response> = .get(target, query: query, headers: headers)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a DELETE and decodes the JSON of the response, for code without async.
    @discardableResult
    public func delete<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self,
        onSuccess: @escaping @MainActor (Value) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<Value> = .delete(target, query: query, headers: headers, decoder: decoder, as: type)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a DELETE for code without async; `onSuccess` receives the whole response.
    @discardableResult
    public func delete(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        onSuccess: @escaping @MainActor (HTTP.Response) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<HTTP.Response> = .delete(target, query: query, headers: headers)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a HEAD for code without async; `onSuccess` receives the response, whose body is empty.
    @discardableResult
    public func head(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        onSuccess: @escaping @MainActor (HTTP.Response) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<HTTP.Response> = .head(target, query: query, headers: headers)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a POST with a value as JSON and decodes the JSON of the response, for code without async.
    @discardableResult
    public func post<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil, decoder: JSONDecoder? = nil,
        as type: Value.Type = Value.self,
        onSuccess: @escaping @MainActor (Value) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<Value> = .post(
            target, json: value, query: query, headers: headers, encoder: encoder, decoder: decoder, as: type)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a POST with a value as JSON for code without async; `onSuccess` receives the whole response.
    @discardableResult
    public func post(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil,
        onSuccess: @escaping @MainActor (HTTP.Response) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<HTTP.Response> = .post(
            target, json: value, query: query, headers: headers, encoder: encoder)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a PUT with a value as JSON and decodes the JSON of the response, for code without async.
    @discardableResult
    public func put<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil, decoder: JSONDecoder? = nil,
        as type: Value.Type = Value.self,
        onSuccess: @escaping @MainActor (Value) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<Value> = .put(
            target, json: value, query: query, headers: headers, encoder: encoder, decoder: decoder, as: type)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a PUT with a value as JSON for code without async; `onSuccess` receives the whole response.
    @discardableResult
    public func put(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil,
        onSuccess: @escaping @MainActor (HTTP.Response) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<HTTP.Response> = .put(
            target, json: value, query: query, headers: headers, encoder: encoder)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a PATCH with a value as JSON and decodes the JSON of the response, for code without async.
    @discardableResult
    public func patch<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil, decoder: JSONDecoder? = nil,
        as type: Value.Type = Value.self,
        onSuccess: @escaping @MainActor (Value) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<Value> = .patch(
            target, json: value, query: query, headers: headers, encoder: encoder, decoder: decoder, as: type)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a PATCH with a value as JSON for code without async; `onSuccess` receives the whole response.
    @discardableResult
    public func patch(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], encoder: JSONEncoder? = nil,
        onSuccess: @escaping @MainActor (HTTP.Response) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<HTTP.Response> = .patch(
            target, json: value, query: query, headers: headers, encoder: encoder)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a POST with a form and decodes the JSON of the response, for code without async.
    @discardableResult
    public func post<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self,
        onSuccess: @escaping @MainActor (Value) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<Value> = .post(
            target, form: form, query: query, headers: headers, decoder: decoder, as: type)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a POST with a form for code without async; `onSuccess` receives the whole response.
    @discardableResult
    public func post(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        onSuccess: @escaping @MainActor (HTTP.Response) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<HTTP.Response> = .post(target, form: form, query: query, headers: headers)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a POST with any body, or none, and decodes the JSON of the response, for code without async.
    @discardableResult
    public func post<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none,
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self,
        onSuccess: @escaping @MainActor (Value) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<Value> = .post(
            target, query: query, headers: headers, body: body, decoder: decoder, as: type)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a POST with any body, or none, for code without async; `onSuccess` receives the whole response.
    @discardableResult
    public func post(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none,
        onSuccess: @escaping @MainActor (HTTP.Response) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<HTTP.Response> = .post(target, query: query, headers: headers, body: body)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a PUT with a form and decodes the JSON of the response, for code without async.
    @discardableResult
    public func put<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self,
        onSuccess: @escaping @MainActor (Value) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<Value> = .put(
            target, form: form, query: query, headers: headers, decoder: decoder, as: type)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a PUT with a form for code without async; `onSuccess` receives the whole response.
    @discardableResult
    public func put(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        onSuccess: @escaping @MainActor (HTTP.Response) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<HTTP.Response> = .put(target, form: form, query: query, headers: headers)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a PUT with any body, or none, and decodes the JSON of the response, for code without async.
    @discardableResult
    public func put<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none,
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self,
        onSuccess: @escaping @MainActor (Value) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<Value> = .put(
            target, query: query, headers: headers, body: body, decoder: decoder, as: type)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a PUT with any body, or none, for code without async; `onSuccess` receives the whole response.
    @discardableResult
    public func put(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none,
        onSuccess: @escaping @MainActor (HTTP.Response) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<HTTP.Response> = .put(target, query: query, headers: headers, body: body)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a PATCH with a form and decodes the JSON of the response, for code without async.
    @discardableResult
    public func patch<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self,
        onSuccess: @escaping @MainActor (Value) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<Value> = .patch(
            target, form: form, query: query, headers: headers, decoder: decoder, as: type)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a PATCH with a form for code without async; `onSuccess` receives the whole response.
    @discardableResult
    public func patch(
        _ target: some HTTP.Target, form: HTTP.Query, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        onSuccess: @escaping @MainActor (HTTP.Response) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<HTTP.Response> = .patch(target, form: form, query: query, headers: headers)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a PATCH with any body, or none, and decodes the JSON of the response, for code without async.
    @discardableResult
    public func patch<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none,
        decoder: JSONDecoder? = nil, as type: Value.Type = Value.self,
        onSuccess: @escaping @MainActor (Value) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<Value> = .patch(
            target, query: query, headers: headers, body: body, decoder: decoder, as: type)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }

    /// Sends a PATCH with any body, or none, for code without async; `onSuccess` receives the whole response.
    @discardableResult
    public func patch(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], body: HTTP.Body = .none,
        onSuccess: @escaping @MainActor (HTTP.Response) async -> Void,
        onError: (@MainActor (Failure) async -> Bool)? = nil
    ) -> Task<Void, Never> {
        let call: HTTP.Call<HTTP.Response> = .patch(target, query: query, headers: headers, body: body)
        return perform(call, onSuccess: onSuccess, onFailure: onError)
    }
}
