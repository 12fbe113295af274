import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Fallback and GraphQL", .limited)
struct FallbackTests {
    private let transport = ScriptedTransport(Stub<HTTP.Request, HTTP.Response>.status(503).repeated())

    private func client(_ options: GraphQL.Options = GraphQL.Options()) throws -> Client {
        try makeClient(transport, graphQL: options) {
            Fallback<HTTP.Request, HTTP.Response>(
                value: HTTP.Response(
                    status: 200, headers: ["Content-Type": "application/json"],
                    body: Data(#"{"data":{"hero":{"name":"R2-D2"}}}"#.utf8)), log: nil)
            Decoding()
            StatusValidation()
            PersistedQueries()
        }
    }

    @Test("stands in for a query, by POST and by GET", arguments: [true, false])
    func query(byGET: Bool) async throws {
        var options = GraphQL.Options()
        options.usesGETForQueries = byGET
        let data = try await client(options).data(for: HeroName())
        #expect(data.hero?.name == "R2-D2")
        #expect(transport.requests.map(\.method) == [byGET ? .get : .post])
    }

    @Test("does not stand in for a mutation, with an idempotency key or without", arguments: ["k", nil])
    func mutation(key: String?) async throws {
        var options = GraphQL.Options()
        options.headers[.idempotencyKey] = key
        let failure = await failure { () async throws(Failure) in
            do {
                _ = try await client(options).fetch(CreateReview())
            } catch let error as Failure {
                throw error
            } catch {
                Issue.record("\(error)")
            }
        }
        #expect(failure?.code == "status.503")
        #expect(transport.requests.map { $0.headers[.idempotencyKey] } == [key])
    }
}
