#if Demo
    package import Backstop
    internal import BackstopFaultServer
    internal import BackstopTesting
    internal import Foundation

    /// Sends 20 bytes to a server that does not answer, and asks for a body of which 3 bytes come.
    ///
    /// - Returns: The limits at which the two end, of 10 s and a second more for each byte.
    package func limitsOfMovingBodies(_ transport: any HTTP.Transport) async throws -> [Duration?] {
        let limits = Notes<Duration?>()
        try await withServer { server in
            let upload = HTTP.Call(.put, "/hang", body: .data(Data(count: 20)))
            limits.add(try await limit(of: upload, transport, server.url, earned: 20) { $0.phase == .waiting })
            let download = HTTP.Call(.get, "/hang-body")
            limits.add(try await limit(of: download, transport, server.url, earned: 3) { $0.bytesReceived == 3 })
        }
        return limits.all
    }

    private func limit(
        of call: HTTP.Call<HTTP.Response>, _ transport: any HTTP.Transport, _ base: URL, earned: Int,
        whenMoved hasMoved: (TransferProgress) -> Bool
    ) async throws -> Duration? {
        let clock = ManualClock()
        let contexts = Notes<CallContext>()
        var options = CallOptions()
        options.clock = clock
        let client = try Client(baseURL: base, transport: transport, options: options) {
            ClosureInterceptor { request, context, next in
                contexts.add(context)
                return try await next(request)
            }
            AttemptTimeout(.seconds(10), minimumRate: 1)
        }
        let sent = Task { () -> TimeoutError? in
            do throws(Failure) {
                _ = try await client.send(call)
                return nil
            } catch {
                return error.error(as: TimeoutError.self)
            }
        }
        await clock.waitForSleeper(remaining: .seconds(10))
        while contexts.all.first?.progress.map(hasMoved) != true {
            await Task.yield()
        }
        await clock.advance(by: .seconds(10))
        await clock.waitForSleeper(remaining: .seconds(earned))
        await clock.advance(by: .seconds(earned))
        return await sent.value?.duration
    }
#endif
