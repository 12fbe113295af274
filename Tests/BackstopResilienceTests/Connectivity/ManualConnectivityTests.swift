import BackstopCore
import BackstopResilience
import BackstopTestSupport
import Dispatch
import Testing

@Suite("ManualConnectivity", .limited)
struct ManualConnectivityTests {
    /// What an observer learns last, when nobody sets anything any more.
    private func last(of states: AsyncStream<ConnectivityState>) async -> ConnectivityState? {
        // Only the newest state is kept until somebody asks.
        var iterator = states.makeAsyncIterator()
        return await iterator.next()
    }

    @Test("tells an observer the present state at once", arguments: [ConnectivityState.online, .offline])
    func present(state: ConnectivityState) async {
        #expect(await last(of: ManualConnectivity(state).states()) == state)
    }

    @Test("tells observers the last state, whoever sets it at the same time", arguments: Seed.ofRun)
    func setAtOnce(seed: Seed) async {
        var numbers = seed.numbers
        for round in 0..<5000 {
            let connectivity = ManualConnectivity(.offline)
            let states = connectivity.states()
            let pause = numbers.below(40)
            async let other: Void = {
                for _ in 0..<pause { _ = connectivity.state }
                for _ in 0..<3 { connectivity.state = .offline }
            }()
            for _ in 0..<6 { connectivity.state = .online }
            await other
            let told = await last(of: states)
            guard told == connectivity.state else {
                Issue.record("round \(round): told \(told?.rawValue ?? "nothing"), is \(connectivity.state)")
                return
            }
        }
    }

    @Test("tells an observer the last state that comes as the state changes", arguments: Seed.ofRun)
    func observedAtOnce(seed: Seed) async {
        var numbers = seed.numbers
        for round in 0..<2000 {
            let connectivity = ManualConnectivity(.offline)
            let isReady = Lock(false)
            let pause = numbers.below(2000)
            async let observers = {
                isReady.withLock { $0 = true }
                return (0..<50).map { _ in connectivity.states() }
            }()
            async let set: Void = {
                while !isReady.withLock({ $0 }) { await Task.yield() }
                for _ in 0..<pause { _ = connectivity.state }
                connectivity.state = .online
            }()
            let all = await observers
            await set
            for states in all where await last(of: states) != .online {
                Issue.record("round \(round): an observer waits in vain")
                return
            }
        }
    }

    @Test("calls that stop waiting as the state changes hold up neither one another nor who sets it")
    func cancelledAtOnce() async {
        let connectivity = ManualConnectivity(.offline)
        let isOver = Lock(false)
        DispatchQueue.global().async {
            while !isOver.withLock({ $0 }) { connectivity.state = .offline }
        }
        for _ in 0..<3000 {
            let waits = (0..<4).map { _ in
                Task { for await state in connectivity.states() where state == .online { return } }
            }
            await Task.yield()
            for wait in waits { wait.cancel() }
            for wait in waits { await wait.value }
        }
        isOver.withLock { $0 = true }
        while !connectivity.isAtRest { await Task.yield() }
    }
}
