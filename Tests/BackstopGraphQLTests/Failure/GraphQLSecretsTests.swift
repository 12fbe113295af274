import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Secrets of GraphQL", .limited)
struct GraphQLSecretsTests {
    private struct SignIn: GraphQL.Operation {
        struct Data: Decodable, Sendable {
            var id: Int
        }

        struct Variables: Encodable, Sendable {
            var password = "SECRETvariable"
        }

        var kind = GraphQL.Kind.mutation
        var variables = Variables()
        var document: GraphQL.Document {
            GraphQL.Document(
                text:
                    #"\#(kind) SignIn($password: String) { signIn(password: $password, pin: "SECRETliteral") { id } }"#)
        }
    }

    private static let errors =
        #"[{"message":"no: password=SECRETmessage, https://ann:SECRETuser@a.example","path":["signIn"],"#
        + #""extensions":{"code":"DENIED","token":"SECRETtoken","note":"MEMBERnote"}}]"#

    @Test(
        "come out of no text about a failure",
        arguments: [
            (200, #"{"errors":\#(errors)}"#), (200, #"{"data":{"id":1},"errors":\#(errors)}"#),
            (200, #"{"data":{"id":"token=SECRETid"},"errors":\#(errors)}"#),
            (200, #"{"data":{"id":"token=SECRETid"}}"#),
            (400, #"{"errors":\#(errors)}"#), (200, #"["token=SECRETtop"]"#),
        ], [false, true])
    func failures(answer: (status: Int, body: String), byGET: Bool) async throws {
        // given
        var options = GraphQL.Options()
        options.failsOnPartialData = true
        options.headers = ["Authorization": "SECRETheader"]
        options.usesGETForQueries = byGET
        let operation = SignIn(kind: byGET ? .query : .mutation)
        let client = try makeClient(ScriptedTransport(.json(answer.status, answer.body)), graphQL: options)
        // when
        let failure = try #require(await failure { () async throws(Failure) in try await client.fetch(operation) })
        // then
        let values: [Any] = [
            failure, failure.reason, failure.underlying, failure.values, failure.graphQL as Any, failure.graphQLErrors,
            failure.sentRequests, client, client.options, operation.document, options,
        ]
        var texts = values.map { value -> String in
            var text = "\(value)\n" + String(reflecting: value) + "\n"
            dump(value, to: &text)
            return text
        }
        texts += [
            failure.report, failure.explanation, failure.message.text, failure.localizedDescription,
            "\((failure as NSError).userInfo) \(failure.nsError)", failure.trace.json,
        ]
        for (index, text) in texts.enumerated() {
            let found = text.range(of: "SECRET").map { text[$0.lowerBound...].prefix(30) }
            #expect(found == nil, "text \(index) of \(failure.code)")
        }
        for (index, text) in texts[1...5].enumerated() {
            #expect(!text.contains("MEMBER"), "text \(index + 1) of \(failure.code)")
        }
    }

    @Test("come out of no text about a failure when the server repeats them", arguments: [false, true])
    func repeated(byGET: Bool) async throws {
        // given
        var options = GraphQL.Options()
        options.usesGETForQueries = byGET
        let body = #"{"errors":[{"message":"not SECRETvariable"}]}"#
        let client = try makeClient(ScriptedTransport(.json(200, body)), graphQL: options)
        // when
        let operation = SignIn(kind: .query)
        let failure = try #require(await failure { () async throws(Failure) in try await client.fetch(operation) })
        // then
        for text in [failure.report, "\(failure)", failure.explanation, "\((failure as NSError).userInfo)"] {
            #expect(!text.contains("SECRET"), "\(text)")
        }
        #expect(failure.report.contains("not <redacted>"))
    }

    @Test("come out of no printed options and no printed result")
    func printed() {
        // given
        var options = GraphQL.Options()
        options.path = "https://ann:SECRETuser@a.example/graphql?token=SECRETtoken"
        options.headers = ["Authorization": "SECRETheader"]
        let result = GraphQL.Result(
            data: 1, errors: [GraphQL.Error("password=SECRETmessage")],
            extensions: ["token": "SECRETmember", "password=SECRETname": 1],
            response: HTTP.Response(status: 200, headers: ["Set-Cookie": "SECRETcookie"]))
        for value in [options, result] as [Any] {
            // when
            var text = "\(value)\n" + String(reflecting: value) + "\n"
            dump(value, to: &text)
            // then
            #expect(!text.contains("SECRET"), "\(text)")
        }
        #expect("\(result)".contains("data 1"))
        #expect("\(options)".contains("a.example/graphql"))
    }
}
