import BackstopAuthentication
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopSubscriptions

@Suite("A token that is refused inside a stream", .limited)
struct RefusedTokenTests {
    private static func bearer() throws -> (BearerAuthentication, renewals: Lock<Int>) {
        let renewals = Lock(0)
        let credentials = try Credentials(TokenSet(access: "old", refresh: "r", account: "ann")) { _ in
            renewals.withLock { $0 += 1 }
            return TokenSet(access: "new", refresh: "s", account: "ann")
        }
        return (BearerAuthentication(credentials, refusedBy: [.unauthorized, .graphQLError()]), renewals)
    }

    private static let refused =
        "{\"errors\":[{\"message\":\"expired\",\"extensions\":{\"code\":\"UNAUTHENTICATED\"}}]}"

    private static let expired = GraphQL.Error("expired", extensions: ["code": "UNAUTHENTICATED"])

    @Test("in the place of the first result is renewed within the call", arguments: SubscriptionTests.carriers)
    func first(carrier: SubscriptionTests.Carrier) async throws {
        let (bearer, renewals) = try Self.bearer()
        let transport = ScriptedTransport(
            .stream(
                [.bytes(carrier.first), .bytes(carrier.payload(Self.refused)), .bytes(carrier.last)],
                headers: carrier.headers),
            .stream([.bytes(carrier.first), carrier.result(1), .bytes(carrier.last)], headers: carrier.headers))
        let (results, failure) = await SubscriptionTests.read(
            try SubscriptionTests.client(transport, outside: [bearer]), SubscriptionTests.Counter(),
            by: carrier.delivery)
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1])
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
        #expect(renewals.withLock { $0 } == 1)
    }

    @Test(
        "behind a result ends the subscription at once, and is renewed by the next call",
        arguments: SubscriptionTests.carriers)
    func subscription(carrier: SubscriptionTests.Carrier) async throws {
        let (bearer, renewals) = try Self.bearer()
        let transport = ScriptedTransport(
            .stream(
                [
                    .bytes(carrier.first), carrier.result(1), .bytes(carrier.payload(Self.refused)),
                    .bytes(carrier.last),
                ], headers: carrier.headers),
            .stream([.bytes(carrier.first), carrier.result(2), .bytes(carrier.last)], headers: carrier.headers))
        let client = try SubscriptionTests.client(transport, outside: [bearer])
        let (results, failure) = await SubscriptionTests.read(
            client, SubscriptionTests.Counter(), by: carrier.delivery)
        #expect(results.map(\.data.number) == [1])
        #expect(failure?.graphQLErrors.first?.code == "UNAUTHENTICATED")
        #expect(failure?.attempts.count == 1)
        #expect(failure?.stopReason == .notRetryable)
        #expect(transport.requests.count == 1)
        #expect(renewals.withLock { $0 } == 0)
        let (next, none) = await SubscriptionTests.read(client, SubscriptionTests.Counter(), by: carrier.delivery)
        #expect(none == nil)
        #expect(next.map(\.data.number) == [2])
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
    }

    @Test("ends any other stream as well")
    func plain() async throws {
        let (bearer, renewals) = try Self.bearer()
        let transport = ScriptedTransport(
            .stream([.bytes("a\n"), .failure(GraphQLFailure.errors([Self.expired]))]), .stream([.bytes("b\n")]))
        let client = try SubscriptionTests.client(transport, outside: [bearer])
        func read() async -> (lines: [String], failure: Failure?) {
            var lines: [String] = []
            do throws(Failure) {
                for try await line in try await client.stream("rows", as: .lines) { lines.append(line) }
                return (lines, nil)
            } catch {
                return (lines, error)
            }
        }
        let (lines, failure) = await read()
        #expect(lines == ["a"])
        #expect(failure?.graphQLErrors == [Self.expired])
        #expect(failure?.stopReason == .begun)
        #expect(transport.requests.count == 1)
        #expect(renewals.withLock { $0 } == 0)
        #expect(await read().lines == ["b"])
        #expect(transport.requests.last?.headers[.authorization] == "Bearer new")
    }
}
