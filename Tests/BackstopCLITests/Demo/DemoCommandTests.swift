#if Demo
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("backstop demo", .sockets)
    struct DemoCommandTests {
        /// What every scenario must show: outcome, who handled, failure code, results of the attempts.
        static let expected: [(name: String, outcome: String, by: String?, code: String?, attempts: [String])] = [
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
            ("deadline", "handled", "default", "timeout.deadline", ["timeout.deadline"]),
            ("redirect", "value", nil, nil, ["ok"]),
            ("redirect-loop", "handled", "default", "transport.redirects", ["transport.redirects"]),
            ("post", "handled", "default", "service.signUp", ["service.signUp"]),
            ("idempotency-key", "value", nil, nil, ["service.signUp", "ok"]),
            ("cancelled", "cancelled", nil, "cancelled", ["cancelled"]),
            ("handler-retry", "value", nil, nil, ["ok"]),
            ("scope", "handled", "checkout: reload basket", "status.409", ["status.409"]),
            ("thrown", "unhandled", nil, "status.410", ["status.410"]),
        ]

        @Test("plays every scenario over real sockets, one JSON object a line")
        func json() async throws {
            let command = try await Command.run("demo", "--json")
            #expect(command.status == 0)
            let objects = try command.objects
            for row in Self.expected {
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
            "draws what was asked, the attempts and waits, what came of it and who handled it, without colour in a pipe"
        )
        func text() async throws {
            let command = try await Command.run("demo", "--only", "503-twice")
            #expect(command.status == 0)
            for part in [
                "asked", "GET http://127.0.0.1:", "attempt 1", "wait", "backoff", "attempt 3", "came", "outcome",
            ] {
                #expect(command.output.contains(part), "\(part) is missing")
            }
            #expect(!command.output.contains("\u{1B}"))
        }

        @Test("exits with 2 for a scenario that does not exist, and lists those that do")
        func unknown() async throws {
            let command = try await Command.run("demo", "--only", "bogus")
            #expect(command.status == 2)
            #expect(command.errors.contains("503-twice"))
        }
    }
#endif
