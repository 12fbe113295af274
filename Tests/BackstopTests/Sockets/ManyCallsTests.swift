#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("Many calls at once through one client", .sockets)
    struct ManyCallsTests {
        @Test("end one by one, none lost and none mistaken for another")
        func thousand() async throws {
            try await withServer { server in
                let observer = RecordingObserver()
                var options = CallOptions()
                options.observers = [observer]
                var handling = FailureHandling.silent
                handling.observers = [observer]
                // A place among six connections may take long on a busy machine.
                let client = try server.client(options: options, handling: handling).withChain {
                    try $0.replacing(.attemptTimeout, with: AttemptTimeout(.seconds(600)))
                }
                let codes = await withTaskGroup(of: String.self) { group in
                    for number in 0..<1000 {
                        group.addTask { await outcome(of: number, client) }
                    }
                    return await group.reduce(into: [:]) { counts, code in counts[code, default: 0] += 1 }
                }
                #expect(codes == ["own answer": 334, "status.503": 333, "transport.lost": 333])
                #expect(observer.calls.count == 1000)
                #expect(observer.calls.count { $0.failure == nil } == 334)
                #expect(observer.failures.count == 666)
                #expect(server.requestCount(of: "/echo") == 334)
                #expect(server.requestCount(of: "/status/503") == 333)
                // URLSession sends a GET again by itself where a kept connection ends before the first byte.
                #expect(server.requestCount(of: "/reset") >= 333)
            }
        }

        private func outcome(of number: Int, _ client: Client) async -> String {
            struct Echo: Decodable, Sendable { let query: String }
            do throws(Failure) {
                switch number % 3 {
                case 0:
                    let echo = try await client.get("/echo?n=\(number)", as: Echo.self)
                    return echo.query == "n=\(number)" ? "own answer" : "answer of another call"
                case 1: _ = try await client.get("/status/503")
                default: _ = try await client.get("/reset")
                }
                return "a value"
            } catch {
                return error.code
            }
        }
    }
#endif
