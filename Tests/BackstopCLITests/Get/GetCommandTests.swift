#if Demo
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("backstop get", .sockets)
    struct GetCommandTests {
        static let books =
            #"{"data":[{"id":1,"title":"Dune","price":9.5},{"id":2,"title":"Emma","price":7.25}]}"#

        @Test("prints the body of a good answer, byte for byte, and exits with 0")
        func value() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run("get", "\(server.url)/books")
            await server.stop()
            #expect(command.status == 0)
            #expect(command.output == Self.books)
            #expect(command.errors.isEmpty)
        }

        @Test("prints one JSON object with exactly the documented members")
        func json() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run("get", "\(server.url)/status/503", "--json", "--base-delay", "0.01")
            await server.stop()
            let object = try command.object
            #expect(command.status == 1)
            #expect(
                Set(object.keys) == [
                    "outcome", "handledBy", "status", "bytes", "attempts", "failure", "headers", "body",
                    "bodyEncoding",
                ])
            #expect(object["outcome"] as? String == "handled")
            #expect(object["handledBy"] as? String == "default")
            #expect(object["status"] as? Int == 503)
            let attempts = try #require(object["attempts"] as? [[String: Any]])
            #expect(attempts.count == 3)
            for attempt in attempts {
                #expect(Set(attempt.keys) == ["number", "waitMs", "durationMs", "result"])
                #expect(attempt["result"] as? String == "status.503")
            }
            let failure = try #require(object["failure"] as? [String: Any])
            #expect(Set(failure.keys) == ["code", "reason", "message", "explanation", "stopped"])
            #expect(failure["code"] as? String == "status.503")
            #expect(failure["reason"] as? String == "status")
            #expect(failure["message"] as? String == "The service is not available at the moment.")
            #expect(failure["explanation"] as? String == "The server answered 503 Service Unavailable.")
        }

        @Test("says null where a good answer has nothing to say")
        func jsonOfValue() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run("get", "\(server.url)/books", "--json")
            await server.stop()
            let object = try command.object
            #expect(command.status == 0)
            #expect(object["outcome"] as? String == "value")
            #expect(object["handledBy"] is NSNull)
            #expect(object["failure"] is NSNull)
            #expect(object["status"] as? Int == 200)
            #expect(try #require(object["bytes"] as? Int) > 50)
            #expect(object["body"] as? String == Self.books)
            #expect(object["bodyEncoding"] as? String == "utf-8")
            let headers = try #require(object["headers"] as? [String: [String]])
            #expect(headers["content-type"] == ["application/json"])
            #expect(((object["attempts"] as? [[String: Any]])?.first?["result"] as? String) == "ok")
        }

        @Test("lets --handle deal with a failure code", arguments: ["status.404", "status.*"])
        func handle(code: String) async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run(
                "get", "\(server.url)/html-404", "--json", "--handle", "decoding", "--handle", code)
            await server.stop()
            #expect(command.status == 1)
            #expect(try command.object["handledBy"] as? String == code)
        }

        @Test(
            "refuses a code for --handle that no failure has",
            arguments: [
                ("404", "write status.404."), ("nonsense", "\"nonsense\" is no failure code"),
                ("Status.404", "they begin with cancelled, decoding,"), ("", "\"\" is no failure code"),
                ("status.40*", "No failure has the code \"status.40*\""),
                ("status.4xx", "or all of a kind, as status.*."), ("transport.d*", "No failure has"),
                ("transport.timeout", "No failure has"), ("timeout.attempts", "No failure has"),
                ("request.invalidUrl", "No failure has"), ("storage.fill", "No failure has"),
                ("decoding.missingKey", "No failure has"),
                ("*", "no failure code"),
            ])
        func unknownCode(code: String, problem: String) async throws {
            let command = try await Command.run("get", "http://127.0.0.1:1/", "--handle", code)
            #expect(command.status == 2)
            #expect(command.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(problem))
        }

        @Test("takes a code for --handle that only a service or an app has, and a whole kind")
        func openCode() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run(
                "get", "\(server.url)/books", "--handle", "service.outOfStock", "--handle", "rejected.own.code",
                "--handle", "transport", "--handle", "storage.*")
            await server.stop()
            #expect(command.status == 0)
        }

        @Test("sends method, headers and body as asked")
        func request() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run(
                "get", "\(server.url)/echo?a=1", "-XPUT", "-H", "X-One: 1", "-H", "X-Two:2",
                "-HX-Three: a=3", "-d", "{\"b\":2}")
            await server.stop()
            let echo = try command.object
            let headers = try #require(echo["headers"] as? [String: [String]])
            #expect(echo["method"] as? String == "PUT")
            #expect(echo["query"] as? String == "a=1")
            #expect(echo["body"] as? String == "{\"b\":2}")
            #expect(headers["x-one"] == ["1"])
            #expect(headers["x-two"] == ["2"])
            #expect(headers["x-three"] == ["a=3"])
            #expect(headers["content-type"] == ["application/json"])
        }

        @Test("sends user and password with Basic authentication, and shows them nowhere")
        func basicAuthentication() async throws {
            let server = try await FaultServer.start()
            let echo = try await Command.run("get", "\(server.url)/echo", "-u", "-ann:hunter2:x")
            let joined = try await Command.run("get", "\(server.url)/echo", "-uann:")
            let own = try await Command.run(
                "get", "\(server.url)/echo", "--user", "ann:hunter2", "-H", "Authorization: Bearer t")
            let failed = try await Command.run(
                "get", "\(server.url)/problem?status=404", "-u", "ann:hunter2", "--trace")
            await server.stop()
            #expect(
                (try echo.object["headers"] as? [String: [String]])?["authorization"] == ["Basic LWFubjpodW50ZXIyOng="])
            #expect((try joined.object["headers"] as? [String: [String]])?["authorization"] == ["Basic YW5uOg=="])
            #expect((try own.object["headers"] as? [String: [String]])?["authorization"] == ["Bearer t"])
            #expect(failed.status == 1)
            #expect(!failed.errors.contains("hunter2") && !failed.errors.contains("YW5uOmh1bnRlcjI"))
        }

        @Test("escapes what a terminal would obey, or would not show, in JSON; what joins letters stays")
        func escapes() async throws {
            let text = "a\u{202E}b\u{9B}c\u{E0041}d\u{2028}e\u{200D}f"
            let mount = FaultServer.Mount("/text") { _ in
                FaultServer.Mount.Response(headers: [], body: .data(Data(text.utf8)))
            }
            let server = try await FaultServer.start(mounting: [mount])
            let command = try await Command.run("get", "\(server.url)/text", "--json")
            await server.stop()
            #expect(try command.object["body"] as? String == text)
            #expect(command.output.contains(#"a\u202eb\u009bc\udb40\udc41d\u2028e"# + "\u{200D}f"))
        }

        @Test("prints a body that is not text in base64, and none that goes to a file")
        func bodiesInJSON() async throws {
            let bytes = FaultServer.Mount("/bytes") { _ in
                FaultServer.Mount.Response(headers: [], body: .data(Data([0xFF, 0xFE])))
            }
            let server = try await FaultServer.start(mounting: [bytes])
            let binary = try await Command.run("get", "\(server.url)/bytes", "--json")
            let written = try await withFolder { folder in
                try await Command.run(
                    "get", "\(server.url)/books", "--json", "-o", folder.appendingPathComponent("body").path)
            }
            await server.stop()
            #expect(try binary.object["body"] as? String == "//4=")
            #expect(try binary.object["bodyEncoding"] as? String == "base64")
            #expect(try written.object["body"] is NSNull)
        }

        @Test(
            "names the option that is meant, wherever its value stands",
            arguments: [
                ["get", "http://a.example/", "--atempts", "3"], ["get", "--atempts", "3", "http://a.example/"],
            ])
        func misspelled(arguments: [String]) async throws {
            let command = try await Command.run(arguments)
            #expect(command.status == 2)
            #expect(command.errors.contains("Unknown option '--atempts'. Did you mean '--attempts'?"))
        }

        @Test("does not retry a POST")
        func post() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run("get", "\(server.url)/orders", "-d", "a=1", "--json")
            let count = server.requestCount(of: "/orders")
            await server.stop()
            #expect(command.status == 1)
            #expect(count == 1)
            let failure = try #require(try command.object["failure"] as? [String: Any])
            #expect((failure["stopped"] as? String)?.contains("not idempotent") == true)
        }

        @Test("ends an attempt at --timeout and the call at --deadline")
        func limits() async throws {
            let server = try await FaultServer.start()
            let slow = try await Command.run(
                "get", "\(server.url)/hang", "--timeout", "0.1", "--attempts", "2", "--base-delay", "0.01", "--json")
            let late = try await Command.run("get", "\(server.url)/hang", "--deadline", "0.2", "--json")
            let fine = try await Command.run("get", "\(server.url)/books", "--deadline", "5")
            await server.stop()
            #expect((try slow.object["failure"] as? [String: Any])?["code"] as? String == "timeout.attempt")
            // As with the standard chain: nothing was answered since.
            #expect((try slow.object["attempts"] as? [Any])?.count == 1)
            #expect(fine.status == 0 && fine.errors.isEmpty)
            #expect((try late.object["failure"] as? [String: Any])?["code"] as? String == "timeout.deadline")
        }

        @Test("shows the whole report of a failure, and the waterfall with --trace, on standard error")
        func report() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run(
                "get", "\(server.url)/problem?status=404", "--trace", "-H", "Authorization: Bearer hunter2")
            await server.stop()
            #expect(command.status == 1)
            #expect(command.output.isEmpty)
            for part in [
                "service.problem", "GET \(server.url)/problem?status=404", "404 Not Found", "attempt 1", "by default",
            ] {
                #expect(command.errors.contains(part), "\(part) is missing")
            }
            #expect(!command.errors.contains("hunter2"))
            #expect(!command.errors.contains("\u{1B}"))
        }

        @Test("prints what came of a call that a signal ends, and then ends by it", arguments: [SIGINT, SIGTERM])
        func interrupted(signal: Int32) async throws {
            let server = try await FaultServer.start()
            try await withFolder { folder in
                let file = folder.appendingPathComponent("output")
                try Data().write(to: file)
                let process = try CommandProcess(
                    ["get", "\(server.url)/hang", "--timeout", "80000", "--json"],
                    output: FileHandle(forWritingTo: file))
                #expect(await server.waitForRequest(to: "/hang"))
                process.send(signal)
                #expect(try await process.status() == signal)
                #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix(#"{"outcome":"cancelled","#))
            }
            await server.stop()
        }

        @Test("exits with 2 for a request that cannot be made")
        func unmade() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run("get", "\(server.url)/echo", "-X", "GET", "-d", "x")
            let count = server.requestCount(of: "/echo")
            await server.stop()
            #expect(command.status == 2)
            #expect(command.errors.hasPrefix("request.invalid: "))
            #expect(count == 0)
        }

        @Test(
            "does not show what may be a secret when it says what is wrong",
            arguments: [
                (["-H", "A: b", "-H", "Authorization Bearer hunter2"], "number 2 has no colon"),
                (["-H", "Authorization Basic hunter2:"], "number 1 has a space before its colon"),
                (["-H", "Authorization:", "Bearer", "hunter2"], "a value without quotes"),
                (["-HAuthorization Bearer hunter2="], "number 1 has no colon"),
                (["-u", "hunter2"], "-u user:password"),
                (["-u", "ann:", "hunter2"], "a value without quotes"),
            ])
        func secret(arguments: [String], problem: String) async throws {
            let command = try await Command.run(["get", "http://a.example/"] + arguments)
            #expect(command.status == 2)
            // The command wraps its messages to the width of the terminal.
            #expect(command.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(problem))
            #expect(!command.errors.contains("hunter2"))
        }

        @Test(
            "exits with 2 for wrong usage and says what is wrong",
            arguments: [
                (["get"], "url"),
                (["get", "no-url"], "http"),
                (["get", "ftp://a.example/"], "http"),
                (["get", "http://a.example/", "-X", "B AD"], "method"),
                (["get", "http://a.example/", "-H", "no colon"], "colon"),
                (["get", "http://a.example/", "-H", "A: b\r\nC: d"], "control character"),
                (["get", "http://a.example/", "--json", "-o", "-"], "--json"),
                (["get", "http://a.example/", "--json", "-i", "-o", "-"], "--json"),
                (["get", "http://a.example/", "-d", "@"], "name of the file is missing"),
                (["get", "http://a.example/", "--attempts", "0"], "from 1 to 100"),
                (["get", "http://a.example/", "--base-delay", "-1"], "--base-delay takes seconds"),
                (["get", "http://a.example/", "--timeout", "-1"], "--timeout takes seconds"),
                (["get", "http://a.example/", "--timeout", "0"], "--timeout"),
                (["get", "http://a.example/", "--deadline", "nan"], "--deadline"),
                (["get", "http://a.example/", "--bogus"], "bogus"),
                (["bogus"], "bogus"),
            ])
        func usage(arguments: [String], problem: String) async throws {
            let command = try await Command.run(arguments)
            #expect(command.status == 2)
            #expect(command.output.isEmpty)
            #expect(command.errors.contains(problem))
        }
    }
#endif
