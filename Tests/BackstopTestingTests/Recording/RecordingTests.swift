import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Recorders of logs and outcomes", .limited)
struct RecordingTests {
    @Test("keep the entries from their minimum up")
    func log() {
        // given
        let log = RecordingLog(minimum: .notice)
        // when
        log.write(LogEntry(.info, "small"))
        log.write(LogEntry(.error, "large", callID: 7))
        // then
        #expect(log.entries == [LogEntry(.error, "large", callID: 7)])
        #expect(log.messages == ["large"])
        #expect(!log.isEnabled(.debug))
        log.removeAll()
        #expect(log.entries.isEmpty)
    }

    @Test("keep failures with their outcomes, and calls with their traces")
    func observer() async throws {
        // given
        let observer = RecordingObserver()
        var handling = FailureHandling()
        handling.observers = [observer]
        var options = Sample.options(RecordingClock())
        options.observers = [observer]
        options.name = "books"
        let chain = try HTTP.Chain(transport: ScriptedTransport(.status(500), .status(200))) { Sample.StatusCheck() }
        let request = try Sample.request()
        let perform = { (options: CallOptions) async -> Outcome<HTTP.Response> in
            await handling.perform(clock: options.clock, own: [.init(On(.status) { _ in })]) {
                () async throws(Failure) -> HTTP.Response in
                try await chain.call(request, options: options)
            }
        }
        // when
        let first = await perform(options)
        let second = await perform(options)
        // then
        #expect(first.handledBy == "On(status)")
        #expect(second.value?.status == 200)
        #expect(observer.failures.map(\.failure.code) == ["status.500"])
        #expect(observer.failures.map(\.outcome) == [.handled(by: "On(status)")])
        #expect(observer.calls.map(\.name) == ["books", "books"])
        #expect(observer.calls.map(\.trace.outcome) == ["status.500", "ok"])
    }
}
