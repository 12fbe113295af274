#if Demo
    internal import BackstopCore
    internal import BackstopResilience
    internal import Foundation

    /// A simulation of discrete events: clients that call a server through an outage, with one policy.
    ///
    /// The clients together are a Poisson process, each call being that of a random client, which is the same as a
    /// Poisson process for each. What they know, they know from their own calls: one account of the retry budget each.
    /// The server serves one request after another, each in the same time. A request whose client is gone is served all
    /// the same.
    struct Storm {
        /// The time since the beginning, in nanoseconds.
        private var now: Int64 = 0
        private var calls: [Call] = []
        private var freeSlots: [Int32] = []
        private var accounts: [RetryBudget.Account] = []
        private var circuits: [Circuit] = []
        private var bulkheads: [BulkheadState<Int32>] = []
        private var events = EventHeap()
        /// The timeouts, which need no heap: each comes as late after its request.
        private var timeouts = StormLine<(time: Int64, job: Job)>()
        private var queue = StormLine<Job>()
        private var serving: Job?
        private var served: Int64 = 0
        private var nextCall: Int64 = 0
        /// The calls still to come, if they are given and not random.
        private var given: [GivenCall]?
        private var arrivals: StormRandom
        private var faults: StormRandom
        private let random: SeededRandom
        private let settings: StormSettings
        private let policy: RetryPolicy
        private let times: StormTimes
        private var counts = Counts()
        private var result = StormResult()

        private let candidates: [RetryCandidate]
        private let outcomes: [CircuitOutcome]
        private static let clock = StormClock()

        private init(_ settings: StormSettings, _ policy: StormPolicy, _ given: [GivenCall]?) {
            self.given = given.map { $0.reversed() }
            self.settings = settings
            self.policy = policy.policy
            times = StormTimes(settings)
            arrivals = StormRandom(seed: settings.seed, stream: 1)
            faults = StormRandom(seed: settings.seed, stream: 2)
            random = SeededRandom(seed: settings.seed &* 0x9E37_79B9_7F4A_7C15 &+ 4)
            // In the order of `Cause`.
            let errors: [any Error] = [
                TimeoutError(.attempt, after: .seconds(settings.timeout)), TransportError(.refused),
                TransportError(.lost),
            ]
            let reasons = errors.map { Failure.Reason(classifying: $0, isCancelled: false) }
            candidates = zip(reasons, errors).map { reason, error in
                RetryCandidate(reason: reason, error: error, sentRequest: UnsentRequest())
            }
            outcomes = reasons.map { reason in
                let candidate = CircuitCandidate(reason: reason, wasSent: true, duration: .seconds(settings.timeout))
                return policy.breaker?.outcome(candidate) ?? .ignored
            }
            let clients = settings.clients + settings.secondClients
            accounts = Array(repeating: RetryBudget.Account(), count: clients)
            circuits = policy.breaker.map { Array(repeating: Circuit($0), count: clients) } ?? []
            if policy.isLimited {
                bulkheads = Array(
                    repeating: BulkheadState(adaptive: AdaptiveLimit(minimum: 10), queue: .standard), count: clients)
            }
            result.load = Array(repeating: 0, count: settings.duration)
            result.good = result.load
        }

        /// A call at a time of one's own.
        struct GivenCall {
            var seconds: Double
            var client: Int
        }

        /// Runs a storm.
        ///
        /// - Parameter calls: The calls, in order, in the place of random ones.
        static func run(
            _ settings: StormSettings, _ policy: StormPolicy, calls: [GivenCall]? = nil
        ) -> StormResult {
            var storm = Storm(settings, policy, calls)
            storm.run()
            var result = storm.summary()
            result.policy = policy.name
            result.title = policy.title
            return result
        }

        // MARK: Time

        private mutating func run() {
            planCall()
            let never = Int64.max
            while true {
                let call = nextCall < times.end ? nextCall : never
                let service = serving == nil ? never : served
                let timeout = timeouts.first?.time ?? never
                let event = events.nextTime ?? never
                // What the server has done comes before what the clients do at the same moment.
                let next = min(min(service, timeout), min(event, call))
                // The outage is over, and the server begins to work off its queue.
                if serving == nil, queue.count > 0, times.outage.upperBound <= next, now <= times.outage.upperBound {
                    now = times.outage.upperBound
                    serve()
                    continue
                }
                guard next < never else {
                    return
                }
                now = next
                if next == service {
                    finishService()
                } else if next == timeout, let due = timeouts.popFirst() {
                    if isCurrent(due.job) {
                        fail(due.job.slot, .timeout)
                    }
                } else if next == event, let due = events.popFirst() {
                    handle(due)
                } else {
                    let client = given?.popLast()?.client ?? drawClient()
                    planCall()
                    begin(client: Int32(client))
                }
                // Nothing that matters happens any more; the queue of a dead server may be endless.
                if now >= times.end, freeSlots.count == calls.count {
                    return
                }
            }
        }

        /// When the next call begins.
        private mutating func planCall() {
            if let given {
                nextCall = given.last.map { Int64(($0.seconds * 1e9).rounded()) } ?? .max
            } else {
                nextCall += Int64((-log(1 - arrivals.unit()) * times.between).rounded())
            }
        }

        private mutating func drawClient() -> Int {
            guard settings.secondClients > 0, arrivals.unit() < 0.5 else {
                return arrivals.below(settings.clients)
            }
            return settings.clients + arrivals.below(settings.secondClients)
        }

        private mutating func handle(_ event: StormEvent) {
            guard isCurrent((event.slot, event.generation)) else {
                return
            }
            switch event.kind {
            case .failure: fail(event.slot, calls[Int(event.slot)].cause)
            case .retry: send(event.slot)
            case .noPlace:
                bulkheads[Int(calls[Int(event.slot)].client)].giveUp(UInt64(event.slot))
                refuse(event.slot)
            }
        }

        // MARK: Clients

        private mutating func begin(client: Int32) {
            counts.begun += 1
            if isCounted {
                counts.begunInOutage += 1
            }
            let slot = freeSlots.popLast() ?? Int32(calls.count)
            if slot == calls.count {
                calls.append(Call())
            }
            let generation = calls[Int(slot)].generation
            calls[Int(slot)] = Call(client: client, generation: generation)
            send(slot)
        }

        /// A request fails: the same decisions as `Retry` makes, by the same policy and budget.
        private mutating func fail(_ slot: Int32, _ cause: Cause) {
            let call = calls[Int(slot)]
            let position = cause.rawValue
            let candidate = candidates[position]
            let time = Duration.nanoseconds(now)
            let client = Int(call.client)
            accounts[client].fail(at: time, policy.budget)
            let isTimeout = cause == .timeout
            settle(call, outcomes[position], isTimeout: isTimeout)
            let failed = Int(call.attempts)
            let isAnswered = accounts[client].hasAnsweredAttempt(after: .nanoseconds(call.start))
            guard policy.stopReason(for: candidate, failed: failed) == nil,
                !isTimeout
                    || policy.stopReasonAfterTimeout(hasRepeated: call.repeatsTimeout, isAnswered: isAnswered) == nil,
                case .wait(let wait, _) = policy.pause(
                    after: failed, response: nil, clock: Self.clock, random: random),
                accounts[client].take(isTimeout ? RetryBudget.timeoutCost : 1, at: time, policy.budget)
            else {
                return end(slot)
            }
            calls[Int(slot)].repeatsTimeout = call.repeatsTimeout || isTimeout
            let delay = Int64((wait.chosen.seconds * 1e9).rounded())
            calls[Int(slot)].generation &+= 1
            schedule(.retry, slot, after: delay)
        }

        private mutating func succeed(_ slot: Int32) {
            let call = calls[Int(slot)]
            let client = Int(call.client)
            settle(call, .success, isTimeout: false)
            accounts[client].succeed(at: .nanoseconds(now), policy.budget)
            accounts[client].noteAnswer(toAttemptAt: .nanoseconds(call.start))
            counts.succeeded += 1
            if now < times.end {
                result.good[Int(now / 1_000_000_000)] += 1
            }
            end(slot)
        }

        private mutating func end(_ slot: Int32) {
            calls[Int(slot)].generation &+= 1
            freeSlots.append(slot)
        }

        // MARK: The network

        private mutating func send(_ slot: Int32) {
            calls[Int(slot)].generation &+= 1
            guard admit(slot) else {
                return refuse(slot)
            }
            guard !bulkheads.isEmpty else {
                return transmit(slot)
            }
            let client = Int(calls[Int(slot)].client)
            bulkheads[client].renew(at: .nanoseconds(now))
            pass(bulkheads[client].admit(), of: client)
            switch bulkheads[client].enterOrWait(slot, number: UInt64(slot)) {
            case .runs: transmit(slot)
            case .refused: refuse(slot)
            case .waits: schedule(.noPlace, slot, after: times.wait)
            }
        }

        /// Sends the requests that have a place of a client's bulkhead now.
        private mutating func pass(_ first: Int32?, of client: Int) {
            var next = first
            while let slot = next {
                transmit(slot)
                next = bulkheads[client].admit()
            }
        }

        private mutating func refuse(_ slot: Int32) {
            counts.refused += 1
            end(slot)
        }

        private mutating func transmit(_ slot: Int32) {
            calls[Int(slot)].generation &+= 1
            if !bulkheads.isEmpty {
                calls[Int(slot)].mark = bulkheads[Int(calls[Int(slot)].client)].mark
            }
            calls[Int(slot)].attempts += 1
            calls[Int(slot)].start = now
            if isCounted {
                counts.sentInOutage += 1
            }
            if now < times.end {
                result.load[Int(now / 1_000_000_000)] += 1
            }
            let isFirst = calls[Int(slot)].attempts == 1
            let isFaulty =
                settings.failureRate > 0 && faults.unit() < settings.failureRate
                && (settings.failureKind != .idle || isFirst)
            let isOut =
                isOutage && (settings.down >= 1 || settings.outageKind != .gone && faults.unit() < settings.down)
            if isOut && settings.outageKind == .refuse || isFaulty && settings.failureKind != .timeout {
                calls[Int(slot)].cause = isOut && settings.outageKind == .refuse ? .refused : .fault
                return schedule(.failure, slot, after: times.failure)
            }
            let job = (slot: slot, generation: calls[Int(slot)].generation)
            timeouts.append((now + times.timeout, job))
            // What waits at a service that is out as a whole is served afterwards.
            if !isFaulty, !isOut || settings.down >= 1 {
                queue.append(job)
                serve()
            }
        }

        /// Whether the client's breaker lets the request out.
        private mutating func admit(_ slot: Int32) -> Bool {
            guard !circuits.isEmpty else {
                return true
            }
            let client = Int(calls[Int(slot)].client)
            guard case .admitted(let permit) = circuits[client].admit(now: .nanoseconds(now), changes: { _ in }) else {
                return false
            }
            calls[Int(slot)].permit = permit
            return true
        }

        private mutating func settle(_ call: Call, _ outcome: CircuitOutcome, isTimeout: Bool) {
            if !bulkheads.isEmpty {
                let client = Int(call.client)
                if isTimeout || outcome == .success {
                    _ = bulkheads[client].count(isTimeout: isTimeout, since: call.mark, now: .nanoseconds(now))
                }
                pass(bulkheads[client].leave(), of: client)
            }
            if let permit = call.permit {
                _ = circuits[Int(call.client)].settle(
                    permit, outcome, isSlow: false, now: .nanoseconds(now),
                    unit: outcome == .failure ? random.unit() : 0)
            }
        }

        private mutating func schedule(_ kind: StormEvent.Kind, _ slot: Int32, after delay: Int64) {
            events.schedule(
                StormEvent(
                    time: now + delay, kind: kind, slot: slot, generation: calls[Int(slot)].generation))
        }

        // MARK: The server

        private mutating func serve() {
            guard serving == nil, settings.outageKind == .refuse || settings.down < 1 || !isOutage,
                let job = queue.popFirst()
            else {
                return
            }
            serving = job
            served = now + (isOutage ? times.partialService : times.service)
        }

        private mutating func finishService() {
            guard let job = serving else {
                return
            }
            serving = nil
            counts.served += 1
            if isCurrent(job) {
                succeed(job.slot)
            } else {
                counts.wasted += 1
            }
            serve()
        }

        // MARK: Results

        /// Whether a call still waits for this request.
        private func isCurrent(_ job: Job) -> Bool {
            calls[Int(job.slot)].generation == job.generation
        }

        private var isOutage: Bool {
            times.outage.contains(now)
        }

        /// Whether what happens now counts for the amplification.
        private var isCounted: Bool {
            times.outage.isEmpty ? now < times.end : isOutage
        }

        private mutating func summary() -> StormResult {
            func share(_ part: Int, of whole: Int) -> Double {
                whole == 0 ? 0 : Double(part) / Double(whole)
            }
            result.clients = settings.clients + settings.secondClients
            result.outageSeconds = settings.outage
            result.amplification = share(counts.sentInOutage, of: counts.begunInOutage)
            result.peakLoad = Double(result.load.max() ?? 0) / settings.capacity
            result.succeeded = share(counts.succeeded, of: counts.begun)
            result.wasted = share(counts.wasted, of: counts.served)
            result.refusedLocally = share(counts.refused, of: counts.begun)
            result.recoverySeconds = Self.recovery(
                good: result.good, after: settings.outageTime.upperBound, offered: settings.callRate)
            return result
        }

        /// The seconds until six in a row serve 97 % of the offered load.
        static func recovery(good: [Int32], after end: Int, offered: Double) -> Int? {
            (end...max(end, good.count - 1)).first { second in
                let window = good[second..<min(second + 6, good.count)]
                return window.count == 6 && Double(window.reduce(0, +)) >= 0.97 * offered * 6
            }
            .map { $0 - end }
        }
    }
#endif
