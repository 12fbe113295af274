#if Demo
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopCLI

    @Suite("backstop graphql", .sockets)
    struct GraphQLCommandTests {
        private static let hero = "query Hero($episode: Episode) { hero(episode: $episode) { name } }"
        /// The output of `sha256sum` for it.
        private static let hash = "0c03205ccf204fcda43c3144c68bb975cf588b7bb8fcf09e472ed31fbd91d553"
        /// The backstory of every character is null, with an error.
        private static let secret = "query Secret { hero { name secretBackstory } }"

        /// Runs the command against `/graphql` of a server of its own; gives what it did and what arrived.
        private static func run(
            _ arguments: [String], switches: String = "", input: String = ""
        ) async throws -> (command: Command, requests: [RecordedRequest]) {
            let server = try await FaultServer.start()
            let command = try await Command.run(
                ["graphql", "\(server.url)/graphql\(switches)", "--base-delay", "0.01"] + arguments,
                input: Data(input.utf8))
            let requests = await server.requests(to: "/graphql")
            await server.stop()
            return (command, requests)
        }

        private static func body(_ request: RecordedRequest?) throws -> [String: Any] {
            let data = try #require(request).body
            let object = try JSONSerialization.jsonObject(with: data)
            return try #require(object as? [String: Any])
        }

        /// A query parameter of a request by GET.
        private static func parameter(_ name: String, of request: RecordedRequest?) throws -> String? {
            URLComponents(string: try #require(request).target)?.queryItems?.first { $0.name == name }?.value
        }

        private static func value(_ keys: String..., in object: [String: Any]) -> Any? {
            keys.reduce(object as Any?) { ($0 as? [String: Any])?[$1] }
        }

        // MARK: The document and its variables

        @Test("sends document, operation and variables by POST, and prints the response")
        func query() async throws {
            let (command, requests) = try await Self.run(
                ["--query", Self.hero, "--variables", #"{"episode":"EMPIRE"}"#, "-H", "X-One: 1"])
            #expect(command.status == 0)
            #expect(command.errors.isEmpty)
            #expect(Self.value("data", "hero", "name", in: try command.object) as? String == "Luke Skywalker")
            #expect(requests.map(\.method) == ["POST"])
            #expect(requests.first?.values(of: "X-One") == ["1"])
            let body = try Self.body(requests.first)
            #expect(body["query"] as? String == Self.hero)
            #expect(body["operationName"] as? String == "Hero")
            #expect(body["variables"] as? [String: String] == ["episode": "EMPIRE"])
            #expect(body["extensions"] == nil)
        }

        @Test("prints one JSON object with exactly the documented members")
        func json() async throws {
            let (command, _) = try await Self.run(["--query", Self.secret, "--json"])
            let object = try command.object
            #expect(command.status == 0)
            #expect(
                Set(object.keys) == [
                    "outcome", "handledBy", "status", "bytes", "attempts", "failure", "data", "errors", "apq",
                ])
            #expect(object["outcome"] as? String == "value")
            #expect(object["apq"] as? String == "off")
            #expect(Self.value("data", "hero", "name", in: object) as? String == "R2-D2")
            #expect(Self.value("data", "hero", "secretBackstory", in: object) is NSNull)
            let errors = try #require(object["errors"] as? [[String: Any]])
            #expect(errors.map { $0["path"] as? [String] } == [["hero", "secretBackstory"]])
        }

        @Test("escapes control characters in JSON, which a terminal would obey")
        func controlCharacters() async throws {
            let (command, _) = try await Self.run([
                "--json", "--query", "mutation($r: ReviewInput!) { createReview(review: $r) { commentary } }",
                "--variables", #"{"r":{"stars":1,"commentary":"\u007f\u0085\u009b31m\u00a0\u001b"}}"#,
            ])
            #expect(command.status == 0)
            #expect(!command.output.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) })
            #expect(
                Self.value("data", "createReview", "commentary", in: try command.object) as? String
                    == "\u{7F}\u{85}\u{9B}31m\u{A0}\u{1B}")
        }

        @Test("takes the document from a file, or from standard input as -", arguments: [true, false])
        func file(isInput: Bool) async throws {
            try await withFolder { folder in
                let file = folder.appendingPathComponent("hero.graphql")
                try Data(Self.hero.utf8).write(to: file)
                let (command, requests) = try await Self.run(
                    ["--file", isInput ? "-" : file.path], input: isInput ? Self.hero : "")
                #expect(command.status == 0)
                #expect(try Self.body(requests.first)["query"] as? String == Self.hero)
            }
        }

        @Test("executes the operation that is named")
        func operation() async throws {
            let document = "query A { hero { id } } query B { hero { name } }"
            let (command, requests) = try await Self.run(["--query", document, "--operation", "B"])
            #expect(command.status == 0)
            #expect(Self.value("data", "hero", in: try command.object) as? [String: String] == ["name": "R2-D2"])
            #expect(try Self.body(requests.first)["operationName"] as? String == "B")
        }

        @Test("writes status line, headers and body to a file")
        func output() async throws {
            try await withFolder { folder in
                let file = folder.appendingPathComponent("hero.txt")
                let (command, _) = try await Self.run(["--query", "{ hero { name } }", "-i", "-o", file.path])
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(command.status == 0)
                #expect(command.outputData.isEmpty)
                #expect(text.hasPrefix("HTTP 200 OK\n"))
                #expect(text.hasSuffix("\n\n" + #"{"data":{"hero":{"name":"R2-D2"}}}"#))
            }
        }

        // MARK: Failures

        @Test("takes data beside errors for a failure with --fail-on-partial, and still shows both")
        func partial() async throws {
            let (command, _) = try await Self.run(["--query", Self.secret, "--fail-on-partial", "--json"])
            let object = try command.object
            #expect(command.status == 1)
            #expect(Self.value("failure", "code", in: object) as? String == "service.graphQL.partialData")
            #expect(Self.value("data", "hero", "name", in: object) as? String == "R2-D2")
            #expect((object["errors"] as? [Any])?.count == 1)
        }

        @Test("fails once, with the server's errors, for a document that does not fit the schema")
        func mistaken() async throws {
            let (command, requests) = try await Self.run(
                ["--query", "{ hero { nam } }", "--json", "--handle", "service.graphQL.errors"])
            let object = try command.object
            #expect(command.status == 1)
            #expect(object["handledBy"] as? String == "service.graphQL.errors")
            #expect(object["data"] is NSNull)
            #expect((object["errors"] as? [Any])?.count == 1)
            #expect(requests.count == 1)
        }

        // MARK: Persisted queries

        @Test("--apq sends the hash, and with a miss hash and text; the next call the hash alone")
        func persisted() async throws {
            let server = try await FaultServer.start()
            var states: [String?] = []
            for _ in 1...2 {
                let command = try await Command.run(
                    "graphql", "\(server.url)/graphql", "--query", Self.hero, "--apq", "--json")
                #expect(Self.value("data", "hero", "name", in: try command.object) as? String == "R2-D2")
                states.append(try command.object["apq"] as? String)
            }
            let bodies = try await server.requests(to: "/graphql").map(Self.body)
            await server.stop()
            #expect(states == ["registered", "hit"])
            #expect(bodies.map { $0["query"] as? String } == [nil, Self.hero, nil])
            let hashes = bodies.map { Self.value("extensions", "persistedQuery", "sha256Hash", in: $0) as? String }
            #expect(hashes == [Self.hash, Self.hash, Self.hash])
        }

        @Test("--apq sends the text to a server that does not persist queries")
        func unsupported() async throws {
            let (command, requests) = try await Self.run(
                ["--query", Self.hero, "--apq", "--json"], switches: "?apq=unsupported")
            #expect(command.status == 0)
            #expect(try command.object["apq"] as? String == "unsupported")
            let bodies = try requests.map(Self.body)
            #expect(bodies.map { $0["query"] as? String } == [nil, Self.hero])
            #expect(bodies.map { $0["extensions"] != nil } == [true, false])
        }

        @Test("--get sends the text in the URL, and no body")
        func get() async throws {
            let (command, requests) = try await Self.run(["--query", Self.hero, "--get"])
            #expect(command.status == 0)
            #expect(requests.map(\.method) == ["GET"])
            #expect(requests.first?.body.isEmpty == true)
            #expect(try Self.parameter("query", of: requests.first) == Self.hero)
            #expect(try Self.parameter("extensions", of: requests.first) == nil)
        }

        @Test("--get --apq sends the hash in the URL, and the text by POST")
        func getPersisted() async throws {
            let (command, requests) = try await Self.run(["--query", Self.hero, "--get", "--apq"])
            #expect(command.status == 0)
            #expect(requests.map(\.method) == ["GET", "POST"])
            #expect(try Self.parameter("query", of: requests.first) == nil)
            #expect(try Self.parameter("extensions", of: requests.first)?.contains(Self.hash) == true)
            #expect(try Self.body(requests.last)["query"] as? String == Self.hero)
        }

        @Test("--get leaves a mutation a POST")
        func mutation() async throws {
            let (command, requests) = try await Self.run([
                "--get", "--query", "mutation Review { createReview(episode: JEDI, review: {stars: 5}) { stars } }",
            ])
            #expect(command.status == 0)
            #expect(requests.map(\.method) == ["POST"])
        }

        // MARK: Wrong usage

        @Test(
            "exits with 2 for wrong usage, says what is wrong and sends nothing",
            arguments: [
                ([], "either --query or --file"),
                (["--query", "{ a }", "--file", "a.graphql"], "both --query and --file: leave one of them out"),
                (["--file", "/none/a.graphql"], "The file /none/a.graphql cannot be read: No such file or directory"),
                (["--query", "{ a"], "The document is wrong at 1:4"),
                (["--query", "query A { a } query B { b }"], "several operations: A, B. Name one of them"),
                (["--query", "query A { a }", "--operation", "C"], "only operation of the document is A: leave out"),
                (["--query", "{ a }", "--variables", "[1]"], "--variables takes a JSON object"),
                (["--query", "{ a }", "--variables", "{"], "--variables takes a JSON object"),
                (["--query", "subscription { a }"], "A subscription has results one after the other"),
                (["--query", "{ a }", "--attempts", "0"], "from 1 to 100"),
                (["--query", "{ a }", "--json", "-i"], "leave -i out, or add -o FILE"),
            ] as [([String], String)])
        func usage(arguments: [String], problem: String) async throws {
            let (command, requests) = try await Self.run(arguments)
            #expect(command.status == 2)
            #expect(command.output.isEmpty)
            // The command wraps its messages to the width of the terminal.
            #expect(command.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(problem))
            #expect(requests.isEmpty)
        }

        // MARK: Results one after the other

        @Test("shows each result of a subscription on a line, and says when it was subscribed again")
        func subscription() async throws {
            let (command, _) = try await Self.run(
                ["--subscribe", "--by", "events", "--query", "subscription { counter }"],
                switches: "/live?count=4&cut=100&times=1&id=command")
            #expect(command.status == 0)
            #expect(command.output.split(separator: "\n").first == #"{"data":{"counter":1},"errors":[]}"#)
            #expect(command.output.split(separator: "\n").last == #"{"data":{"counter":4},"errors":[]}"#)
            #expect(command.errors.contains("Subscribed again, after transport.truncated."))
        }

        @Test("shows those over a WebSocket, or says how to have one")
        func socket() async throws {
            let (command, _) = try await Self.run(
                ["--subscribe", "--by", "websocket", "--query", "subscription { counter }"],
                switches: "/live?count=4&cut=200&times=1&id=command")
            guard ResultCarrier.hasSockets else {
                #expect(command.status == 2)
                #expect(command.errors.contains("--traits Demo,AsyncHTTPClient"))
                return
            }
            #expect(command.status == 0)
            #expect(command.output.split(separator: "\n").first == #"{"data":{"counter":1},"errors":[]}"#)
            #expect(command.output.split(separator: "\n").last == #"{"data":{"counter":4},"errors":[]}"#)
            #expect(command.errors.contains("Subscribed again, after transport.lost."))
        }

        @Test("shows those of a shared stream of events")
        func stream() async throws {
            let (command, _) = try await Self.run(
                ["--subscribe", "--by", "shared-events", "--query", "subscription { counter }"],
                switches: "/stream?count=2")
            #expect(command.status == 0)
            #expect(command.output == (1...2).map { "{\"data\":{\"counter\":\($0)},\"errors\":[]}\n" }.joined())
        }

        @Test("shows all that has arrived of a query with deferred parts, each time that there is more")
        func deferred() async throws {
            let (command, _) = try await Self.run(
                ["--subscribe", "--query", "{ hero { name } }"], switches: "/live?format=2022&ms=50")
            #expect(command.status == 0)
            let lines = command.output.split(separator: "\n")
            #expect(lines.first == #"{"data":{"hero":{"friends":[],"name":"Rey"}},"errors":[],"hasNext":true}"#)
            #expect(lines.last?.contains("Found on Jakku.") == true)
            #expect(lines.last?.contains(#""hasNext":false"#) == true)
        }

        @Test("fails with what ends a subscription, and refuses what it cannot be shown with")
        func subscriptionFailures() async throws {
            let (command, _) = try await Self.run(
                ["--subscribe", "--attempts", "1", "--query", "subscription { counter }"],
                switches: "/live?count=2&fault=unfinished")
            #expect(command.status == 1)
            #expect(command.output.split(separator: "\n").count == 2)
            #expect(command.errors.contains("transport.truncated"))
            for option in ["--json", "-i"] {
                let (refused, requests) = try await Self.run(
                    ["--subscribe", option, "--query", "subscription { counter }"], switches: "/live")
                #expect(refused.status == 2)
                #expect(requests.isEmpty)
            }
            let (carried, requests) = try await Self.run(["--by", "events", "--query", "{ hero { name } }"])
            #expect(carried.status == 2 && carried.errors.contains("add that as well") && requests.isEmpty)
        }
    }
#endif
