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
            call(
                "idempotency-key", "A POST with an idempotency key: it may be retried.",
                HTTP.Call(.post, "payments", headers: [.idempotencyKey: "demo-1"]), expect: "ok"),
            call(
                "post", "A POST that must not be retried.", HTTP.Call(.post, "status/503?json=1"),
                expect: "service.signUp"),
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
            call(
                "hang", "A server that never answers: each attempt has its limit.", HTTP.Call(.get, "hang"),
                expect: "timeout.attempt"
            ) { try $0.client(attempts: 2, attemptTimeout: .milliseconds(300), observer: $1) },
            // The second attempt begins after 600 to 700 ms, and the deadline ends it.
            call(
                "deadline", "A server that is too slow for the deadline of the call.", HTTP.Call(.get, "delay?ms=5000"),
                expect: "timeout.deadline"
            ) { try $0.client(attemptTimeout: .milliseconds(600), deadline: .milliseconds(1000), observer: $1) },
            get("reset", "A connection that is reset.", "reset", attempts: 2, expect: "transport.lost"),
            get("cut", "A body that is cut short.", "cut", attempts: 2, expect: "transport.truncated"),
            get(
                "too-large", "A body of 100 MB: reading stops at the limit.", "big?bytes=100000000",
                expect: "transport.tooLarge"),
            call(
                "closed-port", "A port where nobody listens.", HTTP.Call(.get, "books"), expect: "transport.refused"
            ) { try $0.client(base: $0.closedURL.absoluteString, attempts: 2, observer: $1) },
            call(
                "unknown-host", "A host name that does not resolve.", HTTP.Call(.get, "books"), expect: "transport.dns"
            ) { try $0.client(base: "http://name.invalid", attempts: 2, observer: $1) },
            get("not-http", "A server that does not speak HTTP.", "not-http", expect: "transport.badResponse"),
            call(
                "redirect", "A redirect to another origin: the credentials are dropped.",
                HTTP.Call(.get, "redirect-other", headers: [.authorization: "Bearer secret"]), expect: "ok"),
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
            call(
                "problem", "An error body after RFC 9457.", HTTP.Call(.get, "problem?status=404"),
                expect: "service.problem"
            ) { stage, calls in
                try stage.client(observer: calls).withChain {
                    try $0.replacing(.apiErrorDecoding, with: APIErrorDecoding(ProblemDetails.self))
                }
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
            call(
                "handler-retry", "A handler that repeats the whole call.",
                HTTP.Call(.get, "flaky/503?times=1&id=handler"), expect: "ok",
                handlers: [On(status: 503, name: "try again") { _ in .retry }]
            ) { try $0.client(attempts: 1, observer: $1) },
            call("scope", "A handler of the call's feature.", HTTP.Call(.get, "status/409"), expect: "status.409") {
                try $0.client(observer: $1).scoped("checkout") { On(status: 409, name: "reload basket") { _ in } }
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
                let task = Task { await client.perform(HTTP.Call(.get, "hang-body")) }
                await stage.server.waitForRequest(to: "/hang-body")
                task.cancel()
                return CallReport(await task.value, calls: calls.all)
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
            call(
                "signup/\(name)", "The sign-up service: \(title).",
                HTTP.Call(.get, "isUserNameAvailable", query: ["userName": userName], as: Availability.self),
                expect: expected,
                handlers: [
                    On(error: SignUpError.self, name: "sign-up form") { error, failure in
                        failure.statusCode == 400 ? .handled : .unhandled
                    }
                ])
        }

        private static func get(
            _ name: String, _ title: String, _ target: String, attempts: Int = 3, expect expected: String
        ) -> Scenario {
            call(name, title, HTTP.Call(.get, target), expect: expected) {
                try $0.client(attempts: attempts, observer: $1)
            }
        }

        /// - Parameter target: Default: the name.
        private static func json<Value: Decodable & Sendable>(
            _ name: String, _ title: String, _ target: String? = nil, as type: Value.Type = [Book].self,
            expect expected: String
        ) -> Scenario {
            call(name, title, HTTP.Call(.get, target ?? name, as: Value.self), expect: expected)
        }

        /// One call, through a client that may be another than the stage's own.
        private static func call(
            _ name: String, _ title: String, _ endpoint: some Endpoint, expect expected: String,
            handlers: [any FailureHandler] = [],
            through client: @escaping @Sendable (DemoStage, Calls) throws -> Client = { try $0.client(observer: $1) }
        ) -> Scenario {
            Scenario(name, title, expect: expected) { stage, calls in
                let client = try client(stage, calls)
                return CallReport(await client.perform(endpoint, handlers: { handlers }), calls: calls.all)
            }
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
