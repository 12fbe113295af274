public import BackstopCore

extension Client {
    /// Makes a call and returns its content; failures are thrown, and no handler runs.
    ///
    /// ```swift
    /// func title(_ client: Client) async -> String {
    ///     do throws(Failure) {
    ///         return try await client.get("books/1", as: [String: String].self)["title"] ?? ""
    ///     } catch {
    ///         return error.message.title
    ///     }
    /// }
    /// ```
    /// - Throws: The failure; cancelling the task gives `.cancelled`.
    @concurrent
    public func send<E: Endpoint>(_ endpoint: E) async throws(Failure) -> E.Content {
        do {
            return try await run(endpoint)
        } catch {
            await handling.observeThrown(error)
            throw error
        }
    }

    /// Makes a call and returns its content or its failure; nothing is thrown, and no handler runs.
    ///
    /// For code that keeps what came of a call, such as a model with a property `books: Result<[Book], Failure>?`.
    ///
    /// ```swift
    /// nonisolated struct Book: Decodable, Sendable { var id: Int; var title: String }
    /// func books(_ client: Client) async -> Result<[Book], Failure> {
    ///     await client.result(of: .get("books", as: [Book].self))
    /// }
    /// ```
    /// - Returns: The content, or the failure; `.cancelled` when the task was cancelled.
    @concurrent
    public func result<E: Endpoint>(of endpoint: E) async -> Result<E.Content, Failure> {
        do throws(Failure) {
            return .success(try await send(endpoint))
        } catch {
            return .failure(error)
        }
    }

    /// Runs an endpoint, which sees the client's encoder and decoder; observers are not told of a failure.
    ///
    /// - Parameter call: Where the call stands among those that may be repeated; nil for a single run.
    package func run<E: Endpoint>(_ endpoint: E, as call: RepeatedCall? = nil) async throws(Failure)
        -> E.Content
    {
        let coding = JSONCoding(decoder: options.values.decoder, encoder: options.values.encoder)
        // A call within another client's call inherits nothing from it.
        guard !coding.isDefault || !JSONCoding.current.isDefault else {
            return try await runOnce(endpoint, as: call)
        }
        return try await run(endpoint, as: call, with: coding)
    }

    /// Apart, because a call with standard coding needs none of its memory while it waits.
    @inline(never)
    private func run<E: Endpoint>(
        _ endpoint: E, as call: RepeatedCall?, with coding: JSONCoding
    ) async throws(Failure) -> E.Content {
        let result = await JSONCoding.$current.withValue(coding) { () async -> Result<E.Content, Failure> in
            do throws(Failure) {
                return .success(try await runOnce(endpoint, as: call))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Runs an endpoint through the chain; errors become a failure here, once.
    private func runOnce<E: Endpoint>(_ endpoint: E, as call: RepeatedCall?) async throws(Failure) -> E.Content {
        var context = CallContext(
            options: sharedOptions, subject: ContentReader(endpoint, origin: origin, in: chain.interceptors),
            retryLedger: retryLedger)
        var asked: HTTP.Request?
        do {
            let request = try begin(endpoint, as: call, asked: &asked, &context)
            call?.follow(context)
            defer { call?.end(context.repeatSafety) }
            return try finish(context, try await chain.send(request, context: context), of: endpoint)
        } catch {
            throw failure(context, error, asked: asked)
        }
    }

    // What comes before and after the chain is apart: it would stay in memory for as long as the call waits.

    /// Makes the request of a call.
    @inline(never)
    package func begin(
        _ endpoint: some Endpoint, as call: RepeatedCall?, asked: inout HTTP.Request?,
        _ context: inout CallContext
    ) throws -> HTTP.Request {
        var request = try makeRequest(endpoint)
        asked = request
        if let key = try call?.begin(&request, again: { try makeRequest(endpoint) }) {
            context = context.requiring(key)
        }
        asked = request
        return request
    }

    /// Takes the content from the response, and ends the call.
    @inline(never)
    private func finish<E: Endpoint>(
        _ context: CallContext, _ response: HTTP.Response, of endpoint: E
    ) throws -> E.Content {
        let content: E.Content
        if let decoded = response.content(for: context) as? DecodedContent<E.Content> {
            try response.requireAccepted(by: chain.interceptors, context)
            content = decoded.value
        } else {
            // The chain has no Decoding interceptor, or an interceptor outside it returned another response.
            content = try ContentReader.read(response, by: endpoint, context: context, in: chain.interceptors)
        }
        context.finish(response)
        return content
    }

    /// Ends the call with a failure.
    @inline(never)
    package func failure(_ context: CallContext, _ error: any Error, asked: HTTP.Request?) -> Failure {
        context.finish(failing: HTTP.Request.recognized(error), asked: asked, retries: chain.roles.contains(.retry))
    }

    private func makeRequest(_ endpoint: some Endpoint) throws -> HTTP.Request {
        var request: HTTP.Request
        do {
            request = try endpoint.makeRequest()
        } catch {
            if case .request(let known) = Failure.Reason(classifying: error) {
                throw known
            }
            throw RequestError(
                .invalid, "\(endpoint.name).makeRequest threw: \(Redaction.current.description(of: error))",
                underlying: error)
        }
        if let accept = endpoint.accept, request.headers[.accept] == nil {
            request.headers[.accept] = accept
        }
        try request.resolve(base: base)
        if let refused = request.headers.refused {
            throw refused
        }
        return request
    }
}
