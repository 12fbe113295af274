public import BackstopCore
public import Foundation

/// What people write first and the compiler has to refuse: the message says what to write. Where another overload would
/// take it, the message is a warning, because the compiler prefers any other overload to one that is unavailable.
extension Client {
    /// What the bodies throw that cannot be called: what they would call would be linked into each app.
    private static var neverCalled: Failure { Failure(CancellationError()) }

    /// A call has the parts of a request, below the base URL; a request is what interceptors see.
    @available(*, unavailable, message: "write client.send(.get(url, headers: ...)), .post and so on")
    @discardableResult
    public func send(_ request: HTTP.Request) async throws(Failure) -> HTTP.Response {
        throw Self.neverCalled
    }

    /// A client performs an endpoint or a call; other work is for a policy.
    @available(
        *, unavailable,
        message: "write client.perform(.get(path, as: Book.self)) { On(404) { ... } }, without a closure"
    )
    @discardableResult
    public func perform<Value: Sendable>(
        _ operation: @Sendable () async throws -> Value, @HandlerBuilder handlers: () -> [any FailureHandler]
    ) async -> Outcome<Value> {
        .cancelled
    }

    /// A query is written item by item.
    @available(
        *, unavailable,
        message:
            "write texts or numbers: query: [\"page\": filter.page, \"sort\": sort.rawValue], or HTTP.Query(dictionary)"
    )
    public func get<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: some Encodable, headers: HTTP.Headers = [:], decoder: JSONDecoder? = nil,
        as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        throw Self.neverCalled
    }

    /// A query is written item by item.
    @available(
        *, unavailable,
        message:
            "write texts or numbers: query: [\"page\": filter.page, \"sort\": sort.rawValue], or HTTP.Query(dictionary)"
    )
    public func get(
        _ target: some HTTP.Target, query: some Encodable, headers: HTTP.Headers = [:]
    ) async throws(Failure) -> HTTP.Response {
        throw Self.neverCalled
    }

    /// Content of any type is a `JSONValue`.
    @available(*, unavailable, message: "[String: Any] cannot be decoded: write as: JSONValue.self")
    public func get(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        as type: [String: Any].Type
    ) async throws(Failure) -> [String: Any] {
        [:]
    }

    /// A one-liner reports no progress.
    @available(
        *, deprecated,
        message: "get reports no progress, and the closure never runs; the Cookbook has a download with progress"
    )
    public func get(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        progress: @escaping @Sendable (TransferProgress) async -> Void
    ) async throws(Failure) -> HTTP.Response {
        try await get(target, query: query, headers: headers)
    }

    /// In code without async, a closure has a label.
    @available(
        *, deprecated,
        message: "it runs after a failure only: write onSuccess: and onFailure:, or completion: for every outcome"
    )
    @discardableResult
    public func perform<E: Endpoint>(
        _ endpoint: E, handle: @escaping @MainActor (Failure) async -> Void
    ) -> Task<Void, Never> {
        perform(
            endpoint, onSuccess: { _ in },
            onFailure: { failure in
                await handle(failure)
                return true
            })
    }

    /// JSON of mixed types is a `JSONValue`.
    @available(*, unavailable, message: "[String: Any] cannot be encoded: give a struct, or [\"a\": .string(a)]")
    public func post<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, json value: [String: Any], query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        throw Self.neverCalled
    }

    /// JSON of mixed types is a `JSONValue`.
    @available(*, unavailable, message: "[String: Any] cannot be encoded: give a struct, or [\"a\": .string(a)]")
    @discardableResult
    public func post(
        _ target: some HTTP.Target, json value: [String: Any], query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) async throws(Failure) -> HTTP.Response {
        throw Self.neverCalled
    }

    /// JSON of mixed types is a `JSONValue`.
    @available(*, unavailable, message: "[String: Any] cannot be encoded: give a struct, or [\"a\": .string(a)]")
    public func put<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, json value: [String: Any], query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        throw Self.neverCalled
    }

    /// JSON of mixed types is a `JSONValue`.
    @available(*, unavailable, message: "[String: Any] cannot be encoded: give a struct, or [\"a\": .string(a)]")
    @discardableResult
    public func put(
        _ target: some HTTP.Target, json value: [String: Any], query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) async throws(Failure) -> HTTP.Response {
        throw Self.neverCalled
    }

    /// JSON of mixed types is a `JSONValue`.
    @available(*, unavailable, message: "[String: Any] cannot be encoded: give a struct, or [\"a\": .string(a)]")
    public func patch<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, json value: [String: Any], query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        throw Self.neverCalled
    }

    /// JSON of mixed types is a `JSONValue`.
    @available(*, unavailable, message: "[String: Any] cannot be encoded: give a struct, or [\"a\": .string(a)]")
    @discardableResult
    public func patch(
        _ target: some HTTP.Target, json value: [String: Any], query: HTTP.Query = [:], headers: HTTP.Headers = [:]
    ) async throws(Failure) -> HTTP.Response {
        throw Self.neverCalled
    }
}

extension Failure {
    /// Whether the failure is of the kind that the system's code stands for: `catch URLError.timedOut` catches each time
    /// limit, and `catch .cancelled` a cancelled call, over any transport. Only after typed throws: for any other error,
    /// Foundation has this operator, which knows no failure.
    public static func ~= (code: URLError.Code, failure: Failure) -> Bool {
        let reason = URLError(code).classifiedReason
        return reason.code == failure.code || reason.kind == "timeout" && failure.reason.kind == "timeout"
    }
}

extension HTTP.Response {
    /// Content is read with ``json(_:decoder:)``.
    @available(*, unavailable, message: "write response.json(Book.self), or let the call do it: get(path, as:)")
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder? = nil
    ) throws(DecodingFailure) -> Value {
        try json(type, decoder: decoder)
    }
}
