import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A retry policy named after another library", .limited)
struct RetryPresetsTests {
    /// What a library does, as its source and its documents have it.
    struct Preset: Sendable, CustomTestStringConvertible {
        let name: String
        let policy: RetryPolicy
        /// The least and the greatest wait before each further attempt, in milliseconds.
        let waits: [ClosedRange<Int>]
        let statuses: Set<Int>
        let transports: Set<String>
        let timeouts: Set<String>
        let obeysServer: Bool

        var testDescription: String { name }
    }

    private static let presets = [
        Preset(
            name: "Alamofire 5.12", policy: .alamofire, waits: [500...500, 1000...1000],
            statuses: [408, 500, 502, 503, 504],
            transports: ["offline", "dns", "refused", "lost", "truncated", "tls", "notAllowed"],
            timeouts: ["attempt", "connection"], obeysServer: false),
        Preset(
            name: "AWS standard", policy: .awsStandard, waits: [0...999, 0...1999],
            statuses: [429, 500, 502, 503, 504],
            transports: ["offline", "dns", "refused", "unreachable", "lost", "truncated"],
            timeouts: ["attempt", "connection"], obeysServer: false),
        Preset(
            name: "gRPC", policy: .grpc, waits: [80...120, 160...240, 320...480], statuses: [429, 502, 503, 504],
            transports: ["offline", "dns", "refused", "unreachable", "lost", "truncated"], timeouts: [],
            obeysServer: true),
    ]

    /// How often an error is met when every attempt fails with it, and the waits between.
    private func call(
        _ policy: RetryPolicy, failing error: any Error, random: any RandomSource = FixedRandom(units: 0)
    ) async throws -> (requests: Int, sleeps: [Duration]) {
        let clock = RecordingClock()
        let transport = Script<Ask, Answer>(Stub.failure(error).repeated())
        let chain = try AskChain(transport: transport) { Retry(policy) }
        _ = await chain.result(Ask(), options: .with(clock, random: random))
        return (transport.requests.count, clock.sleeps)
    }

    @Test("makes as many attempts, with the same waits between them", arguments: presets)
    func waits(preset: Preset) async throws {
        for (unit, wanted) in [(0.0, preset.waits.map(\.lowerBound)), (1.0, preset.waits.map(\.upperBound))] {
            let (requests, sleeps) = try await call(
                preset.policy, failing: StatusError(503), random: FixedRandom(units: unit))
            #expect(requests == preset.waits.count + 1)
            #expect(sleeps.map { Int($0.milliseconds) } == wanted)
        }
    }

    @Test("retries the same statuses, and no others", arguments: presets)
    func statuses(preset: Preset) async throws {
        for status in 400...599 {
            let answer = Answer(status: status)
            let requests = try await call(preset.policy, failing: StatusError(status, response: answer)).requests
            #expect((requests > 1) == preset.statuses.contains(status), "\(status)")
        }
    }

    @Test("retries the same errors of the connection", arguments: presets)
    func transports(preset: Preset) async throws {
        for code in TransportError.Code.builtIn {
            let requests = try await call(preset.policy, failing: TransportError(code)).requests
            #expect((requests > 1) == preset.transports.contains(code.name), "\(code)")
        }
        for kind in TimeoutError.Kind.builtIn {
            let requests = try await call(preset.policy, failing: TimeoutError(kind)).requests
            #expect((requests > 1) == preset.timeouts.contains(kind.name), "\(kind)")
        }
    }

    @Test("heeds Retry-After as that library does", arguments: presets)
    func retryAfter(preset: Preset) async throws {
        let answer = Answer(status: 503, wait: .seconds(7))
        let sleeps = try await call(preset.policy, failing: StatusError(503, response: answer)).sleeps
        #expect(sleeps.contains(.seconds(7)) == preset.obeysServer)
    }

    @Test("never sends twice what may be sent only once", arguments: presets)
    func once(preset: Preset) async throws {
        // given
        var order = Ask()
        order.isIdempotent = false
        let transport = Script<Ask, Answer>(Stub.failure(TransportError(.lost)).repeated())
        let chain = try AskChain(transport: transport) { Retry(preset.policy) }
        // when
        let failure = await chain.result(order, options: .with(RecordingClock())).failure
        // then
        #expect(failure?.stopReason == .notIdempotent)
        #expect(transport.requests.count == 1)
    }

    @Test("says so where its waits are dangerous")
    func warnings() throws {
        func warnings(_ policy: RetryPolicy) throws -> [String] {
            try AskChain(transport: Echo()) { Retry(policy) }.orderIssues.map(\.finding)
        }
        #expect(try warnings(.alamofire) == ["Retry waits without jitter", "Retry waits without a cap"])
        #expect(try warnings(.awsStandard).isEmpty)
        #expect(try warnings(.grpc).isEmpty)
    }
}
