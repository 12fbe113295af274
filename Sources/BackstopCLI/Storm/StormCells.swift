#if Demo
    internal import BackstopCore
    internal import BackstopTesting
    internal import Foundation

    /// One of the cells that the default policy is held against: who calls, what happens, and what must come of it.
    struct StormCell: Sendable {
        /// Who calls how often.
        enum Callers: String, CaseIterable {
            case servers = "0.02 s"
            case tenSeconds = "10 s"
            case minute = "60 s"
            case twoMinutes = "120 s"
            case tenMinutes = "600 s"
            case hour = "3600 s"
            case mixture = "60, 600 s"

            var interval: Double {
                switch self {
                case .servers: 0.02
                case .tenSeconds: 10
                case .minute, .mixture: 60
                case .twoMinutes: 120
                case .tenMinutes: 600
                case .hour: 3600
                }
            }
        }

        /// What happens.
        enum Event: String, CaseIterable {
            case hangs, refuses
            case someGone = "30 % gone"
            case someHang = "30 % hang"
            case someRefuse = "30 % refuse"
            case faults = "1 % faults"
            case lost = "1 % lost"

            var isOutage: Bool { self != .faults && self != .lost }
        }

        let callers: Callers
        let event: Event
        let settings: StormSettings

        init(
            _ callers: Callers, _ event: Event, load: Double = 0.8, timeout: Double = 5, outage: Int = 0,
            rate: Double? = nil, seed: UInt64 = 1
        ) {
            self.callers = callers
            self.event = event
            var settings = StormSettings()
            // The calls a second of all clients. An outage of ten minutes has fewer, because it lasts so long.
            let rate = rate ?? (outage < 600 ? 200 : callers == .servers ? 100 : 60)
            let share = callers == .mixture ? 0.5 : 1
            settings.clients = max(1, Int((rate * share * callers.interval).rounded()))
            settings.interval = callers.interval
            settings.secondInterval = callers == .mixture ? 600 : nil
            settings.load = load
            settings.timeout = timeout
            settings.outage = outage
            settings.outageKind =
                switch event {
                case .refuses, .someRefuse: .refuse
                case .someGone: .gone
                case .hangs, .someHang, .faults, .lost: .hang
                }
            settings.down = [.someGone, .someHang, .someRefuse].contains(event) ? 0.3 : 1
            settings.failureRate = event.isOutage ? 0 : 0.01
            settings.failureKind = event == .lost ? .timeout : .fast
            // A queue takes load / (1 - load) times the outage to work off.
            let queue = settings.outageKind == .refuse && settings.down == 1 ? 0 : Double(outage) * load / (1 - load)
            settings.after = event.isOutage ? Int(queue * 1.25) + 150 : 2000
            settings.seed = seed
            self.settings = settings
        }

        /// All of them.
        static func all(seed: UInt64) -> [StormCell] {
            Event.allCases.flatMap { event in
                Callers.allCases.flatMap { callers -> [StormCell] in
                    guard event.isOutage else {
                        return [StormCell(callers, event, seed: seed)]
                    }
                    return [10, 60, 600].flatMap { outage in
                        [0.5, 0.8, 0.9].flatMap { load in
                            (event == .refuses ? [5.0] : [5.0, 30]).map { timeout in
                                StormCell(
                                    callers, event, load: load, timeout: timeout, outage: outage, seed: seed)
                            }
                        }
                    }
                }
            }
        }

        /// What both policies made of it.
        struct Outcome: Sendable {
            let cell: StormCell
            let never: StormResult
            let result: StormResult

            /// What the goals say against it; nil for nothing.
            var miss: String? {
                if result.refusedLocally > 0 {
                    return "\(StormReport.percent(result.refusedLocally)) of calls not sent"
                }
                if let least = never.recoverySeconds, cell.event.isOutage {
                    guard let recovery = result.recoverySeconds else {
                        return "never recovers, without retries after \(least) s"
                    }
                    if Double(recovery) > 1.1 * Double(least) + 10 {
                        return "recovers after \(recovery) s, without retries after \(least) s"
                    }
                }
                if result.succeeded < never.succeeded - 0.005 {
                    return "serves \(StormReport.percent(result.succeeded)), "
                        + "without retries \(StormReport.percent(never.succeeded))"
                }
                if cell.event == .refuses, result.amplification > 2.8 {
                    return String(format: "%.2f requests a call", result.amplification)
                }
                if cell.event == .faults, result.succeeded < 0.9999 {
                    return "serves \(StormReport.percent(result.succeeded))"
                }
                return nil
            }
        }

        func run(_ policy: StormPolicy = StormPolicy(name: "backstop", title: "", policy: .standard)) -> Outcome {
            Outcome(
                cell: self, never: Storm.run(settings, StormPolicy(name: "none", title: "", policy: .never)),
                result: Storm.run(settings, policy))
        }
    }

    /// All cells, and what came of them.
    struct StormCells: Sendable {
        let outcomes: [StormCell.Outcome]
        /// How often a client is answered that calls 24 times, once in 5 minutes, each time over a dead connection.
        let polls: Int

        /// Polls over connections that have died meanwhile.
        static func poll(every seconds: Int = 300, times: Int = 24) -> Int {
            var settings = StormSettings()
            (settings.clients, settings.interval, settings.load) = (1, Double(seconds), 0.001)
            (settings.before, settings.outage, settings.after) = (0, 0, seconds * times)
            (settings.failureRate, settings.failureKind) = (1, .idle)
            let result = Storm.run(
                settings, StormPolicy(name: "backstop", title: "", policy: .standard),
                calls: (0..<times).map { Storm.GivenCall(seconds: Double($0 * seconds), client: 0) })
            return Int((result.succeeded * Double(times)).rounded())
        }

        /// What misses its goal.
        var misses: [String] {
            let cells = outcomes.compactMap { outcome in
                outcome.miss.map { "\(StormReport.summary(outcome.cell.settings)): \($0)" }
            }
            return cells + (polls == 24 ? [] : ["\(polls) of 24 polls over dead connections"])
        }

        /// A table: a line for those who call, a column for what happens.
        func text(style: Style) -> String {
            let rows = StormCell.Callers.allCases.map { callers in
                [callers.rawValue]
                    + StormCell.Event.allCases.map { event in
                        Self.entry(outcomes.filter { $0.cell.callers == callers && $0.cell.event == event }, event)
                    }
            }
            let heads = ["a call every"] + StormCell.Event.allCases.map(\.rawValue)
            let misses = misses
            return
                ([
                    "recovery at most 1.1 times that of never retrying and 10 s, share served at most 0.005 below it, "
                        + "refusing 2.8 requests a call, 1 % faults 0.9999; the worst of each:", "",
                ]
                + StormReport.lines(heads, rows, style: style)
                + ["", "\(polls) of 24 polls over connections that are always dead by then succeed."]
                + (misses.isEmpty ? ["PASS"] : misses.map { "FAIL: \($0)" }))
                .joined(separator: "\n")
        }

        private static func entry(_ outcomes: [StormCell.Outcome], _ event: StormCell.Event) -> String {
            guard let worst = outcomes.map({ $0.result.succeeded - $0.never.succeeded }).min() else {
                return ""
            }
            let misses = outcomes.count { $0.miss != nil }
            let mark = misses == 0 ? "PASS" : "FAIL \(misses)/\(outcomes.count)"
            switch event {
            case .faults, .lost:
                return mark + outcomes.map { String(format: " %.4f", $0.result.succeeded) }.joined()
            case .refuses:
                return mark + String(format: " %.2f", outcomes.map(\.result.amplification).max() ?? 0)
            case .hangs, .someGone, .someHang, .someRefuse:
                let later = outcomes.compactMap { outcome in
                    outcome.result.recoverySeconds.flatMap { end in outcome.never.recoverySeconds.map { end - $0 } }
                }
                return mark + String(format: " %+d s %+.3f", later.max() ?? 0, worst)
            }
        }
    }
#endif
