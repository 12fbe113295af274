import BackstopGraphQL
import BackstopStreams
import BackstopSubscriptions
import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopGraphQLSocket

@Suite("A close that is scripted", .limited)
struct ScriptedCloseTests {
    private struct Votes: GraphQL.Operation {
        struct Data: Decodable, Sendable { var votes: Int }
        var document = GraphQL.Document(text: "subscription Votes { votes }")
    }

    /// The results of a script, on a clock that a test moves, and the losses between them.
    private static func read(
        _ transport: ScriptedTransport, clock: ManualClock
    ) throws -> (results: Task<[Int], any Error>, losses: Lock<[String]>) {
        var options = CallOptions()
        options.clock = clock
        var handling = FailureHandling()
        handling.log = RecordingLog()
        let backoff = try Backoff(baseDelay: .seconds(5), growth: .constant, jitter: .none)
        let policy = try RetryPolicy(attempts: 3, backoff: backoff, budget: nil)
        let client = try Client(
            baseURL: "https://a.example/graphql", transport: transport, options: options, handling: handling
        ) {
            Retry(policy)
            Decoding()
            StatusValidation()
        }
        let losses = Lock<[String]>([])
        let results = Task {
            var votes: [Int] = []
            let stream = try await client.subscribe(
                Votes(), resubscribed: { failure in losses.withLock { $0.append(failure.code) } },
                streamOptions: StreamOptions(silence: nil))
            for try await result in stream { votes.append(result.data.votes) }
            return votes
        }
        return (results, losses)
    }

    @Test("ends a subscription as a loss, which is made again after its wait", arguments: [1012, 4403])
    func again(code: Int) async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(
            .subscription([
                .result(#"{"data":{"votes":1}}"#), .wait(.seconds(30)),
                .failure(GraphQL.Socket.error(forClose: code)),
            ]),
            .subscription([.result(#"{"data":{"votes":2}}"#), .lost]),
            .subscription([.result(#"{"data":{"votes":3}}"#), .complete]))
        let (results, losses) = try Self.read(transport, clock: clock)
        for (index, wait) in [30, 5, 5].enumerated() {
            await clock.waitForSleeper(remaining: .seconds(wait))
            #expect(transport.requests.count == (index == 2 ? 2 : 1))
            await clock.advance(by: .seconds(wait))
        }
        #expect(try await results.value == [1, 2, 3])
        #expect(losses.withLock { $0 } == ["transport.lost", "transport.lost"])
    }

    @Test("is not the silence of a stream: over a socket, only a limit that somebody set counts")
    func silence() throws {
        let socket = try GraphQL.Socket(events: "https://a.example/graphql/stream", over: ScriptedTransport())
        for (delivery, silence) in [(GraphQL.Delivery.events(over: socket), nil), (.multipart, Duration.seconds(60))] {
            #expect(delivery.streamOptions(nil).silence == silence)
            let large = delivery.streamOptions(try StreamOptions(window: 1 << 20))
            #expect(large.silence == silence && large.window == 1 << 20)
            #expect(delivery.streamOptions(try StreamOptions(silence: .seconds(3))).silence == .seconds(3))
        }
    }

    @Test("ends a subscription for good if the next connection would be closed as well")
    func never() async throws {
        let transport = ScriptedTransport(
            .subscription([
                .result(#"{"data":{"votes":1}}"#), .failure(GraphQL.Socket.error(forClose: 4400, reason: "query")),
            ]))
        let (results, _) = try Self.read(transport, clock: ManualClock())
        let failure = await #expect(throws: Failure.self) { try await results.value }
        #expect(failure?.code == "transport.badResponse")
        #expect(transport.requests.count == 1)
    }
}
