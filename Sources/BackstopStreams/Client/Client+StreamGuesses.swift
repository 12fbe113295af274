public import Backstop
public import BackstopCore

// What one writes who has not read the guide: a message instead of a riddle.

extension Client {
    /// A response that is read while it arrives is a stream.
    @available(*, unavailable, message: "open a stream: for try await x in try await client.stream(path, as: ...)")
    public func get<Element>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        as format: StreamFormat<Element>
    ) async throws(Failure) -> HTTP.Stream<Element> {
        try await stream(target, query: query, headers: headers, as: format)
    }

    /// The same after a POST.
    @available(*, unavailable, message: "open a stream: client.stream(.post(path, json: value), as: .lines)")
    public func post<Element>(
        _ target: some HTTP.Target, json value: some Encodable & Sendable, query: HTTP.Query = [:],
        headers: HTTP.Headers = [:], as format: StreamFormat<Element>
    ) async throws(Failure) -> HTTP.Stream<Element> {
        try await stream(.post(target, json: value, query: query, headers: headers), as: format)
    }

    /// A type does not say where one value ends and the next begins.
    @available(
        *, unavailable,
        message: "say how the elements are told apart, as in as: .jsonLines(of: Row.self), with one on each line"
    )
    public func stream<Value: Decodable & Sendable>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], as type: Value.Type
    ) async throws(Failure) -> HTTP.Stream<Value> {
        try await stream(target, query: query, headers: headers, as: .jsonLines(of: type))
    }

    /// The same of text.
    @available(*, unavailable, message: "say what the texts are: as: .lines")
    public func stream(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:], as type: String.Type
    ) async throws(Failure) -> HTTP.Stream<String> {
        try await stream(target, query: query, headers: headers, as: .lines)
    }
}

extension StreamFormat where Element == Never {
    /// Events are read by another product, and without it the compiler would blame the other arguments.
    @available(*, unavailable, message: "import BackstopTransfers, which reads server-sent events")
    public static var events: Self { Self { _ in throw RequestError(.invalid, "import BackstopTransfers") } }
}
