import BackstopTestSupport
import BackstopTesting
import BackstopTransfers
import Foundation
import Testing

@Suite("The reader of events", .limited)
struct EventReaderTests {
    @Test("gets no event again by a handler, though the last call brought none")
    func notAgain() async throws {
        let asked = Lock<[Bool]>([])
        let transport = ScriptedTransport(
            EventTests.stream(.bytes("data: a\n\n")), .failure(TransportError(.certificate)),
            EventTests.stream(.bytes("data: a\n\n")))
        let events = Lock<[String]>([])
        let outcome = await (try EventTests.client(transport)).perform("prices", as: .events) { event in
            events.withLock { $0.append(event.data) }
        } handlers: {
            On(.any) { (_: Failure) -> Verdict in
                asked.withLock { $0.append(FailureHandling.canRetry) }
                return .retry
            }
        }
        #expect(outcome.failure?.code == "transport.certificate")
        #expect(outcome.failure?.transfer?.elements == 1)
        #expect(asked.withLock { $0 } == [false])
        #expect(events.withLock { $0 } == ["a"])
        #expect(transport.requests.count == 2)
    }
}
