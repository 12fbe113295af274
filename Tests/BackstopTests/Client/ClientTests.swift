import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A client", .limited)
struct ClientTests {
    private static let authentication = ClosureInterceptor(role: .authentication) { request, context, next in
        var request = request
        request.headers[.authorization] = "Bearer t"
        return try await next(request)
    }

    @Test("that is standard has the documented interceptors in the documented order, and no issues")
    func standardOrder() throws {
        // given
        let client = try Client.standard(
            baseURL: Rig.base, apiError: SignUpError.self, transport: ScriptedTransport(),
            authentication: Self.authentication)
        // then
        try client.chain.requireOrder(
            .logging, .deadline, .retry, .authentication, .decoding, .statusValidation, .apiErrorDecoding,
            .attemptTimeout)
        try client.chain.requireOrder()
        #expect(
            client.chain.description == """
                1. RequestLogging (logging)
                2. Deadline (deadline)
                3. Retry (retry)
                4. ClosureInterceptor (authentication)
                5. Decoding (decoding)
                6. StatusValidation (statusValidation)
                7. APIErrorDecoding (apiErrorDecoding)
                8. AttemptTimeout (attemptTimeout)
                9. Script (transport)
                """)
    }

    @Test("that is standard leaves out what is not wanted")
    func standardWithout() throws {
        let client = try Client.standard(baseURL: Rig.base, transport: ScriptedTransport(), logging: nil)
        try client.chain.requireOrder(
            .deadline, .retry, .decoding, .statusValidation, .apiErrorDecoding, .attemptTimeout)
        try client.chain.requireOrder()
    }

    @Test("that is standard refuses limits that make no sense", arguments: [Duration.zero, .seconds(-1)])
    func limits(duration: Duration) {
        #expect(throws: ConfigurationError.self) {
            try Client.standard(baseURL: Rig.base, transport: ScriptedTransport(), attemptTimeout: duration)
        }
        #expect(throws: ConfigurationError.self) {
            try Client.standard(baseURL: Rig.base, transport: ScriptedTransport(), deadline: duration)
        }
    }

    @Test("that is standard keeps to its attempt timeout, deadline and retry")
    func standardLimits() async throws {
        // given
        let rig = Rig(.status(503).repeated())
        let client = try Client.standard(
            baseURL: Rig.base, transport: rig.transport, retry: RetryPolicy(attempts: 5), logging: nil,
            options: rig.options)
        // when
        let failure = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        // then
        #expect(failure?.attempts.count == 5)
        #expect(rig.clock.sleeps.map(\.text) == ["250 ms", "500 ms", "1 s", "2 s"])
    }

    @Test("that is standard takes a URL, and further interceptors and persisted queries at their places")
    func standardInterceptors() throws {
        // given
        func interceptor(_ role: Role) -> ClosureInterceptor {
            ClosureInterceptor(role: role) { request, _, next in try await next(request) }
        }
        // when
        let client = try Client.standard(
            baseURL: #require(URL(string: Rig.base)), transport: ScriptedTransport(),
            authentication: interceptor(.authentication),
            interceptors: [interceptor(.custom("tenant")), interceptor(.custom("locale"))],
            persistedQueries: interceptor(.custom("persisted")))
        // then
        #expect(
            client.chain.roles == [
                .logging, .deadline, .retry, .authentication, .custom("tenant"), .custom("locale"), .decoding,
                .statusValidation, .apiErrorDecoding, .custom("persisted"), .attemptTimeout,
            ])
        #expect(client.chain.orderIssues.isEmpty)
        #expect(client.baseURL?.absoluteString == Rig.base)
    }

    @Test("is derived with another chain, and stays as it is itself")
    func deriving() async throws {
        // given
        let rig = Rig(.status(503).repeated())
        let client = try rig.standard()
        // when
        let single = try client.withChain { try $0.replacing(.retry, with: Retry(.never)) }
        _ = await #expect(throws: Failure.self) { try await single.send(BookEndpoint()) }
        // then
        #expect(rig.transport.requests.count == 1)
        #expect(single.baseURL == client.baseURL)
        #expect(client.chain.roles == single.chain.roles)
        _ = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        #expect(rig.transport.requests.count == 4)
    }

    @Test("that is derived from another has its handlers, observers, options and base URL")
    func derivedKeeps() async throws {
        // given
        let rig = Rig(.status(404))
        let client = try rig.standard().scoped("shop") { On(status: 404) { _ in } }.withOptions { $0.name = "books" }
        // when
        let derived = try client.withChain { $0.removing(.logging) }
        let outcome = await derived.perform(BookEndpoint())
        // then
        #expect(outcome.handledBy == "shop: On(status.404)")
        #expect(outcome.failure?.name == "books")
        #expect(rig.observer.failures.map(\.outcome) == [.handled(by: "shop: On(status.404)")])
        #expect(rig.urls == ["https://api.example.com/v1/books/1"])
    }

    @Test("throws on when a chain cannot be derived")
    func derivingFails() throws {
        let client = try Rig().client()
        #expect(throws: ChainError.self) { try client.withChain { try $0.replacing(.retry, with: nil) } }
    }

    @Test("is configured with other options, and stays as it is itself")
    func configured() async throws {
        // given
        let rig = Rig(.status(503).repeated())
        let client = try rig.standard()
        // when
        let hurried = client.withOptions { $0.deadline = .milliseconds(300) }
        let failure = await #expect(throws: Failure.self) { try await hurried.send(BookEndpoint()) }
        // then
        #expect(failure?.stopReason.code == "deadline")
        #expect(failure?.attempts.count == 2)
        #expect(client.options.deadline == nil)
    }

    @Test("hides what its options' redaction names, in reports and logs")
    func redaction() async throws {
        // given
        let rig = Rig(.json(404, #"{"iban":"SE1234"}"#, headers: ["X-Iban": "SE1234"]))
        let client = try rig.standard(bodyLimit: 200).withOptions { $0.redaction = .standard.adding("iban") }
        // when
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.get("a", query: ["iban": "SE1234"], as: Int.self) })
        // then
        #expect(!failure.report.contains("SE1234"))
        #expect(!rig.log.messages.joined().contains("SE1234"))
        #expect(failure.unredactedReport.contains("iban=SE1234"))
    }
}

#if DEBUG
    @Suite("A chain in a wrong order", .limited)
    struct OrderReportTests {
        @HTTP.ChainBuilder
        private static func wrong() -> [any HTTP.Interceptor] {
            APIErrorDecoding(SignUpError.self)
            StatusValidation()
        }

        @Test("is written to the log once for each client that is made, with reason and fix")
        func once() async throws {
            // given
            let rig = Rig(.status(200).repeated())
            // when
            let client = try rig.client(interceptors: Self.wrong)
            _ = try await client.get("a")
            _ = try await client.withOptions { $0.name = "b" }.scoped("c") {}.get("b")
            // then
            #expect(rig.log.entries.map(\.level) == [.warning])
            let text = try #require(rig.log.messages.first)
            #expect(text.contains("error: StatusValidation is inside APIErrorDecoding: a 422 is thrown before"))
            #expect(text.contains("Put StatusValidation above APIErrorDecoding."))
            #expect(text.contains("1. APIErrorDecoding (apiErrorDecoding)\n2. StatusValidation (statusValidation)\n3."))
            // when
            _ = try rig.client(interceptors: Self.wrong)
            // then
            #expect(rig.log.entries.count == 2)
        }

        @Test("is not what the log says of a chain in the right order whose settings do not fit")
        func settings() throws {
            // given
            let rig = Rig()
            // when: a preset of ours, without jitter
            _ = try Client.standard(
                baseURL: Rig.base, transport: rig.transport, retry: .alamofire, options: rig.options,
                handling: rig.handling)
            // then
            #expect(rig.log.messages.allSatisfy { !$0.contains("wrong order") })
            #expect(rig.log.messages.first?.hasPrefix("Check the settings of the interceptors:\n") == true)
        }

        @Test("is written as well when it is derived, once for each order")
        func derived() throws {
            // given
            let rig = Rig()
            let client = try rig.client {
                StatusValidation()
                APIErrorDecoding(SignUpError.self)
            }
            #expect(rig.log.entries.isEmpty)
            // when
            for _ in 0..<3 {
                _ = try client.withChain { try HTTP.Chain(transport: $0.transport, interceptors: Self.wrong()) }
            }
            // then
            #expect(rig.log.entries.map(\.level) == [.warning])
            // when
            _ = try client.withChain {
                try HTTP.Chain(transport: $0.transport, interceptors: Self.wrong() + [Decoding()])
            }
            // then
            #expect(rig.log.entries.count == 2)
        }

        @Test("is not written when it is right, or when the log does not want warnings")
        func silent() throws {
            // given
            let rig = Rig()
            let errorsOnly = PickyLog(wanted: [.error])
            var handling = FailureHandling()
            handling.log = errorsOnly
            // when
            _ = try rig.standard()
            _ = try Client(baseURL: Rig.base, transport: rig.transport, handling: handling, interceptors: Self.wrong)
            // then
            #expect(rig.log.entries.isEmpty)
            #expect(errorsOnly.kept.all.isEmpty)
        }
    }
#endif
