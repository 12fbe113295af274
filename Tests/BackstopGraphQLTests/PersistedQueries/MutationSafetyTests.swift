import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// What changes something gets its text only where nothing can have been done.
@Suite("The text of a mutation after its hash", .limited)
struct MutationSafetyTests {
    private func sent(_ transport: ScriptedTransport) async throws -> (forms: [String], failure: Failure?) {
        let client = try makeClient(transport) {
            Retry()
            Decoding()
            StatusValidation()
            PersistedQueries(hasher: .sha256)
        }
        let failure = await failure { () async throws(Failure) in try await client.fetch(CreateReview()) }
        return (forms(transport.requests), failure)
    }

    private static let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)

    @Test(
        "is not sent where the answer may tell of something that was done",
        arguments: [
            // Cut where the connection ended, with or without the place of the error.
            #"{"errors":[{"message":"x","path":["createReview"]"#, #"{"errors":[{"message":"x""#, #"{"#,
            // A place that is none of the specification's kind.
            #"{"errors":[{"message":"x","path":"createReview"}]}"#,
            #"{"errors":[{"message":"x","path":[null,"stars"]}]}"#,
            #"{"errors":{"message":"x","path":["createReview"]}}"#,
            // A service behind the server failed, which may have been asked.
            #"{"errors":[{"message":"x","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#,
            #"{"errors":[{"message":"x"},{"message":"y","extensions":{"code":"GATEWAY_TIMEOUT"}}]}"#,
            // More than is read.
            #"{"errors":[{"message":"x","path":["createReview"],"extensions":{"trace":\#(deep)}}]}"#,
        ], [400, 422])
    func unsure(body: String, status: Int) async throws {
        for type in ["application/json", "application/graphql-response+json"] {
            let result = try await sent(ScriptedTransport(.json(status, body, headers: ["Content-Type": type])))
            #expect(result.forms == ["H"])
            #expect(result.failure != nil)
        }
    }

    @Test(
        "is not sent where a miss is not all that the answer tells",
        arguments: [
            #"{"errors":[{"message":"The mail was not sent."},{"message":"PersistedQueryNotFound"}]}"#,
            #"{"errors":[{"message":"PersistedQueryNotFound"},{"message":"The mail was not sent."}]}"#,
            #"{"errors":[{"message":"PersistedQueryNotSupported"},{"message":"The mail was not sent."}]}"#,
            #"{"errors":[{"message":"PersistedQueryNotFound","path":"createReview"}]}"#,
            // Something follows that may tell of what was done.
            #"{"errors":[{"message":"PersistedQueryNotFound"}]}{"data":{"createReview":{"stars":5}}}"#,
            #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"}"#,
        ], [200, 500])
    func notOnlyMiss(body: String, status: Int) async throws {
        let result = try await sent(ScriptedTransport(.json(status, body)))
        #expect(result.forms == ["H"])
        #expect(result.failure != nil)
    }

    @Test("is sent with its key after a 500, until the server has known a hash", arguments: [false, true])
    func afterFault(isKnown: Bool) async throws {
        let fault = Stub<HTTP.Request, HTTP.Response>.json(500, "{}").repeated()
        let transport = isKnown ? ScriptedTransport(.hero, fault) : ScriptedTransport(fault)
        let client = try makeClient(transport) {
            Retry()
            Decoding()
            StatusValidation()
            PersistedQueries(hasher: .sha256)
        }
        if isKnown {
            _ = try await client.fetch(HeroName())
        }
        let options = client.graphQLOptions.changing { $0.headers[.idempotencyKey] = "k" }
        let failure = await failure { () async throws(Failure) in
            try await client.fetch(CreateReview(), options: options)
        }
        #expect(failure?.code == "status.500")
        #expect(forms(transport.requests).suffix(3) == (isKnown ? ["H", "H", "H"] : ["H", "T", "T"]))
        #expect(transport.requests.suffix(3).allSatisfy { $0.headers[.idempotencyKey] == "k" })
    }

    /// What a GET is answered with that took the place of the POST.
    private static let afterRedirect: [(Int, String)] = [
        (400, #"{"errors":[{"message":"Must provide query string."}]}"#), (400, ""), (422, ""),
        (200, #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#),
        (200, #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#),
    ]

    private func redirected(
        as method: HTTP.Method, _ answer: (Int, String)
    ) -> Stub<HTTP.Request, HTTP.Response> {
        .respond("redirect") { request, context in
            var next = request
            next.method = method
            context.recordHop(next)
            return HTTP.Response(
                status: answer.0, headers: ["Content-Type": "application/json"], body: Data(answer.1.utf8))
        }
    }

    @Test("is not sent after a redirect that turned the POST into a GET: the POST may have been done")
    func redirect() async throws {
        for answer in Self.afterRedirect {
            let result = try await sent(ScriptedTransport(redirected(as: .get, answer)))
            #expect(result.forms == ["H"], "\(answer)")
            #expect(result.failure != nil)
            #expect(result.failure?.isRetryable == false)
        }
    }

    @Test("is sent alone no more after a redirect of both: that POST may have been done as well")
    func redirectOfBoth() async throws {
        let answer = (200, #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#)
        let result = try await sent(ScriptedTransport(.miss, redirected(as: .get, answer)))
        #expect(result.forms == ["H", "HT"])
    }

    @Test("is sent after a redirect that kept the POST and led to a miss")
    func redirectedPOST() async throws {
        let miss = (200, #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
        let result = try await sent(
            ScriptedTransport(redirected(as: .post, miss), .graphQL(200, #"{"data":{}}"#)))
        #expect(result.forms == ["H", "HT"])
        #expect(result.failure == nil)
    }
}
