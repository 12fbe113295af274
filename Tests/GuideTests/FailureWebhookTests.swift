#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("The recipe for a webhook", .limited)
    struct FailureWebhookTests {
        private struct Report: Decodable {
            var code: String
            var name: String
        }

        /// A webhook that holds up reports until its gate is open.
        private struct Hook {
            let gate = Gate()
            let bodies = Notes<Data>()
            let arrivals = AsyncStream.makeStream(of: Void.self)
            var status = 200

            var mounts: [FaultServer.Mount] {
                [
                    FaultServer.Mount("/hook") { [self] call in
                        await gate.pass()
                        bodies.add(call.request.body)
                        arrivals.continuation.yield()
                        return .text("", status: status)
                    }
                ]
            }

            func wait(for count: Int) async {
                for await _ in arrivals.stream where bodies.all.count >= count { break }
            }

            func codes() throws -> [String] {
                try bodies.all.map { try JSONDecoder().decode(Report.self, from: $0).code }
            }
        }

        private func client(_ webhook: FailureWebhook, _ statuses: [Int]) throws -> Client {
            var handling = FailureHandling()
            handling.log = RecordingLog()
            handling.observers = [webhook]
            return try Client.standard(
                baseURL: "https://api.example.com", transport: ScriptedTransport(statuses.map { .status($0) }),
                retry: .never, logging: nil, handling: handling)
        }

        @Test("calls end while the webhook is silent, and their reports arrive in order later")
        func order() async throws {
            let hook = Hook()
            try await withServer(mounting: hook.mounts) { server in
                let webhook = FailureWebhook(server.url.appendingPathComponent("hook"), timeout: 100)
                let client = try client(webhook, [404, 500, 503])
                for _ in 0..<3 {
                    _ = try? await client.get("books")
                }
                #expect(hook.bodies.all.isEmpty)
                hook.gate.open()
                await hook.wait(for: 3)
                #expect(try hook.codes() == ["status.404", "status.500", "status.503"])
                #expect(await webhook.dropped == 0)
            }
        }

        @Test("what there is no room for is counted") func room() async throws {
            let hook = Hook()
            try await withServer(mounting: hook.mounts) { server in
                let webhook = FailureWebhook(server.url.appendingPathComponent("hook"), timeout: 100)
                let failure = Failure(StatusError(404), name: "BookDetails")
                for _ in 0..<FailureWebhook.limit + 5 {
                    await webhook.observe(failure, outcome: .thrown)
                }
                #expect(await webhook.dropped == 5)
                hook.gate.open()
                await hook.wait(for: FailureWebhook.limit)
            }
        }

        @Test("a report that is refused is counted, and makes no further one") func refused() async throws {
            var hook = Hook()
            hook.status = 500
            hook.gate.open()
            try await withServer(mounting: hook.mounts) { server in
                let webhook = FailureWebhook(server.url.appendingPathComponent("hook"), timeout: 100)
                let client = try client(webhook, [404, 500])
                for _ in 0..<2 {
                    _ = try? await client.get("books")
                }
                while await webhook.dropped < 2 { await Task.yield() }
                #expect(hook.bodies.all.count == 2)
            }
        }

        @Test("a report that is redirected is not delivered") func redirected() async throws {
            let mounts = [
                FaultServer.Mount("/hook") { _ in
                    .init(status: 302, headers: [("Location", "/other")], body: .data(Data()))
                },
                FaultServer.Mount("/other") { _ in .text("") },
            ]
            try await withServer(mounting: mounts) { server in
                let webhook = FailureWebhook(server.url.appendingPathComponent("hook"), timeout: 100)
                await webhook.observe(Failure(StatusError(404)), outcome: .thrown)
                while await webhook.dropped == 0 { await Task.yield() }
            }
        }

        @Test("a cancelled call is not reported") func cancelled() async throws {
            let webhook = FailureWebhook(try #require(URL(string: "http://127.0.0.1:9/")))
            await webhook.observe(Failure(CancellationError()), outcome: .cancelled)
            #expect(await webhook.dropped == 0)
        }
    }
#endif
