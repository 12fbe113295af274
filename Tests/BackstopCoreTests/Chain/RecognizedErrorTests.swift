import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("An error of the system", .limited)
struct RecognizedErrorTests {
    /// What a system throws in a wrapping of its own.
    private struct Wrapped: Error {
        let inside: any Error
    }

    private struct Question: CallRequest {
        let isIdempotent = true
        let isReplayable = true

        func summary(_ redaction: Redaction) -> String { "a question" }
        func details(_ redaction: Redaction) -> [String] { [] }
        static func recognized(_ error: any Error) -> any Error { (error as? Wrapped)?.inside ?? error }
    }

    private struct Wrapping: Transport {
        let attempts = Notes<Int>()

        func send(_ request: Question, context: CallContext) async throws -> Answer {
            attempts.add(context.attempt)
            throw Wrapped(inside: TransportError(.offline))
        }
    }

    @Test("is seen by retry and by handlers as what it means, whoever wrote the transport")
    func retried() async throws {
        // given
        let transport = Wrapping()
        let chain = try Chain(transport: transport) { Retry<Question, Answer>(.standard) }
        let context = CallContext(options: .with(RecordingClock()))
        // when
        let error = await #expect(throws: TransportError.self) {
            try await chain.send(Question(), context: context)
        }
        // then
        #expect(error?.code == .offline)
        #expect(transport.attempts.all == [1, 2, 3])
    }
}
