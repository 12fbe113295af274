#if Demo
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @testable import BackstopCLI

    @Suite("The playground with results that arrive one after the other", .sockets)
    struct PlaygroundLiveTests {
        @Test("shows the results of a subscription, and that it was subscribed again")
        func subscription() async throws {
            try await withPage { page in
                let object = try await page.run([
                    "target": "/graphql/live?count=4&cut=150&times=1", "operation": "counter", "delay": "0",
                ])
                #expect((object["outcome"] as? String) == "value")
                let text = try #require(object["body"] as? String)
                #expect(text.contains("{\"data\":{\"counter\":1},\"errors\":[]}\n"))
                #expect(text.contains("Subscribed again, after transport.truncated.\n"))
                #expect(text.contains("{\"data\":{\"counter\":4}"))
            }
        }

        @Test("shows a subscription over a WebSocket as well", .enabled(if: ResultCarrier.hasSockets))
        func socket() async throws {
            try await withPage { page in
                let object = try await page.run([
                    "target": "/graphql/live?count=4&cut=150&times=1", "operation": "counter", "by": "websocket",
                    "delay": "0",
                ])
                #expect(object["outcome"] as? String == "value")
                let text = try #require(object["body"] as? String)
                #expect(text.contains("{\"data\":{\"counter\":1},\"errors\":[]}\n"))
                #expect(text.contains("Subscribed again, after transport.lost.\n"))
                #expect(text.contains("{\"data\":{\"counter\":4}"))
            }
        }

        @Test("follows a call over a WebSocket while it runs", .enabled(if: ResultCarrier.hasSockets))
        func socketTrace() async throws {
            try await withServer { server in
                let call = try PlaygroundCall(
                    WebQuery(
                        "/playground/run?target=/graphql/live?ms=600000&operation=counter&by=websocket",
                        names: PlaygroundCall.parameters))
                let live = LiveTrace()
                let task = Task {
                    await call.run(
                        at: server.url, through: ScriptedTransport(), watching: live, streamed: StreamedText())
                }
                while live.trace == nil { try await Task.sleep(for: .milliseconds(1)) }
                task.cancel()
                _ = await task.value
            }
        }

        @Test("shows a subscription over a shared stream of events as well")
        func stream() async throws {
            try await withPage { page in
                let object = try await page.run([
                    "target": "/graphql/stream?count=4&cut=150&times=1", "operation": "counter", "by": "shared-events",
                    "delay": "0",
                ])
                #expect(object["outcome"] as? String == "value")
                let text = try #require(object["body"] as? String)
                #expect(text.contains("{\"data\":{\"counter\":1},\"errors\":[]}\n"))
                #expect(text.contains("Subscribed again, after transport.lost.\n"))
                #expect(text.contains("{\"data\":{\"counter\":4}"))
            }
        }

        @Test("follows no redirect of a shared stream to another server")
        func redirect() async throws {
            try await withServer { other in
                try await withPage { page in
                    let object = try await page.run([
                        "target": "/redirect?status=307&to=\(other.url)/graphql/stream", "operation": "counter",
                        "by": "shared-events", "attempts": "1",
                    ])
                    #expect((object["failure"] as? [String: Any])?["code"] as? String == "transport.redirectRefused")
                    #expect(other.requestCount(of: "/graphql/stream") == 0)
                }
            }
        }

        @Test("shows all that has arrived of a query with deferred parts")
        func deferred() async throws {
            try await withPage { page in
                let object = try await page.run([
                    "target": "/graphql/live?format=2022&ms=20", "operation": "deferred",
                ])
                let lines = try #require(object["body"] as? String).split(separator: "\n")
                #expect(lines.count > 1)
                #expect(lines.last?.contains("Found on Jakku.") == true)
            }
        }
    }
#endif
