import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Cache and network", .limited)
struct CacheAndNetworkTests {
    struct Number: GraphQL.Operation {
        struct Data: Decodable, Sendable { var number: Int }
        var document = GraphQL.Document(text: "query Number { number }")
    }

    struct Change: GraphQL.Operation {
        typealias Data = Number.Data
        var document = GraphQL.Document(text: "mutation Change { number }")
    }

    private static func answer(_ number: Int) -> Stub<HTTP.Request, HTTP.Response> {
        .json(200, "{\"data\":{\"number\":\(number)}}")
    }

    private static func client(
        _ stubs: Stub<HTTP.Request, HTTP.Response>..., clock: any CallClock = RecordingClock(), hasCache: Bool = true
    ) throws -> (Client, ScriptedTransport) {
        let transport = ScriptedTransport(stubs)
        var options = CallOptions()
        options.clock = clock
        var handling = FailureHandling()
        handling.log = RecordingLog()
        let client = try Client(
            baseURL: "https://api.example.com/graphql", transport: transport, options: options, handling: handling
        ) {
            if hasCache {
                ResponseCache()
            }
            Decoding()
            StatusValidation()
        }
        return (client, transport)
    }

    private static func read<Operation: GraphQL.Operation<Number.Data>>(
        _ client: Client, _ operation: Operation
    ) async -> (results: [GraphQL.Result<Number.Data>], failure: Failure?) {
        var results: [GraphQL.Result<Number.Data>] = []
        do throws(Failure) {
            for try await result in client.fetchCacheAndNetwork(operation) { results.append(result) }
            return (results, nil)
        } catch {
            return (results, error)
        }
    }

    @Test("gives what is stored, and then what the service says, in one call")
    func both() async throws {
        let (client, transport) = try Self.client(Self.answer(1), Self.answer(2), Self.answer(3))
        let (first, _) = await Self.read(client, Number())
        #expect(first.map(\.data.number) == [1])
        let (results, failure) = await Self.read(client, Number())
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1, 2])
        #expect(results.map(\.isFromCache) == [true, false])
        #expect(transport.requests.count == 2)
        #expect(try await client.fetch(Number(), cachePolicy: .cacheOnly).data.number == 2)
    }

    @Test("gives what is stored before the service has answered")
    func early() async throws {
        let clock = ManualClock()
        let (client, transport) = try Self.client(
            Self.answer(1), .delay(.seconds(10), then: Self.answer(2)), clock: clock)
        _ = try await client.fetch(Number())
        var results = client.fetchCacheAndNetwork(Number()).makeAsyncIterator()
        #expect(try await results.next()?.data.number == 1)
        await transport.waitForRequests(2)
        await clock.waitForSleeper(remaining: .seconds(10))
        await clock.advance(by: .seconds(10))
        #expect(try await results.next()?.data.number == 2)
        #expect(try await results.next() == nil)
    }

    @Test("fails once, after what is stored")
    func failure() async throws {
        let (client, _) = try Self.client(Self.answer(1), .status(500), .status(500))
        _ = try await client.fetch(Number())
        let (results, failure) = await Self.read(client, Number())
        #expect(results.map(\.data.number) == [1])
        #expect(failure?.code == "status.500")
    }

    @Test("shows nothing that a mutation has made stale, and nothing without a cache")
    func stale() async throws {
        let (client, _) = try Self.client(Self.answer(1), Self.answer(9), Self.answer(2))
        _ = try await client.fetch(Number())
        #expect(await Self.read(client, Change()).results.map(\.data.number) == [9])
        #expect(await Self.read(client, Number()).results.map(\.data.number) == [2])
        let (plain, _) = try Self.client(Self.answer(1), Self.answer(2), hasCache: false)
        #expect(await Self.read(plain, Number()).results.map(\.data.number) == [1])
        #expect(await Self.read(plain, Number()).results.map(\.data.number) == [2])
    }

    @Test("ends its call when nobody waits for the rest")
    func dropped() async throws {
        let (client, transport) = try Self.client(Self.answer(1), .hang.repeated())
        _ = try await client.fetch(Number())
        for try await result in client.fetchCacheAndNetwork(Number()) {
            #expect(result.isFromCache)
            await transport.waitForRequests(2)
            break
        }
        await transport.waitForCancellations(1)
        let task = Task { await Self.read(client, Number()) }
        await transport.waitForRequests(2)
        task.cancel()
        #expect(await task.value.failure?.code == "cancelled")
    }
}
