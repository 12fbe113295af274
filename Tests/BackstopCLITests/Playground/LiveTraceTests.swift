#if Demo
    import Backstop
    import BackstopCore
    import BackstopGraphQLSocket
    import BackstopTestSupport
    import BackstopTesting
    import Testing

    @testable import BackstopCLI

    @Suite("The trace of a call that runs", .limited)
    struct LiveTraceTests {
        /// Makes calls, and gives what they leave behind.
        private func trace(of calls: Int, isObserver: Bool) async throws -> WeakReference {
            let live = LiveTrace()
            var options = CallOptions()
            options.observers = isObserver ? [live] : []
            let script = ScriptedTransport(Array(repeating: .json(200, "{}"), count: calls))
            let client = try Client.standard(
                baseURL: "http://a.example", transport: WatchedTransport(transport: script, live: live), logging: nil,
                options: options)
            for _ in 0..<calls {
                _ = try await client.get("a", as: [String: Int].self)
            }
            #expect(live.trace != nil)
            if !isObserver {
                live.end()
            }
            return WeakReference(object: live)
        }

        private struct WeakReference {
            weak var object: LiveTrace?
        }

        @Test("keeps no client alive: by observing its calls, or by being told of the end", arguments: [true, false])
        func released(isObserver: Bool) async throws {
            let reference = try await trace(of: 3, isObserver: isObserver)
            while reference.object != nil { await Task.yield() }
        }

        #if AsyncHTTPClient || canImport(Darwin)
            @Test("changes nothing about whether a socket persists queries", arguments: [true, false])
            func persistence(persists: Bool) throws {
                let socket = try GraphQL.Socket("ws://a.example", persistsQueries: persists)
                #expect(WatchedTransport(transport: socket, live: LiveTrace()).persistsQueries == persists)
            }
        #endif
    }
#endif
