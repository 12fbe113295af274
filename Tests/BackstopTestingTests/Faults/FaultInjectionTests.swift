import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Fault injection", .limited)
struct FaultInjectionTests {
    private let log = RecordingLog()
    private let faults: FaultInjection
    private let network = ScriptedTransport(.json(200, "[1]").repeated())
    private let clock = RecordingClock()

    init() {
        faults = FaultInjection(to: log)
    }

    private struct Numbers: JSONEndpoint {
        typealias Content = [Int]
        var name = "Numbers"
        var method = HTTP.Method.get
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(method, "numbers") }
    }

    /// Ends attempts itself, and answers with their limit.
    private struct Limited: HTTP.Transport {
        let endsAttemptsInTime = true

        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            HTTP.Response(status: 200, body: Data("[\(context.attemptLimit?.components.seconds ?? 0)]".utf8))
        }
    }

    private func client(
        _ clock: (any CallClock)? = nil, random: any RandomSource = FixedRandom(units: 0.5),
        observer: RecordingObserver = RecordingObserver()
    ) throws -> Client {
        var options = Sample.options(clock ?? self.clock, random: random)
        options.observers = [observer]
        let client = try Client.standard(
            baseURL: "https://api.example.com/v1", transport: network, logging: nil, options: options)
        return try client.withChain { $0.appending(faults) }
    }

    private func failure(_ client: Client, _ endpoint: Numbers = Numbers()) async -> Failure? {
        do throws(Failure) {
            _ = try await client.send(endpoint)
            return nil
        } catch {
            return error
        }
    }

    @Test("has no fault for a request where it is for none", arguments: [0, -3])
    func none(times: Int) async throws {
        faults.add(.status(418).repeated(times))
        faults.next = .status(418).repeated(times)
        #expect(faults.next == nil)
        #expect(await failure(try client()) == nil)
        faults.add(.status(418))
        #expect(await failure(try client())?.code == "status.418")
    }

    private static let kinds: [(ScriptedTransport.Step, code: String)] = [
        (.status(503), "status.503"), (.status(404), "status.404"),
        (.failure(TransportError(.offline)), "transport.offline"),
        (.failure(TransportError(.lost, phase: .receiving)), "transport.lost"),
        (.failure(TimeoutError(.attempt)), "timeout.attempt"), (.json(200, #"{"id":1}"#), "decoding"),
        (.status(503, headers: ["X": "a\nb"]), "request.invalidHeader"),
        (.partial(200, body: "[1,", then: .failure(TransportError(.lost, phase: .receiving))), "transport.lost"),
    ]

    @Test("fails a request as the network would, without sending it, and marks the failure", arguments: kinds)
    func marked(fault: ScriptedTransport.Step, code: String) async throws {
        faults.next = fault.repeated(3)
        let failure = try #require(await failure(client()))
        #expect(failure.code == code)
        #expect(failure.isOffline == (code == "transport.offline"))
        #expect(failure.report.contains("  fault:    \(fault) in attempt 1, injected by FaultInjection\n"))
        #expect(network.requests.isEmpty)
    }

    @Test(
        "decides about a retry, safe or not, as after a failure of the network", arguments: kinds,
        [HTTP.Method.get, .post])
    func retries(fault: (step: ScriptedTransport.Step, code: String), method: HTTP.Method) async throws {
        faults.add(fault.step.repeated())
        let injected = try #require(await failure(client(), Numbers(method: method)))
        let transport = ScriptedTransport(fault.step.repeated())
        let real = try #require(
            await failure(
                client().withChain { $0.removing(faults.role).replacing(transport: transport) },
                Numbers(method: method)))
        #expect(injected.attempts.map(\.result) == real.attempts.map(\.result))
        #expect(injected.stopReason == real.stopReason)
        #expect(injected.sentRequests.count == real.sentRequests.count)
        #expect(injected.response?.status == real.response?.status)
    }

    @Test("a 503 of the next request is waited for and repeated; log and trace say that it was injected")
    func next() async throws {
        let observer = RecordingObserver()
        let client = try client(observer: observer)
        faults.next = .status(404)
        faults.next = .status(503, headers: ["Retry-After": "30"])
        #expect(faults.next?.description == "status 503")
        #expect(try await client.withOptions { $0.deadline = .seconds(90) }.send(Numbers()) == [1])
        #expect(faults.next == nil)
        #expect(clock.sleeps == [.seconds(30)])
        #expect(network.requests.count == 1)
        let call = try #require(observer.calls.first)
        #expect(log.messages == ["#\(call.id) status 503 in attempt 1, injected by FaultInjection"])
        #expect(call.trace.events.map(\.text) == ["status 503 in attempt 1, injected by FaultInjection"])
    }

    @Test("the line in the log is one, short, and without secrets, whatever the stub is named")
    func line() async throws {
        let name = "user https://me:SECRET1@a.example/x?access_token=SECRET2\nforged \u{1B}[0m"
        faults.next = .on(name + String(repeating: "x", count: 100_000), where: { _ in true }, .status(404))
        _ = await failure(try client())
        let line = try #require(log.messages.first)
        #expect(line.contains("a.example") && line.hasPrefix("#"))
        #expect(!line.contains("SECRET") && !line.contains("\n") && !line.contains("\u{1B}"))
        #expect(line.utf8.count < 1000 && line.hasSuffix(", injected by FaultInjection"))
    }

    @Test("the next fault is for one of many calls at once")
    func concurrent() async throws {
        let client = try client()
        faults.next = .on(.get, "/v1/*", .status(404))
        let failed = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { await failure(client) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(failed == 1)
    }

    @Test("faults are for the calls of a name and the requests that meet a condition, in order, until they are cleared")
    func order() async throws {
        let client = try client()
        faults.add(.status(400).repeated(2), for: "Numbers")
        faults.add(.on(.put, "/v1/numbers", .status(401)))
        faults.add(.status(402).repeated(), for: "Other")
        var codes: [Int?] = []
        for (name, method) in [("Numbers", HTTP.Method.get), ("Numbers", .put), ("Numbers", .put), ("Numbers", .get)] {
            codes.append(await failure(client, Numbers(name: name, method: method))?.statusCode)
        }
        codes.append(await failure(client, Numbers(name: "Other"))?.statusCode)
        faults.clear()
        codes.append(await failure(client, Numbers(name: "Other"))?.statusCode)
        #expect(codes == [400, 400, 401, nil, 402, nil])
    }

    @Test("a share is that of the numbers drawn, and the same for the same seed")
    func share() async throws {
        faults.add(.status(404).repeated(), share: 0.3)
        var runs: [[Bool]] = []
        for _ in 0..<2 {
            let client = try client(random: SeededRandom(seed: 42))
            var run: [Bool] = []
            for _ in 0..<20 {
                run.append(await failure(client) != nil)
            }
            runs.append(run)
        }
        let numbers = SeededRandom(seed: 42)
        #expect(runs == [runs[0], (0..<20).map { _ in numbers.unit() < 0.3 }])
        for share in [0, -1, Double.nan] {
            faults.clear()
            faults.add(.status(404).repeated(), share: share)
            #expect(try await failure(client(random: FixedRandom(units: 0))) == nil)
        }
    }

    @Test("a latency waits on the call's clock, and then the request is sent, once") func latency() async throws {
        let clock = ManualClock()
        let client = try client(clock)
        faults.next = .delay(.seconds(3), then: .network)
        let task = Task { try await client.send(Numbers()) }
        await clock.waitForSleeper(remaining: .seconds(3))
        #expect(network.requests.isEmpty)
        await clock.advance(by: .seconds(3))
        #expect(try await task.value == [1])
        #expect(network.requests.count == 1)
    }

    @Test("a request that hangs ends at the time limit of the attempt") func hang() async throws {
        let clock = ManualClock()
        let client = try client(clock)
        faults.next = .hang
        let task = Task { await failure(client, Numbers(method: .post)) }
        await clock.waitForSleeper(remaining: .seconds(30))
        await clock.advance(by: .seconds(30))
        #expect(await task.value?.code == "timeout.attempt")
        #expect(network.requests.isEmpty)
    }

    @Test("leaves the limit of an attempt to a transport that counts it without the wait for a connection")
    func limits() async throws {
        let client = try client().withChain { $0.replacing(transport: Limited()) }
        #expect(try await client.send(Numbers()) == [30])
    }

    @Test("ends its own fault at the limit of an attempt that it leaves to the transport")
    func ownLimit() async throws {
        let clock = ManualClock()
        let client = try client(clock).withChain { $0.replacing(transport: Limited()) }
        faults.next = .hang
        let task = Task { await failure(client, Numbers(method: .post)) }
        await clock.waitForSleeper(remaining: .seconds(30))
        await clock.advance(by: .seconds(30))
        #expect(await task.value?.code == "timeout.attempt")
    }

    @Test("belongs inside all roles of the standard order, and only there") func place() throws {
        #expect(try client().chain.orderIssues.isEmpty)
        let outside = try client().withChain { $0.removing(faults.role).prepending(faults) }
        let inside = outside.chain.roles.dropFirst()
        #expect(Set(outside.chain.orderIssues.map(\.rule.outer)) == Set(inside))
    }

    @Test("a script has no network behind it") func script() async throws {
        let client = try client().withChain { $0.replacing(transport: ScriptedTransport(.network)) }
        #expect(await failure(client)?.code == "rejected.script")
    }
}
