import BackstopTestSupport
import Testing

@testable import BackstopCore
@testable import BackstopResilience

/// What a circuit has to do, written down a second time: with whole milliseconds, and lists that are counted anew in
/// each step.
private struct Model {
    struct Setting {
        var ratio: Double
        var slowRatio: Double?
        var lastCalls: Int?
        var windowMilliseconds = 0
        var minimum: Int
        var firstBreak: Int
        var longestBreak: Int
        var probes: Int
        var lease: Int
    }

    struct Call {
        var epoch: Int
        var probeUntil: Int?
    }

    enum State: Equatable {
        case closed, halfOpen, isolated
        case open(Int)
    }

    let setting: Setting
    var state = State.closed
    var epoch = 0
    /// The results of this epoch: when, failed, slow.
    var results: [(at: Int, failed: Bool, slow: Bool)] = []
    var calls: [Int: Call] = [:]
    var goodProbes = 0
    var openings = 0
    var closedAt: Int?

    mutating func change(_ next: State) {
        state = next
        epoch += 1
        results = []
        goodProbes = 0
    }

    func probesHolding(_ now: Int) -> [Call] {
        calls.values.filter { $0.epoch == epoch && $0.probeUntil.map { $0 > now } ?? false }
    }

    /// Nil when it is let through, else until when not; -1 for unknown.
    mutating func begin(_ id: Int, _ now: Int) -> Int? {
        switch state {
        case .isolated: return -1
        case .open(let end) where now < end: return end
        case .open: change(.halfOpen)
        case .closed:
            calls[id] = Call(epoch: epoch)
            return nil
        case .halfOpen: break
        }
        let holding = probesHolding(now)
        guard holding.count + goodProbes < setting.probes else {
            return -1
        }
        calls[id] = Call(epoch: epoch, probeUntil: now + setting.lease)
        return nil
    }

    mutating func end(_ id: Int, failed: Bool?, slow: Bool, _ now: Int) {
        guard let call = calls.removeValue(forKey: id), call.epoch == epoch, let failed else {
            return
        }
        if let until = call.probeUntil {
            if failed || slow {
                if now < until {
                    open(now)
                }
                return
            }
            goodProbes += 1
            if goodProbes == setting.probes {
                change(.closed)
                closedAt = now
            }
            return
        }
        results.append((now, failed, slow))
        var counted = results
        if let last = setting.lastCalls {
            counted = Array(results.suffix(last))
        } else {
            let cell = setting.windowMilliseconds / 10
            counted = results.filter { $0.at / cell > now / cell - 10 }
        }
        guard failed || slow, counted.count >= setting.minimum else {
            return
        }
        let share = { (wanted: Int) in Double(wanted) / Double(counted.count) }
        if share(counted.filter(\.failed).count) >= setting.ratio {
            open(now)
        } else if let slowRatio = setting.slowRatio, share(counted.filter(\.slow).count) >= slowRatio {
            open(now)
        }
    }

    mutating func open(_ now: Int) {
        let again = state == .halfOpen || closedAt.map { now - $0 < setting.longestBreak } ?? false
        openings = again ? openings + 1 : 1
        var length = setting.firstBreak
        for _ in 1..<openings where length < setting.longestBreak {
            length *= 2
        }
        change(.open(now + min(length, setting.longestBreak)))
    }

    mutating func reset() {
        change(.closed)
        openings = 0
        closedAt = nil
    }
}

@Suite("A circuit, against a model of it", .limited)
struct CircuitModelTests {
    @Test(
        "does what the model does, whatever the order of calls, results and pauses", arguments: Seed.ofRun(and: [1, 2]))
    func model(seed: Seed) throws {
        var random = seed.numbers
        for round in 0..<400 {
            let isByCalls = random.below(2) == 0
            let size = 1 + random.below(12)
            let setting = Model.Setting(
                ratio: Double(1 + random.below(10)) / 10, slowRatio: random.below(3) == 0 ? 0.5 : nil,
                lastCalls: isByCalls ? size : nil, windowMilliseconds: 10 * (1 + random.below(30)),
                minimum: 1 + random.below(size), firstBreak: 1 + random.below(100),
                longestBreak: 100 + random.below(300),
                probes: 1 + random.below(3), lease: 1 + random.below(80))
            try run(setting, steps: 300, &random, "round \(round)")
        }
    }

    private func run(_ setting: Model.Setting, steps: Int, _ random: inout SeededNumbers, _ name: String) throws {
        let policy = try CircuitBreakerPolicy(
            failureRatio: setting.ratio,
            window: setting.lastCalls.map { try .calls($0) } ?? .time(.milliseconds(setting.windowMilliseconds)),
            minimumThroughput: setting.minimum, slowCallDuration: setting.slowRatio == nil ? nil : .milliseconds(1),
            slowCallRatio: setting.slowRatio ?? 1, breakDuration: .milliseconds(setting.firstBreak),
            maximumBreakDuration: .milliseconds(setting.longestBreak), jitter: false, probes: setting.probes,
            probeLease: .milliseconds(setting.lease))
        var circuit = Circuit(policy)
        var model = Model(setting: setting)
        var permits: [Int: Circuit.Permit] = [:]
        var now = 1000
        let failing = random.below(101)
        for step in 0..<steps {
            switch random.below(20) {
            case 0..<9:
                let admission = circuit.admit(now: .milliseconds(now)) { _ in }
                let refused = model.begin(step, now)
                switch admission {
                case .admitted(let permit):
                    try #require(refused == nil, "\(name), step \(step)")
                    permits[step] = permit
                case .refused(let end):
                    try #require(end.map { Int($0.milliseconds.rounded()) } ?? -1 == refused, "\(name), step \(step)")
                }
            case 9..<16:
                guard let id = permits.keys.sorted().randomElement(using: &random), let permit = permits[id] else {
                    continue
                }
                permits[id] = nil
                let outcome: CircuitOutcome =
                    random.below(8) == 0 ? .ignored : random.below(100) < failing ? .failure : .success
                let slow = setting.slowRatio != nil && random.below(4) == 0
                _ = circuit.settle(permit, outcome, isSlow: slow, now: .milliseconds(now))
                model.end(id, failed: outcome == .ignored ? nil : outcome == .failure, slow: slow, now)
            case 16..<19:
                now += random.below(60)
            case _ where random.below(10) == 0:
                _ = circuit.isolate()
                if model.state != .isolated {
                    model.change(.isolated)
                }
            case _ where random.below(4) == 0 || model.state == .isolated:
                _ = circuit.reset()
                model.reset()
            default: break
            }
            let expected: CircuitState =
                switch model.state {
                case .closed: .closed
                case .halfOpen: .halfOpen
                case .isolated: .isolated
                case .open(let end): .open(until: .milliseconds(end))
                }
            try #require(circuit.state == expected, "\(name), step \(step)")
            try #require(circuit.running == model.calls.count, "\(name), step \(step)")
            let probes = model.state == .halfOpen ? model.probesHolding(now).count : 0
            try #require(circuit.runningProbes(at: .milliseconds(now)) == probes, "\(name), step \(step)")
        }
        // Afterwards everything that was given out is back.
        for permit in permits.values {
            _ = circuit.settle(permit, .ignored, isSlow: false, now: .milliseconds(now))
        }
        #expect(circuit.running == 0)
        #expect(circuit.runningProbes(at: .milliseconds(now)) == 0)
    }
}
