#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import Foundation

    extension Scenario {
        /// What is retried, when, and what is not.
        static let retries: [Scenario] = [
            get("503-twice", "503 twice, then success: retry helps.", "flaky/503?times=2&id=demo", expect: "ok"),
            get(
                "429-date", "429 with Retry-After as a date: the wait is at least as long.",
                "flaky/429?times=1&id=demo-date&retryAfterDate=1", expect: "ok"),
            get(
                "503-too-long", "503 with Retry-After: 3600: longer than accepted, so the call stops and says so.",
                "status/503?retryAfter=3600", expect: "status.503"),
            Scenario(
                "idempotency-key", "A POST with an idempotency key: it may be retried.", expect: "ok"
            ) { stage, calls in
                let client = try stage.client(observer: calls)
                return await run(
                    HTTP.Call(.post, "payments", headers: [.idempotencyKey: "demo-1"]), client, calls)
            },
            Scenario("post", "A POST that must not be retried.", expect: "service.signUp") { stage, calls in
                let client = try stage.client(observer: calls)
                return await run(HTTP.Call(.post, "status/503?json=1"), client, calls)
            },
        ]

        /// What is in the body.
        static let bodies: [Scenario] = [
            json("wrong-type", "JSON with a wrong type deep inside.", as: BookList.self, expect: "decoding"),
            json("missing-key", "JSON in which a key is missing.", as: BookList.self, expect: "decoding"),
            json("sign-in", "A sign-in page, HTML with 200, where JSON was expected.", expect: "decoding"),
            json("empty", "An empty body where JSON was expected.", expect: "decoding"),
            json("broken-json", "JSON with a mistake in it.", expect: "decoding"),
            json("deep", "JSON nested ten thousand levels deep.", "deep?depth=10000", expect: "decoding"),
        ]

        /// What happens to the connection, and what takes too long.
        static let connections: [Scenario] = [
            Scenario(
                "hang", "A server that never answers: each attempt has its limit.", expect: "timeout.attempt"
            ) { stage, calls in
                let client = try stage.client(attempts: 2, attemptTimeout: .milliseconds(300), observer: calls)
                return await run(HTTP.Call(.get, "hang"), client, calls)
            },
            Scenario(
                "deadline", "A server that is too slow for the deadline of the call.", expect: "timeout.deadline"
            ) { stage, calls in
                // The second attempt begins after 600 to 700 ms, and the deadline ends it.
                let client = try stage.client(
                    attemptTimeout: .milliseconds(600), deadline: .milliseconds(1000), observer: calls)
                return await run(HTTP.Call(.get, "delay?ms=5000"), client, calls)
            },
            get("reset", "A connection that is reset.", "reset", attempts: 2, expect: "transport.lost"),
            get("cut", "A body that is cut short.", "cut", attempts: 2, expect: "transport.truncated"),
            get(
                "too-large", "A body of 100 MB: reading stops at the limit.", "big?bytes=100000000",
                expect: "transport.tooLarge"),
            Scenario("closed-port", "A port where nobody listens.", expect: "transport.refused") { stage, calls in
                let client = try stage.client(base: stage.closedURL.absoluteString, attempts: 2, observer: calls)
                return await run(HTTP.Call(.get, "books"), client, calls)
            },
            Scenario("unknown-host", "A host name that does not resolve.", expect: "transport.dns") { stage, calls in
                let client = try stage.client(base: "http://name.invalid", attempts: 2, observer: calls)
                return await run(HTTP.Call(.get, "books"), client, calls)
            },
            get("not-http", "A server that does not speak HTTP.", "not-http", expect: "transport.badResponse"),
            Scenario(
                "redirect", "A redirect to another origin: the credentials are dropped.", expect: "ok"
            ) { stage, calls in
                let client = try stage.client(observer: calls)
                return await run(
                    HTTP.Call(.get, "redirect-other", headers: [.authorization: "Bearer secret"]), client, calls)
            },
            get("redirect-loop", "A redirect that leads to itself.", "redirect-loop", expect: "transport.redirects"),
        ]

        /// What the service says itself.
        static let serviceErrors: [Scenario] = [
            get(
                "api-error-401", "An error body with 401: the app's own error, typed.", "api-error?status=401",
                expect: "service.signUp"),
            get(
                "api-error-200", "An error body with 200: still the app's own error.", "api-error?status=200",
                expect: "service.signUp"),
            Scenario("problem", "An error body after RFC 9457.", expect: "service.problem") { stage, calls in
                let client = try stage.client(observer: calls).withChain {
                    try $0.replacing(.apiErrorDecoding, with: APIErrorDecoding(ProblemDetails.self))
                }
                return await run(HTTP.Call(.get, "problem?status=404"), client, calls)
            },
        ]

        /// Which handler handles a failure.
        static let handlers: [Scenario] = [
            Scenario(
                "404-html", "404 with a web page: the call's own handler returns a value instead.", expect: "status.404"
            ) { stage, calls in
                let outcome = await (try stage.client(observer: calls)).perform(
                    .get("html-404", as: [Book].self)
                ) { failure in failure.statusCode == 404 ? .value([]) : .unhandled }
                return CallReport(outcome, calls: calls.all)
            },
            Scenario(
                "handler-retry", "A handler that repeats the whole call.", expect: "ok"
            ) { stage, calls in
                let client = try stage.client(attempts: 1, observer: calls)
                return await run(
                    HTTP.Call(.get, "flaky/503?times=1&id=handler"), client, calls,
                    handlers: [On(status: 503, name: "try again") { _ in .retry }])
            },
            Scenario("scope", "A handler of the call's feature.", expect: "status.409") { stage, calls in
                let client = try stage.client(observer: calls).scoped("checkout") {
                    On(status: 409, name: "reload basket") { _ in }
                }
                return await run(HTTP.Call(.get, "status/409"), client, calls)
            },
            Scenario("thrown", "A failure thrown to the caller.", expect: "status.410") { stage, calls in
                let client = try stage.client(observer: calls)
                do throws(Failure) {
                    _ = try await client.send(HTTP.Call(.get, "status/410"))
                    return CallReport(Outcome<Int>.value(0), calls: calls.all)
                } catch {
                    return CallReport(thrown: error, calls: calls.all)
                }
            },
            Scenario("cancelled", "A call that is cancelled while it waits.", expect: "cancelled") { stage, calls in
                let client = try stage.client(observer: calls)
                let task = Task { await run(HTTP.Call(.get, "hang-body"), client, calls) }
                await stage.server.waitForRequest(to: "/hang-body")
                task.cancel()
                return await task.value
            },
        ]

        /// The sign-up service, name by name.
        static let signUp: [Scenario] = [
            signUp("missing", nil, "no parameter at all", expect: "service.signUp"),
            signUp("empty", "", "an empty name", expect: "service.signUp"),
            signUp("short", "bob", "a name that is too short", expect: "service.signUp"),
            signUp("admin", "admin", "a name that is not allowed", expect: "service.signUp"),
            signUp("superuser", "superuser", "another name that is not allowed", expect: "service.signUp"),
            signUp("servererror", "servererror", "a server whose database is broken", expect: "service.signUp"),
            signUp(
                "maintenance", "maintenance",
                "a server in maintenance: Retry-After is honoured, the third attempt works",
                expect: "ok"),
            signUp(
                "maintenance!", "maintenance!", "a server that stays in maintenance: all attempts are used",
                expect: "service.signUp"),
            signUp("illegalresponse", "illegalresponse", "an answer without a field that it needs", expect: "decoding"),
            signUp("taken", "johnnyappleseed", "a name that is taken", expect: "ok"),
            signUp("free", "backstop", "a name that is free", expect: "ok"),
        ]

        private static func signUp(
            _ name: String, _ userName: String?, _ title: String, expect expected: String
        ) -> Scenario {
            Scenario("signup/\(name)", "The sign-up service: \(title).", expect: expected) { stage, calls in
                await run(
                    HTTP.Call(.get, "isUserNameAvailable", query: ["userName": userName], as: Availability.self),
                    try stage.client(observer: calls), calls,
                    handlers: [
                        On(error: SignUpError.self, name: "sign-up form") { error, failure in
                            failure.statusCode == 400 ? .handled : .unhandled
                        }
                    ])
            }
        }

        private static func get(
            _ name: String, _ title: String, _ target: String, attempts: Int = 3, expect expected: String
        ) -> Scenario {
            Scenario(name, title, expect: expected) { stage, calls in
                await run(HTTP.Call(.get, target), try stage.client(attempts: attempts, observer: calls), calls)
            }
        }

        /// - Parameter target: Default: the name.
        private static func json<Value: Decodable & Sendable>(
            _ name: String, _ title: String, _ target: String? = nil, as type: Value.Type = [Book].self,
            expect expected: String
        ) -> Scenario {
            Scenario(name, title, expect: expected) { stage, calls in
                await run(
                    HTTP.Call(.get, target ?? name, as: Value.self), try stage.client(observer: calls), calls)
            }
        }

        private static func run<E: Endpoint>(
            _ endpoint: E, _ client: Client, _ calls: Calls, handlers: [any FailureHandler] = []
        ) async -> CallReport {
            CallReport(await client.perform(endpoint, handlers: { handlers }), calls: calls.all)
        }
    }

    /// A list of books in its envelopes: `{"data": {"items": [...]}}`.
    struct BookList: Decodable, Sendable {
        struct Items: Decodable, Sendable {
            let items: [Book]
        }

        let data: Items
    }
#endif
