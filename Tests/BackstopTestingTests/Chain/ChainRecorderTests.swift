import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A chain recorder", .limited)
struct ChainRecorderTests {
    @Test("shows which interceptor saw what, in which order, attempt by attempt")
    func events() async throws {
        // given
        let transport = ScriptedTransport(.status(503), .status(200))
        let recorder = ChainRecorder()
        let chain = recorder.recording(
            try HTTP.Chain(transport: transport) {
                Sample.Plain(role: .logging)
                Retry(.standard)
                Sample.StatusCheck()
            })
        // when
        _ = try await chain.call(Sample.request(.get, "/a"), options: Sample.options(RecordingClock()))
        // then
        #expect(
            recorder.lines == [
                "logging > GET /a",
                "retry > GET /a",
                "statusValidation > GET /a",
                "transport > GET /a",
                "transport < 503",
                "statusValidation ! status.503",
                "statusValidation > GET /a",
                "transport > GET /a",
                "transport < 200",
                "statusValidation < 200",
                "retry < 200",
                "logging < 200",
            ])
        #expect(recorder.order == [.logging, .retry, .statusValidation])
        #expect(recorder.requests(seenBy: .statusValidation) == 2)
        #expect(recorder.requests(seenBy: .retry) == 1)
        #expect(recorder.events.filter { $0.name == "transport" }.map(\.attempt) == [1, 1, 2, 2])
        #expect(Set(recorder.events.map(\.callID)).count == 1)
    }

    @Test("leaves roles and order rules as they are")
    func roles() throws {
        // given
        let own = OrderRule(outer: .custom("tenant"), inner: .retry, reason: "tenants have budgets")
        let more = OrderRule(outer: .retry, inner: .custom("dump"), reason: "dumps are per attempt")
        let chain = try HTTP.Chain(transport: ScriptedTransport(), orderRules: [more]) {
            Sample.Plain(role: .custom("dump"))
            Retry(.standard)
            Sample.Plain(role: .custom("tenant"), orderRules: [own])
        }
        // when
        let recording = ChainRecorder().recording(chain)
        // then
        #expect(recording.roles == chain.roles)
        #expect(recording.orderIssues == chain.orderIssues)
        #expect(recording.orderIssues.count == 2)
    }

    @Test("shows errors by their codes, those without one by their type")
    func errors() async throws {
        // given
        struct Odd: Error {}
        let transport = ScriptedTransport(
            .failure(Odd()), .failure(TransportError(.dns)), .failure(CancellationError()))
        let recorder = ChainRecorder()
        let chain = try recorder.recording(Sample.chain(transport))
        // when
        for _ in 0..<3 {
            _ = try? await chain.call(Sample.request())
        }
        // then
        #expect(
            recorder.events.filter { $0.direction == .error }.map(\.description) == [
                "transport ! other (Odd)", "transport ! transport.dns", "transport ! other (CancellationError)",
            ])
    }

    @Test("records what passes a probe between two interceptors")
    func probe() async throws {
        // given
        let recorder = ChainRecorder()
        let chain = try HTTP.Chain(transport: ScriptedTransport(.status(404), .status(200))) {
            recorder.probe("outside")
            Sample.StatusCheck()
            recorder.probe("inside")
        }
        // when
        _ = try? await chain.call(Sample.request(.get, "/a"))
        // then
        #expect(chain.roles == [.custom("outside"), .statusValidation, .custom("inside")])
        #expect(
            recorder.lines == ["outside > GET /a", "inside > GET /a", "inside < 404", "outside ! status.404"])
        recorder.removeAll()
        #expect(recorder.events.isEmpty)
    }

    @Test("keeps secrets out of its texts")
    func secrets() async throws {
        // given
        let recorder = ChainRecorder()
        let chain = try recorder.recording(Sample.chain(ScriptedTransport(.status(200))))
        // when
        _ = try await chain.call(Sample.request(.get, "/a?token=hidden"))
        // then
        #expect(recorder.lines.first == "transport > GET /a")
    }
}
