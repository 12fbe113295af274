import Backstop
import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// What is a sign that a service does not answer, of which one, and who is kept from it.
@Suite("The silence of a client", .limited)
struct ClientSilenceTests {
    private typealias Answer = Stub<HTTP.Request, HTTP.Response>
    private static let late = Answer.failure(TimeoutError(.attempt, after: .seconds(4)))

    private func code(_ client: Client, _ target: String) async -> String? {
        do {
            _ = try await client.get(target) as HTTP.Response
            return nil
        } catch {
            return error.code
        }
    }

    /// A timeout in a phase of the exchange.
    private static func late(in phase: TransportError.Phase) -> Answer {
        .respond { _, context in
            context.track { TransferProgress(phase) }
            throw TimeoutError(.attempt, after: .seconds(4))
        }
    }

    /// What a server answers for one path.
    private static func at(_ path: String, _ answer: Answer) -> Answer {
        .on(path, where: { $0.url.path == "/v1" + path }, answer.repeated())
    }

    @Test(
        "begins with timeouts of requests that may have arrived, and not of those still being sent",
        arguments: [
            (TransportError.Phase.queued, false), (.connecting, false), (.sending, false), (.waiting, true),
            (.unknown, true),
        ])
    func phases(phase: TransportError.Phase, isSilent: Bool) async throws {
        // given
        let rig = Rig(Self.at("/slow", Self.late(in: phase)), Self.at("/slower", Self.late(in: phase)))
        let client = try rig.client { Retry() }
        // when
        for target in ["slow", "slower", "slow"] {
            _ = await code(client, target)
        }
        // then
        #expect(await code(client, "slow") == (isSilent ? "rejected.silence" : "timeout.attempt"))
    }

    // MARK: Redirects

    private static func redirected(to target: String, _ end: @escaping @Sendable () throws -> HTTP.Response) -> Answer {
        .respond { _, context in
            context.recordHop(try HTTP.Request(.get, target))
            return try end()
        }
    }

    @Test("is that of the host that a redirect has led to, and not of the one that answered with it")
    func redirect() async throws {
        // given
        let other = "https://cdn.example.com/file"
        let hanging = Self.redirected(to: other) { throw TimeoutError(.attempt, after: .seconds(4)) }
        let rig = Rig(Self.at("/file", hanging), Self.at("/image", hanging), Self.at("/books", .status(200)))
        let client = try rig.client { Retry() }
        // when
        _ = [await code(client, "file"), await code(client, "image")]
        // then
        #expect(await code(client, "file") == "timeout.attempt")
        #expect(await code(client, "books") == nil)
        #expect(await code(client, other) == "rejected.silence")
    }

    // MARK: One slow endpoint

    @Test("is that of one endpoint while others answer")
    func endpoint() async throws {
        // given
        let rig = Rig(Self.at("/slow", Self.late), Self.at("/books", .status(200)), Self.at("/orders", .status(200)))
        let client = try rig.client { Retry() }
        // when
        let first = await code(client, "slow")
        let others = [await code(client, "books"), await code(client, "orders"), await code(client, "books")]
        // then
        #expect(first == "timeout.attempt")
        #expect(others == [nil, nil, nil])
        #expect(await code(client, "slow") == "rejected.silence")
        #expect(await code(client, "slow?page=2") == "rejected.silence")
    }

    @Test("is that of the whole host once a call for something else was not answered either")
    func host() async throws {
        // given
        let rig = Rig(Self.late.repeated())
        let client = try rig.client { Retry() }
        // when
        let codes = [
            await code(client, "slow"), await code(client, "books"), await code(client, "orders"),
            await code(client, "slow"),
        ]
        // then
        #expect(codes == ["timeout.attempt", "timeout.attempt", "rejected.silence", "rejected.silence"])
        #expect(rig.transport.requests.map(\.url.path) == ["/v1/slow", "/v1/slow", "/v1/books"])
    }

    @Test("keeps nothing about a host whose endpoints answer")
    func rest() async throws {
        // given
        let rig = Rig(Answer.status(200).repeated())
        let client = try rig.client { Retry() }
        // when
        _ = [await code(client, "books"), await code(client, "orders")]
        // then
        #expect(client.retryLedger.count == 0)
    }

    // MARK: People

    @Test("lets out every call of a person who tries again, and ends with the first that is answered")
    func userRetry() async throws {
        // given
        let rig = Rig(Self.late.repeated(4), .status(200).repeated())
        let client = try rig.client { Retry() }
        let again = client.withOptions { $0.isUserRetry = true }
        _ = await code(client, "books")
        // when
        let codes = [await code(again, "books"), await code(client, "books"), await code(again, "books")]
        // then: each of them once, without a retry
        #expect(codes == ["timeout.attempt", "rejected.silence", "timeout.attempt"])
        #expect(rig.transport.requests.count == 4)
        #expect(await code(again, "books") == nil)
        #expect(await code(client, "books") == nil)
    }
}
