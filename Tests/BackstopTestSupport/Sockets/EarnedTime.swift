#if Demo
    package import Backstop
    package import BackstopFaultServer
    internal import BackstopTesting

    /// Sends a request whose limit is 10 s and a second more for each byte, over a real connection that hangs.
    ///
    /// - Parameters:
    ///   - target: What never answers in full.
    ///   - earned: How many seconds the bytes add that have moved by then.
    ///   - hasMoved: Whether they have.
    /// - Returns: The failure, 10 s and the earned ones later.
    package func failureAfterEarnedTime(
        _ transport: any HTTP.Transport, _ server: FaultServer, _ method: HTTP.Method, _ target: String,
        body: HTTP.Body = .none, earned: Int, hasMoved: @escaping @Sendable (TransferProgress) -> Bool
    ) async throws -> Failure? {
        let clock = ManualClock()
        let contexts = Notes<CallContext>()
        var options = CallOptions()
        options.clock = clock
        var handling = FailureHandling()
        handling.log = RecordingLog()
        let client = try Client(
            baseURL: server.url, transport: transport, options: options,
            handling: handling
        ) {
            ClosureInterceptor { request, context, next in
                contexts.add(context)
                return try await next(request)
            }
            AttemptTimeout(.seconds(10), minimumRate: 1)
        }
        let call = Task { await client.perform(HTTP.Call(method, target, body: body)).failure }
        await clock.waitForSleeper(remaining: .seconds(10))
        while contexts.all.first?.progress.map(hasMoved) != true {
            try await Task.sleep(for: .milliseconds(1))
        }
        await clock.advance(by: .seconds(10))
        await clock.waitForSleeper(remaining: .seconds(earned))
        await clock.advance(by: .seconds(earned))
        return await call.value
    }
#endif
