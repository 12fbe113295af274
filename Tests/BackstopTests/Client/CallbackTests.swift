import Backstop
import BackstopCore
import BackstopTesting
import Testing

@Suite("A call with callbacks")
struct CallbackTests {
    private struct Ping: EmptyEndpoint {
        func makeRequest() throws -> HTTP.Request {
            try HTTP.Request(.get, "ping")
        }
    }

    @Test("is not told of a cancellation once it was told of a failure")
    func cancelledWhileTold() async throws {
        // given
        let client = try Client(
            baseURL: "https://api.example.com", transport: ScriptedTransport(.status(500))
        ) { StatusValidation() }
        let events = Lock<[String]>([])
        // when
        await client.perform(
            Ping(),
            onSuccess: { events.withLock { $0.append("success") } },
            onFailure: { _ in
                events.withLock { $0.append("failure") }
                withUnsafeCurrentTask { $0?.cancel() }
                return false
            },
            onCancel: { events.withLock { $0.append("cancel") } }
        ).value
        // then
        #expect(events.withLock { $0 } == ["failure"])
    }
}
