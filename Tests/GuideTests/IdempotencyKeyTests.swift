import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The recipe for an idempotency key", .limited)
struct IdempotencyKeyTests {
    @Test("retries and Try Again send the key of the payment") func sameKey() async throws {
        let transport = ScriptedTransport(
            .failure(TransportError(.lost)), .status(503).repeated(2), .json(200, #"{"number":7}"#))
        let clock = RecordingClock()
        let client = try Client.standard(
            baseURL: "https://api.example.com/v1", transport: transport, logging: nil
        ).withOptions { $0.clock = clock }

        let receipt = await pay(Payment(amount: 5, key: "k1"), with: client)

        #expect(receipt?.number == 7)
        #expect(transport.requests.map { $0.headers[.idempotencyKey] } == Array(repeating: "k1", count: 4))
        #expect(clock.sleeps.last == .seconds(5))
    }

    @Test("each payment has a key of its own") func ownKey() {
        #expect(Payment(amount: 5).key != Payment(amount: 5).key)
    }
}
