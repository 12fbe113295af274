public import Backstop
public import BackstopCore

extension Client {
    /// Opens a stream: makes a call whose response is read while it arrives.
    ///
    /// It goes through the whole chain. Until the head of a response is accepted, everything is as for any call: tokens
    /// are renewed, attempts repeated, limits hold, an error's body is decoded. From then on, only the call's own
    /// deadline (`CallOptions.deadline`) and the silence of the server end it (``StreamOptions/silence``), and every
    /// interceptor sees how it ends.
    ///
    /// ```swift
    /// nonisolated struct Row: Decodable, Sendable { var id: Int }
    ///
    /// func rows(_ client: Client) async throws(Failure) -> Int {
    ///     var sum = 0
    ///     for try await row in try await client.stream("rows", as: .jsonLines(of: Row.self)) {
    ///         sum += row.id
    ///     }
    ///     return sum
    /// }
    /// ```
    /// - Parameters:
    ///   - target: A path relative to the client's base URL, or an absolute URL, for a GET.
    ///   - query: The items of the query. Default: none.
    ///   - headers: Additional header fields. Default: none.
    ///   - format: What the elements are.
    ///   - options: How it is read.
    /// - Returns: The stream, as soon as there is a head.
    /// - Throws: The failure, before there is one; `status` for one that is not accepted.
    @concurrent
    public func stream<Element>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        as format: StreamFormat<Element>, options: StreamOptions = .standard
    ) async throws(Failure) -> HTTP.Stream<Element> {
        try await stream(.get(target, query: query, headers: headers), as: format, options: options)
    }

    /// Opens a stream with the request of an endpoint, whose own content is not read.
    ///
    /// ```swift
    /// func answer(_ client: Client, to question: String) async throws(Failure) -> String {
    ///     var answer = ""
    ///     for try await line in try await client.stream(.post("answers", json: ["ask": question]), as: .lines) {
    ///         answer += line
    ///     }
    ///     return answer
    /// }
    /// ```
    @concurrent
    public func stream<Element>(
        _ endpoint: some Endpoint, as format: StreamFormat<Element>, options: StreamOptions = .standard
    ) async throws(Failure) -> HTTP.Stream<Element> {
        try await open(endpoint, format, options, isObserved: true)
    }

    /// Opens a stream.
    ///
    /// - Parameter isObserved: Whether observers are told of a failure, because it is thrown to the caller.
    private func open<E: Endpoint, Element>(
        _ endpoint: E, _ format: StreamFormat<Element>, _ options: StreamOptions, isObserved: Bool,
        as call: RepeatedCall? = nil
    ) async throws(Failure) -> HTTP.Stream<Element> {
        let series = format.makeSeries?()
        let reader = StreamReader(window: options.window, series?.parser ?? format.parser)
        let legs = Legs(reader, silence: options.silence, clock: self.options.clock, series: series)
        let accepting = PreparedEndpoint(endpoint: endpoint, accept: format.accept)
        let task = Task { @concurrent in
            do throws(Failure) {
                try await run(accepting, legs, as: call)
                reader.finish(.success(()))
            } catch {
                if isObserved {
                    await handling.observeThrown(error)
                }
                reader.finish(.failure(error))
            }
        }
        do {
            let head = try await reader.opened.value({}, onCancel: { task.cancel() })
            return HTTP.Stream(head, reader, legs, task) { failure in
                if isObserved {
                    await handling.observeThrown(failure)
                }
            }
        } catch {
            throw error as? Failure ?? Failure(error)
        }
    }
}

extension Client {
    /// Makes a call whose response is read while it arrives, and passes its failure to the handlers. Never throws.
    ///
    /// ```swift
    /// @MainActor final class Log {
    ///     var lines: [String] = []
    ///
    ///     func load(_ client: Client) async {
    ///         let outcome = await client.perform("logs/today", as: .lines) { line in
    ///             self.lines.append(line)
    ///         }
    ///         print(outcome.value.map { "\($0.elements) lines" } ?? "incomplete")
    ///     }
    /// }
    /// ```
    /// A handler may repeat the call only while no element was handed over.
    ///
    /// - Parameters:
    ///   - target: A path relative to the client's base URL, or an absolute URL, for a GET.
    ///   - query: The items of the query. Default: none.
    ///   - headers: Additional header fields. Default: none.
    ///   - format: What the elements are.
    ///   - options: How it is read.
    ///   - each: Gets each element, where the caller runs. What it throws ends the call, and is its failure.
    ///   - handlers: Handlers of this call, which are asked first. Default: none.
    /// - Returns: The outcome: exactly one, after the last element.
    @discardableResult
    public nonisolated(nonsending) func perform<Element>(
        _ target: some HTTP.Target, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        as format: StreamFormat<Element>, options: StreamOptions = .standard,
        each: nonisolated(nonsending) (Element) async throws -> Void,
        @HandlerBuilder handlers: () -> [any FailureHandler] = { [] }
    ) async -> Outcome<TransferReport> {
        await perform(
            .get(target, query: query, headers: headers), as: format, options: options, each: each, handlers: handlers)
    }

    /// The same with the request of an endpoint, whose own content is not read.
    @discardableResult
    public nonisolated(nonsending) func perform<Element>(
        _ endpoint: some Endpoint, as format: StreamFormat<Element>, options: StreamOptions = .standard,
        each: nonisolated(nonsending) (Element) async throws -> Void,
        @HandlerBuilder handlers: () -> [any FailureHandler] = { [] }
    ) async -> Outcome<TransferReport> {
        let call = RepeatedCall()
        return await handling.perform(
            clock: self.options.clock, own: handlers().map { FailureHandling.OwnHandler<TransferReport>($0) }
        ) { () async throws(Failure) in
            let stream = try await open(endpoint, format, options, isObserved: false, as: call)
            var elements = stream.makeAsyncIterator()
            while let element = try await elements.next() {
                do {
                    try await each(element)
                } catch {
                    try await elements.reading.fail(with: error)
                }
            }
            return stream.report
        }
    }
}
