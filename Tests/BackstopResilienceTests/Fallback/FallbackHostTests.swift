import Backstop
import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Fallback to another host", .limited)
struct FallbackHostTests {
    private func send(
        _ request: HTTP.Request, _ transport: ScriptedTransport,
        _ fallback: Fallback<HTTP.Request, HTTP.Response>
    ) async throws -> HTTP.Response {
        let chain = try HTTP.Chain(transport: transport) {
            fallback
            StatusValidation()
        }
        return try await chain.call(request)
    }

    @Test(
        "keeps scheme, path and query, and changes host and port",
        arguments: [
            ("spare.example.com", "https://spare.example.com/v1/books?page=2&q=a%20b"),
            ("spare.example.com:8443", "https://spare.example.com:8443/v1/books?page=2&q=a%20b"),
            ("[::1]:8080", "https://[::1]:8080/v1/books?page=2&q=a%20b"),
        ])
    func target(host: String, expected: String) async throws {
        // given
        let transport = ScriptedTransport(.status(503), .status(200))
        let request = try HTTP.Request(.get, "https://api.example.com:444/v1/books?page=2&q=a%20b")
        // when
        _ = try await send(request, transport, Fallback(host: host, log: nil))
        // then
        #expect(transport.requests.map(\.url.absoluteString).last == expected)
        #expect(transport.requests.count == 2)
    }

    @Test("does not get an order that an earlier run of the call has sent to the first, with the key that it keeps")
    func earlierRun() async throws {
        let transport = ScriptedTransport(.status(503).repeated())
        let runs = Lock(0)
        let client = try Client(baseURL: "https://api.example.com", transport: transport) {
            Fallback<HTTP.Request, HTTP.Response>(when: { $0.isTransient }, log: nil) { request in
                var request = request
                request.url = URL(string: "https://spare.example.com/orders") ?? request.url
                return request
            }
            ClosureInterceptor { request, _, next in
                guard
                    runs.withLock({
                        $0 += 1; return $0
                    }) == 1
                else {
                    throw RejectionError("breakerOpen", "Open.", isTransient: true)
                }
                return try await next(request)
            }
            StatusValidation()
        }
        _ = await client.perform(.post("orders", headers: ["Idempotency-Key": "k"], body: .text("1"))) {
            On(.any) { _ in runs.withLock { $0 } == 1 ? .retry : .handled }
        }
        #expect(runs.withLock { $0 } == 2)
        #expect(transport.requests.map(\.url.host) == ["api.example.com"])
    }

    @Test(
        "is not followed by the first host with an order that the other may have carried out, whatever its key",
        arguments: [true, false])
    func orderElsewhere(retriesOutside: Bool) async throws {
        let transport = ScriptedTransport(.status(503).repeated())
        let runs = Counter()
        let client = try Client(baseURL: "https://api.example.com", transport: transport) {
            if retriesOutside { Retry() }
            Fallback<HTTP.Request, HTTP.Response>(host: "spare.example.com", when: { $0.isTransient }, log: nil)
            if !retriesOutside { Retry() }
            ClosureInterceptor { request, _, next in
                guard request.url.host != "api.example.com" || runs.increment() > 1 else {
                    throw RejectionError("breakerOpen", "Open.", isTransient: true)
                }
                return try await next(request)
            }
            StatusValidation()
        }.withOptions { $0.clock = RecordingClock() }
        let order = HTTP.Call<HTTP.Response>.post("orders", headers: ["Idempotency-Key": "k"], body: .text("1"))
        let failure = await client.perform(order) { On(.any) { $0.isRetryable ? .retry : .handled } }.failure
        #expect(failure?.code == "status.503")
        #expect(failure?.isRetryable == false)
        #expect(Set(transport.requests.map(\.url.host)) == ["spare.example.com"])
    }

    @Test("has an order alone while it works on that: no copy with the same key goes to the first host")
    func hedged() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(.delay(.seconds(1), then: .status(201)), .status(200))
        let runs = Counter()
        let client = try Client(baseURL: "https://api.example.com", transport: transport) {
            Hedging<HTTP.Request, HTTP.Response>(after: .milliseconds(300))
            Fallback<HTTP.Request, HTTP.Response>(host: "spare.example.com", when: { $0.isTransient }, log: nil)
            ClosureInterceptor { request, _, next in
                guard request.url.host != "api.example.com" || runs.increment() > 1 else {
                    throw RejectionError("breakerOpen", "Open.", isTransient: true)
                }
                return try await next(request)
            }
        }.withOptions { $0.clock = clock }
        let order = HTTP.Call<HTTP.Response>.post("orders", headers: ["Idempotency-Key": "k"], body: .text("1"))
        let call = Task { await client.result(of: order) }
        await clock.waitForSleeper(remaining: .seconds(1))
        await clock.waitForSleeper(remaining: .milliseconds(300))
        await clock.advance(by: .milliseconds(300))
        while runs.value < 2 { await Task.yield() }
        await clock.advance(by: .milliseconds(700))
        #expect(try await call.value.get().status == 201)
        #expect(transport.requests.map(\.url.host) == ["spare.example.com"])
    }

    @Test("is not followed by the first host with an order that succeeded, where somebody further out refuses that")
    func refusedSuccess() async throws {
        let transport = ScriptedTransport(.status(200).repeated())
        let client = try Client(baseURL: "https://api.example.com", transport: transport) {
            ClosureInterceptor { request, _, next in
                _ = try await next(request)
                throw RejectionError("stale", "Old.", isTransient: true)
            }
            Fallback<HTTP.Request, HTTP.Response>(host: "spare.example.com", when: { $0.isTransient }, log: nil)
            ClosureInterceptor { request, _, next in
                guard request.url.host != "api.example.com" else {
                    throw RejectionError("breakerOpen", "Open.", isTransient: true)
                }
                return try await next(request)
            }
        }
        let order = HTTP.Call<HTTP.Response>.post("orders", headers: ["Idempotency-Key": "k"], body: .text("1"))
        let failure = await client.result(of: order).failure
        #expect(failure?.code == "rejected.stale")
        #expect(failure?.isRetryable == false)
    }

    @Test(
        "is to be checked where the other host lost the answer to an order, whatever its key", arguments: [true, false])
    func lostElsewhere(isElsewhere: Bool) async throws {
        let transport = ScriptedTransport(
            .failure(TransportError(.lost, phase: .waiting)), .status(503), .status(503))
        let client = try Client(baseURL: "https://api.example.com", transport: transport) {
            Fallback<HTTP.Request, HTTP.Response>(host: "spare.example.com", when: { $0.isTransient }, log: nil)
            Retry()
            ClosureInterceptor { request, _, next in
                guard !isElsewhere || request.url.host != "api.example.com" else {
                    throw RejectionError("breakerOpen", "Open.", isTransient: true)
                }
                return try await next(request)
            }
            StatusValidation()
        }.withOptions { $0.clock = RecordingClock() }
        let order = HTTP.Call<HTTP.Response>.post("orders", headers: ["Idempotency-Key": "k"], body: .text("1"))
        let failure = try #require(await client.result(of: order).failure)
        #expect(failure.mayHaveWorked == isElsewhere)
        #expect(failure.nextStep?.contains("add an Idempotency-Key") != true)
        #expect(transport.requests.count == 3)
    }

    @Test("answers at once, also with a value, while a person has isolated the first host", arguments: [true, false])
    func isolated(hasHost: Bool) async throws {
        let breaker = HTTP.CircuitBreaker(grouping: .origin, log: nil)
        breaker.isolate("https://api.example.com")
        let transport = ScriptedTransport(.status(201).repeated())
        let client = try Client(baseURL: "https://api.example.com", transport: transport) {
            hasHost
                ? Fallback(host: "spare.example.com", log: nil)
                : Fallback("value", value: HTTP.Response(status: 201), log: nil)
            Retry()
            breaker
        }
        #expect(try await client.get("books").status == 201)
        #expect(transport.requests.map(\.url.host) == (hasHost ? ["spare.example.com"] : []))
        // but no change
        await #expect { _ = try await client.post("books") } throws: {
            ($0 as? Failure)?.code == "rejected.breakerOpen"
        }
    }

    @Test("answers while a breaker sends nothing more to the first host")
    func breaker() async throws {
        // given
        let breaker = HTTP.CircuitBreaker(log: nil)
        let transport = ScriptedTransport(
            .respond { request, _ in
                HTTP.Response(status: request.url.host == "api.example.com" ? 503 : 200, url: request.url)
            }.repeated())
        let chain = try HTTP.Chain(transport: transport) {
            Fallback(host: "spare.example.com", when: { _ in true }, log: nil)
            breaker
            StatusValidation()
        }
        // when
        for _ in 1...20 {
            let response = try await chain.call(HTTP.Request(.get, "https://api.example.com/books"))
            #expect(response.url?.host == "spare.example.com")
        }
        // then
        #expect(transport.requests.count { $0.url.host == "api.example.com" } == 10)
        #expect(breaker.state(of: "https://api.example.com:443").description == "open")
        #expect(breaker.state(of: "https://spare.example.com:443") == .closed)
    }

    @Test("is named in the report of a failure after it, which is not the server's")
    func report() async throws {
        // given
        let empty = HTTP.Response(status: 200, body: Data("[]".utf8))
        let client = try Client(
            baseURL: "https://api.example.com", transport: ScriptedTransport(.status(503).repeated())
        ) {
            Fallback("empty list", value: empty, log: nil)
            Decoding()
            StatusValidation()
        }
        // when
        let failure = await #expect(throws: Failure.self) { try await client.get("books", as: [String: Int].self) }
        // then
        let report = try #require(failure).report
        #expect(failure?.reason.kind == "decoding")
        #expect(report.contains("  fallback: empty list instead of status.503\n"), "\(report)")
        #expect(
            failure?.nextStep
                == "Let the fallback \"empty list\" answer with what the call reads: the content is its own, not that of "
                + "the server that was asked.")
    }

    @Test("carries no credentials there: not in headers, nor in the URL")
    func credentials() async throws {
        // given
        let transport = ScriptedTransport(.status(503), .status(200))
        var request = try HTTP.Request(.get, "https://anna:pass1@api.example.com/books?api_key=secret2&page=2")
        request.headers[.authorization] = "Bearer secret3"
        request.headers["Cookie"] = "session=secret4"
        request.headers["X-Api-Key"] = "secret5"
        request.headers["Host"] = "api.example.com"
        request.headers["Accept"] = "application/json"
        // when
        _ = try await send(request, transport, Fallback(host: "spare.example.com", log: nil))
        // then
        let sent = try #require(transport.requests.last)
        #expect(sent.url.absoluteString == "https://spare.example.com/books?page=2")
        #expect(sent.headers.fields.map(\.name.text) == ["Accept"])
        #expect(transport.requests.first?.headers[.authorization] == "Bearer secret3")
    }

    @Test("keeps what the app sets anew for the other origin, and everything within the same origin")
    func ownCredentials() async throws {
        // given
        var request = try HTTP.Request(.get, "https://api.example.com/books?token=a")
        request.headers[.authorization] = "Bearer a"
        request.headers["X-Api-Key"] = "a"
        let transport = ScriptedTransport(.status(503), .status(200), .status(503), .status(200))
        let elsewhere = Fallback<HTTP.Request, HTTP.Response>("spare", log: nil) { failed in
            var other = failed
            other.url = URL(string: "https://spare.example.com/books?token=b") ?? failed.url
            other.headers[.authorization] = "Bearer b"
            return other
        }
        let same = Fallback<HTTP.Request, HTTP.Response>("old", log: nil) { failed in
            var other = failed
            other.url = URL(string: "https://api.example.com/v0/books?token=a") ?? failed.url
            return other
        }
        // when
        _ = try await send(request, transport, elsewhere)
        _ = try await send(request, transport, same)
        // then
        let sent = transport.requests
        #expect(sent[1].url.absoluteString == "https://spare.example.com/books?token=b")
        #expect(sent[1].headers[.authorization] == "Bearer b")
        #expect(sent[1].headers["X-Api-Key"] == nil)
        #expect(sent[3].url.absoluteString == "https://api.example.com/v0/books?token=a")
        #expect(sent[3].headers[.authorization] == "Bearer a")
    }

    @Test("does not send a POST elsewhere that may have been executed, whatever the app says")
    func post() async throws {
        // given
        let transport = ScriptedTransport(.status(503), .status(200))
        let request = try HTTP.Request(.post, "https://api.example.com/orders", body: .data(Data("{}".utf8)))
        // then
        await #expect(throws: Failure.self) {
            _ = try await send(
                request, transport, Fallback(host: "spare.example.com", when: { _ in true }, log: nil))
        }
        #expect(transport.requests.count == 1)
    }

    @Test("is decoded as the call's content, and the log names no secret")
    func client() async throws {
        // given
        let log = RecordingLog()
        let transport = ScriptedTransport(.status(503), .json(200, "[1, 2]"))
        let client = try Client(baseURL: "https://api.example.com", transport: transport) {
            Fallback(host: "spare.example.com", log: log)
            Retry(.never)
            Decoding()
            StatusValidation()
        }
        // when
        let numbers = try await client.get("numbers?token=secret1", as: [Int].self)
        // then
        #expect(numbers == [1, 2])
        #expect(log.entries.count == 1)
        #expect(!log.entries.contains { $0.message.contains("secret1") })
        try client.chain.requireOrder()
    }

    @Test(
        "refuses a text that is no host",
        arguments: ["", "https://spare.example.com", "spare.example.com/path", "a b", "u@spare.example.com", "x:99999"])
    func invalid(host: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try requireValid(Fallback<HTTP.Request, HTTP.Response>(host: host))
        }
        #expect(error?.setting == "Fallback.host")
    }
}
