import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Failures of GraphQL calls", .limited)
struct FailureGraphQLTests {
    private static let unauthenticated =
        #"{"errors":[{"message":"Sign in first.","extensions":{"code":"UNAUTHENTICATED"}},7]}"#

    @Test("a 401 in application/json keeps its readable errors as detail of the status")
    func status() async throws {
        // given
        let client = try makeClient(ScriptedTransport(.json(401, Self.unauthenticated)))
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure?.code == "status.401")
        #expect(failure?.graphQL == nil)
        #expect(failure?.graphQLErrors.first?.code == "UNAUTHENTICATED")
        #expect(failure?.graphQLErrors.count == 2)
        guard case .status(let error) = failure?.reason else {
            Issue.record("not a status")
            return
        }
        #expect(error.detail?.hasPrefix("Sign in first.") == true)
    }

    @Test("the same in GraphQL's own media type is what the service says")
    func service() async throws {
        // given
        let client = try makeClient(ScriptedTransport(.graphQL(401, Self.unauthenticated)))
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure?.code == "service.graphQL.errors")
        #expect(failure?.statusCode == 401)
        #expect(failure?.graphQLErrors.first?.code == "UNAUTHENTICATED")
        #expect(failure?.explanation.contains("Sign in first. (UNAUTHENTICATED)") == true)
        #expect(failure?.message.text == "You are not signed in.")
        #expect(failure?.report.hasSuffix("or renew those that were sent (code UNAUTHENTICATED).") == true)
    }

    @Test("a failure without any answer has no errors of the service")
    func transport() async throws {
        // given
        let client = try makeClient(ScriptedTransport(.failure(TransportError(.offline))))
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure?.graphQL == nil)
        #expect(failure?.graphQLErrors.isEmpty == true)
        #expect(failure?.isOffline == true)
    }

    @Test(
        "the report names operation, URL and status",
        arguments: [
            (#"{"errors":[{"message":"Sign in first."}]}"#, "Sign in first."), ("{}", "neither data nor errors"),
            ("<html><title>Proxy</title></html>", "Proxy"), (#"{"data":{"hero":{"nam":"x"}}}"#, "$.data.hero"),
        ])
    func report(body: String, words: String) async throws {
        // given
        let client = try makeClient(ScriptedTransport(.graphQL(422, body)))
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        let report = try #require(failure?.report)
        for part in [words, "call:     HeroName", "POST \(endpoint)", "422 Unprocessable"] {
            #expect(report.contains(part), "\(part) is missing in:\n\(report)")
        }
    }

    @Test("every case has a code, and the kinds that handlers know")
    func codes() {
        let decoding = DecodingFailure(TransportError(.lost), decoding: Int.self, from: [UInt8](), contentType: nil)
        let partial = GraphQL.Result(data: 1, errors: [GraphQL.Error("m")])
        let table: [(GraphQLFailure, String)] = [
            (.errors([GraphQL.Error("m")]), "service.graphQL.errors"),
            (.partialData(partial), "service.graphQL.partialData"),
            (.decodingError(decoding), "decoding"),
            (.invalidData(decoding), "decoding"),
            (.encodingError(RequestError(.encoding, "d")), "request.encoding"),
            (.missingData, "service.graphQL.missingData"),
            (.persistedQueryNotFound(name: "Q"), "service.graphQL.persistedQueryNotFound"),
            (.unknownDocument(name: "Q"), "service.graphQL.unknownDocument"),
        ]
        for (error, code) in table {
            let failure = Failure(error)
            #expect(failure.code == code)
            #expect(failure.graphQL?.failureCode == error.failureCode)
            #expect(!error.description.isEmpty)
            // What a server says is for developers.
            #expect(error.failureMessage == nil)
            #expect(error.failureExplanation == error.description)
        }
    }

    @Test(
        "a document is called by its name, and needs none",
        arguments: [
            (
                GraphQLFailure.persistedQueryNotFound(name: "Q"),
                "The server did not know the persisted query Q, and did not learn it when it was sent in full."
            ),
            (
                .persistedQueryNotFound(name: ""),
                "The server did not know the persisted query, and did not learn it when it was sent in full."
            ),
            (.unknownDocument(name: "Q"), "The server does not know the document Q, which was sent without its text."),
            (.unknownDocument(name: ""), "The server does not know the document, which was sent without its text."),
        ])
    func documentName(failure: GraphQLFailure, text: String) {
        #expect(failure.description == text)
    }

    @Test(
        "the next step is about the error: its code, its field, or its place in the document",
        arguments: [
            (
                #"{"message":"m","path":["hero","friends",1,"name"],"extensions":{"code":"GONE"}}"#,
                "Look at the field hero.friends[1].name (code GONE) on the server."
            ),
            (#"{"message":"m","path":["hero"]}"#, "Look at the field hero on the server."),
            (#"{"message":"m","extensions":{"code":"GONE"}}"#, "Look up what the server means by the code GONE."),
            (
                #"{"message":"m","extensions":{"code":"X.\n  next:     Pay again"}}"#,
                #"Look up what the server means by the code "X. next: Pay again"."#
            ),
            (
                #"{"message":"m","path":["a\n  next: b","\#(String(repeating: "c", count: 2000))"]}"#,
                "Look at the field \"a next: b.\(String(repeating: "c", count: 90))…\" on the server."
            ),
            (
                #"{"message":"m","locations":[{"line":2,"column":5}]}"#,
                "Compare the document with the server's schema, at line 2, column 5."
            ),
            (
                #"{"message":"m","extensions":{"code":"BAD_USER_INPUT"}}"#,
                "Correct the operation's variables (code BAD_USER_INPUT)."
            ),
            (
                #"{"locations":[{"line":2,"column":5}],"extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}"#,
                "Compare the document with the server's schema, at line 2, column 5 (code GRAPHQL_VALIDATION_FAILED)."
            ),
        ])
    func next(error: String, step: String) async throws {
        // given
        let client = try makeClient(ScriptedTransport(.graphQL(200, #"{"errors":[\#(error)]}"#)))
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure?.report.hasSuffix("\n  next:     \(step)") == true, "\(failure?.report ?? "")")
    }

    @Test("what a server writes is shown to people only where the app says so")
    func people() async throws {
        // given
        let body = #"{"errors":[{"message":"Cannot query field 'nope'","extensions":{"userMessage":"Try later."}}]}"#
        let client = try makeClient(ScriptedTransport(.graphQL(200, body), .graphQL(200, body)))
        let open = client.withOptions { options in
            options.showToPeople(GraphQLFailure.self) { failure in
                failure.errors.first?.extensions["userMessage"]
            }
        }
        // when
        let neutral = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        let shown = await failure { () async throws(Failure) in try await open.fetch(HeroName()) }
        // then
        #expect(neutral?.message.text == "The service could not do this.")
        #expect(neutral?.explanation.contains("Cannot query field 'nope'") == true)
        #expect(shown?.message.text == "Try later.")
    }

    @Test(
        "a code that means a status has its texts, and may be tried again where the status may",
        arguments: [
            ("RATE_LIMITED", 429, true), ("TIMEOUT", 504, true), ("SERVICE_UNAVAILABLE", 503, true),
            ("CONFLICT", 409, false), ("FORBIDDEN", 403, false), ("NOT_FOUND", 404, false),
        ])
    func statuses(code: String, status: Int, isRetryable: Bool) async throws {
        for error in [#""extensions":{"code":"\#(code)"}"#, #""type":"\#(code)""#] {
            // given
            let body = #"{"errors":[{"message":"m",\#(error)}]}"#
            let client = try makeClient(ScriptedTransport(.json(200, body), .json(200, body), .status(status)))
            // when
            let query = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
            let mutation = await failure { () async throws(Failure) in try await client.fetch(CreateReview()) }
            let plain = await failure { () async throws(Failure) in try await client.get("x") }
            // then
            #expect(query?.message == plain?.message)
            #expect(query?.isRetryable == isRetryable && plain?.isRetryable == isRetryable)
            // A timeout does not say that nothing was done.
            #expect(mutation?.isRetryable == false)
            #expect((mutation?.mayHaveWorked == true) == (status == 504))
            #expect(query?.report.contains(code) == true)
        }
    }

    @Test(
        "the code of a gateway has the texts of its status",
        arguments: [
            ("INTERNAL_SERVER_ERROR", 500), ("INTERNAL_ERROR", 500), ("INTERNAL", 500), ("UNKNOWN", 500),
            ("DOWNSTREAM_SERVICE_ERROR", 500), ("SUBREQUEST_HTTP_ERROR", 500), ("GATEWAY_TIMEOUT", 504),
            ("DEADLINE_EXCEEDED", 504),
        ])
    func gateways(code: String, status: Int) async throws {
        let body = #"{"errors":[{"message":"m","extensions":{"code":"\#(code)"}}]}"#
        let client = try makeClient(ScriptedTransport(.json(200, body)))
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        #expect(failure?.message == Failure(StatusError(status)).message)
    }

    @Test("a handler finds a code wherever the error has it")
    func ownMembers() async throws {
        let body = #"{"errors":[{"message":"m","type":"NOT_FOUND","extensions":{"code":"undefined"}}]}"#
        for code in ["NOT_FOUND", "undefined"] {
            let client = try makeClient(ScriptedTransport(.json(200, body)))
            let outcome = await client.perform(HeroName()) { On(graphQLCode: code) { _ in } }
            guard case .handled = outcome else {
                Issue.record("not handled: \(outcome)")
                return
            }
        }
    }

    // MARK: Handlers

    @Test("a handler for a GraphQL error gets the first one")
    func firstError() async throws {
        let seen = Lock<[String]>([])
        let body = #"{"errors":[{"message":"first"},{"message":"second"}]}"#
        let outcome = await (try makeClient(ScriptedTransport(.json(200, body)))).perform(HeroName()) {
            On(error: GraphQL.Error.self) { error, _ in seen.withLock { $0.append(error.message) } }
        }
        #expect(outcome.handledBy == "On(Error)")
        #expect(seen.withLock { $0 } == ["first"])
    }

    @Test(
        "a handler for a code of the service is asked in its scope, for both kinds of failure", arguments: [200, 401])
    func scope(status: Int) async throws {
        // given
        let seen = Counter()
        let client = try makeClient(ScriptedTransport(.json(status, Self.unauthenticated))).scoped("account") {
            On(graphQLCode: "FORBIDDEN") { _ in Issue.record("for another code") }
            On(graphQLCode: "UNAUTHENTICATED") { failure in
                seen.increment()
                #expect(failure.graphQLErrors.first?.message == "Sign in first.")
            }
        }
        // when
        let outcome = await client.perform(HeroName())
        // then
        guard case .handled(_, let name) = outcome else {
            Issue.record("not handled: \(outcome)")
            return
        }
        #expect(name.contains("graphQL.UNAUTHENTICATED"))
        #expect(seen.value == 1)
    }

    @Test("a handler that gives a verdict keeps it, however its closure is written")
    func verdict() async throws {
        @Sendable func decide(_ failure: Failure) -> Verdict {
            .unhandled
        }
        @discardableResult @Sendable func show(_ failure: Failure) -> Bool {
            false
        }
        // given
        let handlers = [
            On(graphQLCode: "UNAUTHENTICATED") { _ in .unhandled },
            On(graphQLCode: "UNAUTHENTICATED") { decide($0) },
            On(graphQLCode: "UNAUTHENTICATED") { failure in decide(failure) },
            On(graphQLCode: "UNAUTHENTICATED") { _ in
                let verdict: Verdict = .unhandled
                return verdict
            },
            On(graphQLCode: "UNAUTHENTICATED", perform: decide),
            On(graphQLCode: "UNAUTHENTICATED") { failure in failure.name == "Cover" },
            On(graphQLCode: "UNAUTHENTICATED") { show($0) },
            On(graphQLCode: "UNAUTHENTICATED", perform: show),
        ]
        let errors = [GraphQL.Error("m", extensions: ["code": "UNAUTHENTICATED"])]
        let failure = Failure(GraphQLFailure.errors(errors))
        // then
        for handler in handlers {
            #expect(await handler.handle(failure) == .unhandled)
        }
        #expect(await On(graphQLCode: "UNAUTHENTICATED") { !show($0) }.handle(failure) == .handled)
    }

    @Test("a call's own handlers are asked first, and may give a value")
    func own() async throws {
        // given
        let client = try makeClient(ScriptedTransport(.json(200, Self.unauthenticated).repeated()))
            .scoped("app") { On(.any) { _ in Issue.record("the scope was asked") } }
        // when
        let handled = await client.perform(HeroName()) {
            On(graphQLCode: "UNAUTHENTICATED") { _ in }
        }
        let replaced = await client.perform(HeroName()) { failure in
            failure.graphQL == nil ? .unhandled : .value(GraphQL.Result(data: HeroName.Data(hero: nil)))
        }
        // then
        guard case .handled = handled else {
            Issue.record("not handled: \(handled)")
            return
        }
        #expect(replaced.value?.data.hero == nil)
        #expect(replaced.value != nil)
    }

    @Test("a handler may have the call sent again")
    func again() async throws {
        // given
        let transport = ScriptedTransport(.json(200, Self.unauthenticated), .hero)
        let client = try makeClient(transport)
        // when
        let outcome = await client.perform(HeroName()) {
            On(graphQLCode: "UNAUTHENTICATED") { _ in .retry }
        }
        // then
        #expect(transport.requests.count == 2)
        guard case .value(let result) = outcome else {
            Issue.record("no value: \(outcome)")
            return
        }
        #expect(result.data.hero?.name == "R2-D2")
    }

    @Test("errors of GraphQL are not an app's own error, and a body of another form is")
    func ownError() async throws {
        struct RestError: APIError {
            static let identifyingKeys = ["errors"]
            let errors: [JSONValue]
        }
        struct Gateway: APIError {
            static let identifyingKeys = ["reason"]
            let reason: String
        }
        func failure(_ body: String) async throws -> Failure? {
            let client = try makeClient(ScriptedTransport(.json(503, body))) {
                Decoding()
                StatusValidation()
                APIErrorDecoding(RestError.self)
                APIErrorDecoding(Gateway.self)
            }
            return await BackstopGraphQLTests.failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        }
        let refused = try await failure(#"{"errors":[{"message":"m","extensions":{"code":"UNAUTHENTICATED"}}]}"#)
        #expect(refused?.graphQLErrors.first?.code == "UNAUTHENTICATED")
        #expect(refused?.error(as: RestError.self) == nil)
        #expect(try await failure(#"{"reason":"Busy"}"#)?.error(as: Gateway.self)?.reason == "Busy")
    }

    @Test("failures of the service stand in a matrix as others do")
    func matrix() async throws {
        // given
        let errors = [GraphQL.Error("m", extensions: ["code": "UNAUTHENTICATED"])]
        let samples = [
            FailureSample(Failure(GraphQLFailure.errors(errors)), detail: "UNAUTHENTICATED"),
            FailureSample(Failure(GraphQLFailure.missingData)),
            FailureSample(Failure(GraphQLFailure.unknownDocument(name: "Q"))),
        ]
        // when
        let matrix = await FailureMatrix.run(samples: FailureSamples.all + samples) {
            On(graphQLCode: "UNAUTHENTICATED") { _ in }
            On(.graphQLErrors) { _ in }
            On(.code("service.graphQL.*")) { _ in .retry(after: .seconds(1)) }
        }
        // then
        let row = try #require(matrix["service.graphQL.errors (UNAUTHENTICATED)"])
        #expect(row.handledBy?.contains("graphQL.UNAUTHENTICATED") == true)
        #expect(row.verdict == .handled)
        #expect(matrix["service.graphQL.missingData"]?.verdict == .retry(after: .seconds(1)))
        #expect(matrix["service.graphQL.unknownDocument"]?.verdict == .retry(after: .seconds(1)))
        #expect(matrix["status.401"]?.verdict == .unhandled)
        #expect(matrix.idleHandlers.map(\.name) == ["On(graphQLErrors)"])
    }
}
