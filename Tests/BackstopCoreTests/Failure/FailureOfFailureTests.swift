import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The failure of a failure", .limited)
struct FailureOfFailureTests {
    private enum Note: CallKey {
        static let defaultValue = ""
    }

    private func failure() async throws -> Failure {
        var options = CallOptions.with(RecordingClock())
        options.name = "load books"
        options.redaction = .off
        options.values[Note.self] = "from the shelf"
        let lost = Script<Ask, Answer>(.failure(TransportError(.lost, detail: "token=hunter2")).repeated())
        let chain = try AskChain(transport: lost, interceptors: [Retry(attempts: 3)])
        return try #require(await chain.result(Ask(), options: options).failure)
    }

    @Test("is that failure: attempts, why there was no further one, name, number, values, and what is hidden")
    func same() async throws {
        let inner = try await failure()
        #expect(inner.attempts.count == 3 && inner.report.contains("hunter2"))
        let again = Failure(inner as any Error)
        #expect(again.report == inner.report)
        #expect(again.id == inner.id && again.trace.id == inner.id)
        #expect(again.values[Note.self] == "from the shelf")
        #expect(Failure(inner, request: Ask("other")).attempts == inner.attempts)
    }

    @Test("has what else is said of it")
    func added() async throws {
        let again = Failure(
            try await failure(), request: Ask("other"), attempts: [Attempt(number: 7, result: .running)],
            stopReason: .budget, name: "load others")
        #expect(again.attempts.map(\.number) == [7])
        #expect(again.stopReason == .budget)
        #expect(again.name == "load others")
        #expect(again.sentRequest?.summary(.off) == "ask other")
        #expect(again.trace.name == "load others")
        #expect(again.trace.stopReason == .budget)
        #expect(again.trace.attempts.map(\.number) == [7])
    }
}
