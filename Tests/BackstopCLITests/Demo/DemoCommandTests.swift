#if Demo
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopCLI

    @Suite("backstop demo", .sockets)
    struct DemoCommandTests {
        typealias Row = (name: String, outcome: String, by: String?, code: String?, attempts: [String])

        /// What every scenario must show: outcome, who handled, failure code, results of the attempts.
        static let expected: [Row] = [
            ("signup/missing", "handled", "sign-up form", "service.signUp", ["service.signUp"]),
            ("signup/empty", "handled", "sign-up form", "service.signUp", ["service.signUp"]),
            ("signup/short", "handled", "sign-up form", "service.signUp", ["service.signUp"]),
            ("signup/admin", "handled", "sign-up form", "service.signUp", ["service.signUp"]),
            ("signup/superuser", "handled", "sign-up form", "service.signUp", ["service.signUp"]),
            (
                "signup/servererror", "handled", "default", "service.signUp",
                Array(repeating: "service.signUp", count: 3)
            ),
            ("signup/maintenance", "value", nil, nil, ["service.signUp", "service.signUp", "ok"]),
            (
                "signup/maintenance!", "handled", "default", "service.signUp",
                Array(repeating: "service.signUp", count: 3)
            ),
            ("signup/illegalresponse", "handled", "default", "decoding", ["decoding"]),
            ("signup/taken", "value", nil, nil, ["ok"]),
            ("signup/free", "value", nil, nil, ["ok"]),
            ("503-twice", "value", nil, nil, ["status.503", "status.503", "ok"]),
            ("429-date", "value", nil, nil, ["status.429", "ok"]),
            ("503-too-long", "handled", "default", "status.503", ["status.503"]),
            ("api-error-401", "handled", "default", "service.signUp", ["service.signUp"]),
            ("api-error-200", "handled", "default", "service.signUp", ["service.signUp"]),
            ("problem", "handled", "default", "service.problem", ["service.problem"]),
            ("404-html", "value", nil, nil, ["status.404"]),
            ("sign-in", "handled", "default", "decoding", ["decoding"]),
            ("wrong-type", "handled", "default", "decoding", ["decoding"]),
            ("missing-key", "handled", "default", "decoding", ["decoding"]),
            ("empty", "handled", "default", "decoding", ["decoding"]),
            ("broken-json", "handled", "default", "decoding", ["decoding"]),
            ("deep", "handled", "default", "decoding", ["decoding"]),
            ("cut", "handled", "default", "transport.truncated", Array(repeating: "transport.truncated", count: 2)),
            ("too-large", "handled", "default", "transport.tooLarge", ["transport.tooLarge"]),
            ("reset", "handled", "default", "transport.lost", Array(repeating: "transport.lost", count: 2)),
            ("closed-port", "handled", "default", "transport.refused", Array(repeating: "transport.refused", count: 2)),
            ("unknown-host", "handled", "default", "transport.dns", Array(repeating: "transport.dns", count: 2)),
            ("not-http", "handled", "default", "transport.badResponse", ["transport.badResponse"]),
            ("hang", "handled", "default", "timeout.attempt", Array(repeating: "timeout.attempt", count: 2)),
            ("deadline", "handled", "default", "timeout.deadline", ["timeout.attempt", "timeout.deadline"]),
            ("streams-lines", "value", nil, nil, ["ok"]),
            ("streams-cut", "handled", "default", "transport.truncated", ["transport.truncated"]),
            ("streams-reset", "handled", "default", "transport.lost", ["transport.lost"]),
            ("streams-silence", "handled", "default", "timeout.attempt", ["timeout.attempt"]),
            ("streams-row", "handled", "default", "decoding", ["decoding"]),
            ("streams-events", "value", nil, nil, ["ok"]),
            ("streams-refused", "handled", "default", "service.signUp", ["service.signUp"]),
            ("streams-download", "value", nil, nil, ["ok"]),
            ("live-multipart", "value", nil, nil, ["ok"]),
            ("live-events", "value", nil, nil, ["ok"]),
            ("live-cut", "value", nil, nil, ["ok"]),
            ("live-stream", "value", nil, nil, ["ok"]),
            ("live-stream-cut", "value", nil, nil, ["ok"]),
            ("live-unfinished", "handled", "default", "transport.truncated", ["transport.truncated"]),
            ("live-refused", "handled", "default", "service.graphQL.errors", ["service.graphQL.errors"]),
            ("live-fatal", "handled", "default", "service.graphQL.errors", ["service.graphQL.errors"]),
            ("live-2022", "value", nil, nil, ["ok"]),
            ("live-2023", "value", nil, nil, ["ok"]),
            ("live-first", "value", nil, nil, ["ok"]),
            ("live-failed", "value", nil, nil, ["ok"]),
            ("live-cut-part", "handled", "default", "transport.truncated", ["transport.truncated"]),
            ("redirect", "value", nil, nil, ["ok"]),
            ("redirect-loop", "handled", "default", "transport.redirects", ["transport.redirects"]),
            ("post", "handled", "default", "service.signUp", ["service.signUp"]),
            ("idempotency-key", "value", nil, nil, ["service.signUp", "ok"]),
            ("cancelled", "cancelled", nil, "cancelled", ["cancelled"]),
            ("handler-retry", "value", nil, nil, ["ok"]),
            ("scope", "handled", "checkout: reload basket", "status.409", ["status.409"]),
            ("thrown", "unhandled", nil, "status.410", ["status.410"]),
            (
                "patterns/1-service-errors", "unhandled", nil, "service.graphQL.partialData",
                ["service.graphQL.partialData"]
            ),
            ("patterns/2-network-or-service", "unhandled", nil, "status.503", ["status.503"]),
            ("patterns/3-strategies", "value", nil, nil, ["ok"]),
            ("patterns/4-endpoint", "value", nil, nil, ["ok"]),
            ("patterns/5-default-handler", "handled", "default", "status.410", ["status.410"]),
            // The bucket holds two retries, so the third call is sent once.
            ("resilience/budget", "unhandled", nil, "status.500", ["status.500"]),
            // What is refused before anything is sent is an attempt too, whoever refused it.
            ("resilience/breaker", "unhandled", nil, "rejected.breakerOpen", ["rejected.breakerOpen"]),
            ("resilience/hedging", "value", nil, nil, ["cancelled", "ok"]),
            ("resilience/fallback", "value", nil, nil, ["status.503", "ok"]),
            ("resilience/bulkhead", "unhandled", nil, "rejected.limit", ["rejected.limit"]),
            ("resilience/rate-limiter", "unhandled", nil, "rejected.rateLimit", ["rejected.rateLimit"]),
            ("resilience/offline", "unhandled", nil, "transport.offline", ["transport.offline"]),
            ("resilience/operation", "value", nil, nil, ["other", "other", "ok"]),
        ]

        /// The same for the scenarios over WebSockets, where there are any.
        static let expectedSockets: [Row] =
            ResultCarrier.hasSockets
            ? [
                ("live-socket", "value", nil, nil, ["ok"]),
                ("live-socket-cut", "value", nil, nil, ["ok"]),
                ("live-socket-forbidden", "handled", "default", "status.403", ["status.403"]),
                ("live-socket-unfinished", "handled", "default", "transport.lost", ["transport.lost"]),
            ] : []

        /// What every GraphQL scenario must show: what reached the server, how the call ended, the number of errors in
        /// the response, and what became of its hash.
        static let expectedGraphQL: [(name: String, arrived: [String], code: String?, errors: Int, apq: String)] = [
            ("query", ["POST text"], nil, 0, "off"),
            ("mutation", ["POST text"], nil, 0, "off"),
            ("partial", ["POST text"], nil, 1, "off"),
            ("partial-failure", ["POST text"], "service.graphQL.partialData", 1, "off"),
            ("294", ["POST text"], nil, 1, "off"),
            ("request-error", ["POST text"], "service.graphQL.errors", 1, "off"),
            ("error-status", ["POST text"], nil, 1, "off"),
            ("intermediary", ["POST text"], "status.401", 1, "off"),
            ("malformed-error", ["POST text"], nil, 9, "off"),
            ("missing-data", ["POST text"], "service.graphQL.missingData", 0, "off"),
            ("not-object", ["POST text"], "decoding", 0, "off"),
            ("html", ["POST text"], "decoding", 0, "off"),
            ("wrong-type", ["POST text"], "decoding", 0, "off"),
            ("apq-registered", ["POST hash", "POST hash and text"], nil, 0, "registered"),
            ("apq-hit", ["POST hash", "POST hash and text", "POST hash"], nil, 0, "hit"),
            ("apq-get", ["POST hash", "POST hash and text", "GET hash"], nil, 0, "hit"),
            ("apq-miss-code", ["POST hash", "POST hash and text"], nil, 0, "registered"),
            (
                "apq-second-miss", ["POST hash", "POST hash and text"], "service.graphQL.persistedQueryNotFound", 0,
                "undecided"
            ),
            ("apq-unsupported", ["POST hash", "POST text"], nil, 0, "unsupported"),
            ("apq-unknown-400", ["POST hash", "POST text"], nil, 0, "unsupported"),
            ("apq-unknown-500", ["POST hash", "POST text"], nil, 0, "unsupported"),
            ("apq-safelist", ["POST hash"], "service.graphQL.unknownDocument", 0, "undecided"),
            ("cache-only", [], "rejected.cacheMiss", 0, "off"),
            ("cache-fallback", ["POST text"], nil, 0, "off"),
            ("cache-miss", ["POST text"], "status.503", 0, "off"),
        ]

        /// How many scenarios each group has, in the order of the demo.
        static let groups = [
            ("Retry", 5), ("Content that cannot be read", 6), ("Connections and time limits", 10),
            ("Streams", 8), ("Errors of the service", 3), ("Handlers", 5), ("Resilience", 8),
            ("GraphQL: responses", 13),
            ("GraphQL: persisted queries", 9), ("GraphQL: cache", 3), ("GraphQL: live", 13 + expectedSockets.count),
            ("Patterns", 5),
            ("The sign-up service", 11),
        ]

        @Test("plays every scenario over real sockets, one JSON object a line, and no other")
        func json() async throws {
            let command = try await Command.run("demo", "--json")
            #expect(command.status == 0)
            #expect(command.errors.isEmpty)
            let objects = try command.objects
            let rows = Self.expected + Self.expectedSockets
            let names = Set(objects.compactMap { $0["name"] as? String })
            #expect(names == Set(rows.map(\.name) + Self.expectedGraphQL.map { "graphql/\($0.name)" }))
            #expect(objects.count == names.count)
            var counted: [(String, Int)] = []
            for object in objects {
                let group = try #require(object["group"] as? String)
                if counted.last?.0 == group {
                    counted[counted.count - 1].1 += 1
                } else {
                    counted.append((group, 1))
                }
                #expect(object["asExpected"] as? Bool == true, "\(object["name"] ?? "")")
            }
            #expect(counted.map { "\($0.0): \($0.1)" } == Self.groups.map { "\($0.0): \($0.1)" })
            for row in Self.expectedGraphQL {
                let object = try #require(objects.first { $0["name"] as? String == "graphql/\(row.name)" })
                #expect(object["arrived"] as? [String] == row.arrived, "\(row.name)")
                #expect((object["failure"] as? [String: Any])?["code"] as? String == row.code, "\(row.name)")
                #expect((object["errors"] as? [Any])?.count == row.errors, "\(row.name)")
                #expect(object["apq"] as? String == row.apq, "\(row.name)")
            }
            for row in rows {
                let object = try #require(
                    objects.first { $0["name"] as? String == row.name }, "\(row.name) is missing")
                #expect(object["outcome"] as? String == row.outcome, "\(row.name)")
                #expect(object["handledBy"] as? String == row.by, "\(row.name)")
                #expect((object["failure"] as? [String: Any])?["code"] as? String == row.code, "\(row.name)")
                let attempts = try #require(object["attempts"] as? [[String: Any]])
                #expect(attempts.map { $0["result"] as? String } == row.attempts, "\(row.name)")
            }
        }

        @Test("waits at least as long as Retry-After asks")
        func retryAfter() async throws {
            let command = try await Command.run("demo", "--json", "--only", "signup/maintenance!")
            let attempts = try #require(try command.object["attempts"] as? [[String: Any]])
            for attempt in attempts.dropFirst() {
                #expect(try #require(attempt["waitMs"] as? Double) >= 1000)
            }
        }

        @Test(
            "draws the request, its attempts and waits, the response and the outcome, without colour in a pipe"
        )
        func text() async throws {
            let command = try await Command.run("demo", "--only", "503-twice")
            #expect(command.status == 0)
            for part in [
                "Retry: 1 scenario\n", "request  GET http://127.0.0.1:", "attempt 1", "wait", "backoff", "attempt 3",
                "response 200 OK", "outcome  a value",
            ] {
                #expect(command.output.contains(part), "\(part) is missing")
            }
            #expect(command.output.hasSuffix("\n1 scenario, as expected.\n"))
            #expect(!command.output.contains("\u{1B}"))
        }

        @Test("shows each group with its scenarios, and counts them at the end")
        func grouped() async throws {
            let command = try await Command.run("demo", "--only", "graphql/cache")
            #expect(command.status == 0)
            #expect(command.output.hasPrefix("GraphQL: cache: 3 scenarios\n\ngraphql/cache-only: "))
            #expect(command.output.contains("\n  arrived  nothing\n"))
            #expect(command.output.contains("\n  arrived  POST text\n"))
            #expect(command.output.hasSuffix("\n3 scenarios, all as expected.\n"))
        }

        @Test("lists the names of all scenarios, first a retry that helps")
        func list() async throws {
            let command = try await Command.run("demo", "--list")
            let names = command.output.split(separator: "\n")
            #expect(command.status == 0)
            #expect(names.first == "503-twice")
            #expect(names.count == Self.groups.reduce(0) { $0 + $1.1 })
        }

        #if os(Linux)
            /// A proxy that refuses connections: the system's session honours it on Linux, so nothing reaches the server.
            private static let noNetwork = ["http_proxy": "http://127.0.0.1:1"]

            @Test("exits with 1 and says what was expected when a scenario goes otherwise")
            func wrong() async throws {
                let command = try await Command.run("demo", "--only", "graphql/query", environment: Self.noNetwork)
                #expect(command.status == 1)
                #expect(command.output.contains("\n  arrived  nothing\n"))
                #expect(command.output.contains("\n  expected ok; arrived: POST text\n"))
                #expect(command.output.hasSuffix("\n1 scenario; not as expected: graphql/query.\n"))
            }

            @Test("names on standard error, beside the objects of --json, what did not go as expected")
            func wrongJSON() async throws {
                let command = try await Command.run(
                    "demo", "--json", "--only", "graphql/query", environment: Self.noNetwork)
                #expect(command.status == 1)
                #expect(try command.object["asExpected"] as? Bool == false)
                #expect(command.errors == "1 scenario; not as expected: graphql/query.\n")
            }
        #endif

        @Test("exits with 2 for a scenario that does not exist, and lists those that do")
        func unknown() async throws {
            let command = try await Command.run("demo", "--only", "bogus")
            #expect(command.status == 2)
            #expect(command.errors.contains("503-twice"))
        }
    }
#endif
