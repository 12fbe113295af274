#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopCLI

    @Suite("The playground", .sockets)
    struct PlaygroundTests {
        @Test("gives the object of get --json, the trace and the presentation")
        func object() async throws {
            try await withPage { page in
                let object = try await page.run([
                    "target": "/flaky/503?times=2", "attempts": "3", "delay": "0.01", "handle": "status.503",
                ])
                #expect(object["outcome"] as? String == "value")
                #expect(object["status"] as? Int == 200)
                #expect(object["handledBy"] is NSNull)
                #expect(object["presentation"] is NSNull)
                let trace = try #require(object["trace"] as? [String: Any])
                let attempts = try #require(trace["attempts"] as? [[String: Any]])
                #expect(attempts.map { $0["result"] as? String } == ["status.503", "status.503", "ok"])
                #expect(trace["outcome"] as? String == "ok")
            }
        }

        @Test("says the same of a failure as get does")
        func sameAsGet() async throws {
            try await withPage { page in
                let command = try await Command.run(
                    "get", "\(page.server.url)/status/404", "--json", "--handle", "status.404")
                let ours = try await page.run(["target": "/status/404", "handle": "status.404"])
                let theirs = try command.object
                for key in ["outcome", "handledBy", "status", "bytes", "failure"] {
                    #expect(ours[key] as? NSObject == theirs[key] as? NSObject, "\(key)")
                }
                #expect((ours["attempts"] as? [Any])?.count == (theirs["attempts"] as? [Any])?.count)
                #expect(ours["handledBy"] as? String == "status.404")
                #expect(Set(theirs.keys).isSubset(of: ours.keys))
            }
        }

        @Test("shows what a person sees, and what a developer reads")
        func texts() async throws {
            try await withPage { page in
                let object = try await page.run(["target": "/status/503?retryAfter=2", "attempts": "1"])
                let presentation = try #require(object["presentation"] as? [String: Any])
                #expect(presentation["kind"] as? String == "fullScreen")
                #expect(presentation["countdown"] as? Int == 2)
                #expect((object["report"] as? String)?.hasPrefix("status.503: ") == true)
                let log = try #require(object["log"] as? [[String: Any]])
                #expect(log.map { $0["level"] as? String } == ["warning"])
            }
        }

        @Test("shows it in German where that is asked for")
        func german() async throws {
            try await withPage { page in
                let object = try await page.run([
                    "target": "/status/503?retryAfter=2", "attempts": "1", "language": "de",
                ])
                #expect(object["countdownText"] as? String == "Neuer Versuch in 2 Sekunden")
                let reply = try await page.reply(to: "/playground/run", ["target": "/books", "language": "fr"])
                #expect(reply.status == 400)
            }
        }

        @Test("ends a call that is noted late, after a later one of its page has begun and ended")
        func lateNote() async {
            let calls = PageCalls()
            let earlier = await calls.begin(of: "a")
            let later = await calls.begin(of: "a")
            calls.end(later)
            let other = await calls.begin(of: "b")

            let task = Task<Void, Never> { try? await untilCancelled() }
            calls.run(task, earlier)
            await task.value
            calls.end(earlier)
            let running = Task {}
            calls.run(running, other)

            #expect(!running.isCancelled)
        }

        @Test("ends the call of a page that begins another, however many it begins")
        func latest() async throws {
            try await withPage(Playground(longest: .seconds(600))) { page in
                let count = 20
                let ended = Notes<Int>()
                for number in 0..<count {
                    Task {
                        let reply = try? await page.reply(
                            to: "/playground/run", ["target": "/hang?\(number)", "page": "a", "timeout": "30"],
                            headers: ["Accept": "text/event-stream"])
                        ended.add(reply?.status ?? 0)
                    }
                }
                // Each of these ends whatever the page has begun before, and is over by itself.
                while ended.all.count < count {
                    _ = try await page.reply(
                        to: "/playground/run", ["target": "/books", "page": "a"],
                        headers: ["Accept": "text/event-stream"])
                }
                #expect(ended.all.allSatisfy { $0 == 200 || $0 == 429 })
            }
        }

        @Test("shows nothing to a person where a handler of the call's own took the failure")
        func handledByTheCall() async throws {
            try await withPage { page in
                let own = try await page.run(["target": "/status/503", "attempts": "1", "handle": "status.503"])
                #expect(own["presentation"] is NSNull)
                #expect((own["failure"] as? [String: Any])?["code"] as? String == "status.503")
                let other = try await page.run(["target": "/status/503", "attempts": "1", "handle": "status.404"])
                #expect((other["presentation"] as? [String: Any])?["kind"] as? String == "fullScreen")
            }
        }

        @Test("has a button for a mutation that may have been executed, which is sent once")
        func mutation() async throws {
            let fault = try #require(PlaygroundFaults.all.last?.faults.first { $0.title == "A mutation" })
            try await withPage { page in
                let object = try await page.run([
                    "target": fault.target, "operation": fault.settings["operation"] ?? "",
                ])
                #expect((object["failure"] as? [String: Any])?["code"] as? String == "status.503")
                #expect((object["attempts"] as? [Any])?.count == 1)
            }
        }

        @Test(
            "makes each kind of call",
            arguments: [
                (["target": "/books", "content": "books"], "ok", 1),
                (["target": "/wrong-type", "content": "items"], "decoding", 1),
                (["target": "/sign-in", "content": "books"], "decoding", 1),
                (
                    [
                        "target": "/isUserNameAvailable?userName=illegalresponse", "content": "availability",
                        "errors": "reason",
                    ], "decoding", 1
                ),
                (["target": "/problem?status=404"], "service.problem", 1),
                (["target": "/api-error?status=200", "errors": "reason"], "service.signUp", 1),
                (["target": "/orders", "method": "POST"], "status.503", 1),
                (["target": "/payments", "method": "POST", "key": "1"], "ok", 2),
                (["target": "/reset", "attempts": "2"], "transport.lost", 2),
                (["target": "/hang", "attempts": "1", "timeout": "0.2"], "timeout.attempt", 1),
                (["target": "/hang", "deadline": "0.2"], "timeout.deadline", 1),
                (["target": "/redirect-loop"], "transport.redirects", 1),
                (["target": "/graphql", "operation": "hero"], "ok", 1),
                (["target": "/graphql", "operation": "mistaken"], "service.graphQL.errors", 1),
                (["target": "/graphql?flaky=503&times=1", "operation": "hero"], "ok", 2),
                (["target": "/graphql?status=503&type=json", "operation": "review"], "status.503", 1),
                (["target": "/status/404", "chain": "retry,decoding"], "ok", 1),
                (["target": "/status/503", "chain": "statusValidation,retry"], "status.503", 1),
                (["target": "/status/503", "chain": ""], "ok", 1),
            ])
        func calls(parameters: [String: String], code: String, attempts: Int) async throws {
            try await withPage { page in
                var all = parameters
                all["delay"] = "0.01"
                let query = all.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.encoded($0.value))" }
                let reply = try await page.reply(to: "/playground/run?" + query.joined(separator: "&"))
                let object = try reply.object
                let failure = object["failure"] as? [String: Any]
                #expect(failure?["code"] as? String ?? "ok" == code, "\(reply.text)")
                #expect((object["attempts"] as? [Any])?.count == attempts)
            }
        }

        @Test("follows no redirect to another server, nor to itself", arguments: ["elsewhere", "playground", "page"])
        func redirects(kind: String) async throws {
            try await withServer { other in
                try await withPage { page in
                    let location =
                        switch kind {
                        case "elsewhere": "\(other.url)/books"
                        case "playground": "/playground/run?target=/books"
                        default: "\(page.server.url)/"
                        }
                    let object = try await page.run(["target": "/redirect?to=\(Self.encoded(location))"])
                    let failure = try #require(object["failure"] as? [String: Any])
                    #expect(failure["code"] as? String == "transport.redirectRefused")
                    #expect(other.requestCount(of: "/books") == 0)
                    #expect(page.server.requestCount(of: "/playground/run") == 1)
                }
            }
        }

        @Test("sends the trace as it grows, and the result at the end")
        func events() async throws {
            try await withPage { page in
                let reply = try await page.reply(
                    to: "/playground/run", ["target": "/flaky/503?times=1&retryAfter=1"],
                    headers: [.accept: "text/event-stream"])
                let events = try reply.events
                #expect(reply.response.headers[.contentType] == "text/event-stream")
                #expect(events.last?.name == "result")
                #expect(events.last?.data["outcome"] as? String == "value")
                let traces = events.dropLast()
                #expect(traces.allSatisfy { $0.name == "trace" })
                // While it waits, the second attempt has not begun.
                let counts = traces.map { ($0.data["attempts"] as? [Any])?.count }
                #expect(counts.contains(1))
                #expect(traces.allSatisfy { $0.data["outcome"] is NSNull })
            }
        }

        @Test("shows a stream as it arrives, and then its failure in the middle")
        func stream() async throws {
            try await withPage { page in
                let reply = try await page.reply(
                    to: "/playground/run",
                    ["target": "/stream/lines?count=9&ms=20&cut=10", "content": "stream", "handle": "transport.*"],
                    headers: [.accept: "text/event-stream"])
                let events = try reply.events
                let parts = events.filter { $0.name == "part" }.compactMap { $0.data["text"] as? String }
                #expect(parts.first == "line 1\n")
                #expect(parts.joined() == "line 1\nlin")
                let result = try #require(events.last)
                #expect(result.name == "result")
                #expect(result.data["body"] as? String == "line 1\nlin")
                #expect((result.data["failure"] as? [String: Any])?["code"] as? String == "transport.truncated")
                #expect(result.data["handledBy"] as? String == "transport.*")
            }
        }

        @Test("goes on with events after their connection was cut, each time that the button is pressed")
        func streamOfEvents() async throws {
            try await withPage { page in
                for _ in 1...2 {
                    let object = try await page.run([
                        "target": "/stream/events?count=4&retry=10&cut=40&times=1", "content": "events",
                    ])
                    #expect(object["outcome"] as? String == "value")
                    #expect(object["body"] as? String == (1...4).map { "{\"number\":\($0)}\n" }.joined())
                }
            }
        }

        @Test("keeps no more of a stream than a page shows")
        func longStream() async throws {
            try await withPage { page in
                let object = try await page.run(["target": "/stream/lines?count=100000", "content": "stream"])
                #expect(object["outcome"] as? String == "value")
                #expect((object["body"] as? String)?.count == StreamedText.bound)
            }
        }

        @Test("cancels a call whose page has gone")
        func gone() async throws {
            try await withPage { page in
                let task = Task {
                    try await page.reply(
                        to: "/playground/run", ["target": "/hang", "timeout": "30"],
                        headers: [.accept: "text/event-stream"])
                }
                #expect(await page.server.waitForRequest(to: "/hang"))
                task.cancel()
                #expect(await page.server.waitForDisconnection(of: "/hang"))
                _ = await task.result
            }
        }

        @Test("ends a call that takes too long")
        func tooLong() async throws {
            try await withPage(Playground(longest: .milliseconds(200))) { page in
                let object = try await page.run(["target": "/hang", "timeout": "30"])
                #expect(object["outcome"] as? String == "cancelled")
            }
        }

        @Test("makes so many calls at once and no more, and frees the places")
        func slots() async throws {
            try await withPage { page in
                let tasks = (1...Playground.callLimit).map { _ in
                    Task { try await page.reply(to: "/playground/run", ["target": "/hang", "timeout": "30"]) }
                }
                #expect(await page.server.waitForRequest(to: "/hang", count: Playground.callLimit))
                let reply = try await page.reply(to: "/playground/run", ["target": "/books"])
                #expect(reply.status == 429)
                #expect(reply.text.contains("8 calls are running already"))
                tasks.forEach { $0.cancel() }
                let left = Playground.callLimit
                #expect(await page.server.waitForDisconnection(of: "/playground/run", count: left))
                #expect(try await page.run(["target": "/books"])["outcome"] as? String == "value")
                for task in tasks { _ = await task.result }
            }
        }

        @Test(
            "refuses what is out of bounds",
            arguments: [
                "", "target=//example.com", "target=/books&target=/echo", "target=/books&attempts=0",
                "target=/books&attempts=11", "target=/books&attempts=1.5", "target=/books&attempts=",
                "target=/books&delay=-1", "target=/books&delay=11", "target=/books&delay=nan",
                "target=/books&timeout=0", "target=/books&timeout=31", "target=/books&timeout=inf",
                "target=/books&deadline=0", "target=/books&deadline=121", "target=/books&method=CONNECT",
                "target=/books&method=get", "target=/books&key=yes", "target=/books&content=pets",
                "target=/books&errors=none", "target=/books&operation=drop",
                "target=/books&by=pigeon", "target=/books&interceptors=2",
                "target=/books&chain=retry,retry", "target=/books&chain=cache", "target=/books&chain=custom(a)",
                "target=/books&handle=", "target=/books&handle=a%20b",
                "target=/books&handle=" + String(repeating: "a", count: 65),
                "target=/books" + String(repeating: "&handle=a", count: 11), "target=/books&bogus=1", "target=%ff",
                "target=/books" + String(repeating: "&a=1", count: 50),
            ])
        func bounds(query: String) async throws {
            try await withPage { page in
                let reply = try await page.reply(to: "/playground/run?\(query)")
                #expect(reply.status == 400)
                #expect(try reply.object["error"] as? Bool == true)
                #expect(page.server.requestCount(of: "/books") == 0)
            }
        }

        @Test("says what is wrong with an order")
        func order() async throws {
            try await withPage { page in
                let reply = try await page.reply(
                    to: "/playground/order", ["chain": "logging,statusValidation,retry,decoding"])
                let object = try reply.object
                let issues = try #require(object["issues"] as? [[String: Any]])
                #expect(object["roles"] as? [String] == ["logging", "statusValidation", "retry", "decoding"])
                let texts = issues.compactMap { $0["text"] as? String }
                #expect(texts.contains { $0.hasPrefix("Retry is inside StatusValidation") })
                let standard = try await page.reply(to: "/playground/order").object
                #expect((standard["issues"] as? [Any])?.isEmpty == true)
            }
        }

        @Test("has a button for each route of the server, and a target that is allowed for each button")
        func faults() async throws {
            try await withPage { page in
                let groups = try #require(
                    try await page.reply(to: "/playground/faults").object["groups"] as? [[String: Any]])
                #expect(
                    groups.map { $0["title"] as? String } == [
                        "Statuses", "Bodies", "Connection", "Time", "Streams", "Redirects", "GraphQL",
                    ])
                let faults = groups.flatMap { $0["faults"] as? [[String: Any]] ?? [] }
                let targets = faults.compactMap { $0["target"] as? String }
                #expect(targets.count == faults.count)
                for target in targets {
                    #expect(throws: Never.self) { try PlaygroundTarget(target) }
                }
                let first = { (path: String) in path.dropFirst().prefix { !"/?".contains($0) } }
                let routes = Set(page.server.routes.filter { $0.path != "/" }.map { first($0.path) })
                #expect(routes.subtracting(targets.map(first)) == [])
            }
        }

        private static func encoded(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
    }
#endif
