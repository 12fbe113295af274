#if Demo
    @testable import BackstopCLI
    import BackstopCore
    import Testing

    /// The model, checked against runs that can be worked out on paper: a server that serves one request a second.
    @Suite("Storm: the model")
    struct StormTests {
        /// One client that calls once a second, at a load of 1: the capacity is one request a second.
        private func settings(
            timeout: Double, before: Int = 10, outage: Int = 0, after: Int = 0,
            _ change: (inout StormSettings) -> Void = { _ in }
        ) -> StormSettings {
            var settings = StormSettings()
            settings.clients = 1
            settings.interval = 1
            settings.load = 1
            settings.timeout = timeout
            settings.before = before
            settings.outage = outage
            settings.after = after
            change(&settings)
            return settings
        }

        private func run(_ settings: StormSettings, _ policy: RetryPolicy = .never, _ times: Double...) -> StormResult {
            Storm.run(
                settings, StormPolicy(name: "test", title: "test", policy: policy),
                calls: times.map { Storm.GivenCall(seconds: $0, client: 0) })
        }

        private static let immediate: RetryPolicy = {
            (try? RetryPolicy(attempts: 3, backoff: .none, budget: .unlimited)) ?? .never
        }()

        @Test("serves one after another, also those whose clients have gone")
        func fifo() {
            // Served from 0 to 1, 1 to 2, 2 to 3, 3 to 4; the last two are given up at 2.7 and 2.8.
            let result = run(settings(timeout: 2.5), .never, 0, 0.1, 0.2, 0.3)
            #expect(result.good == [0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
            #expect(result.load == [4, 0, 0, 0, 0, 0, 0, 0, 0, 0])
            #expect(result.succeeded == 0.5)
            #expect(result.wasted == 0.5)
            #expect(result.peakLoad == 4)
        }

        @Test("with the newest first, serves late calls in time and early ones never")
        func lifo() {
            // 0 to 1: the first. 1 to 2: that of 0.9. 2 to 3: that of 1.8. Then those of 0.2 and 0.1, long gone.
            let calls = [0, 0.1, 0.2, 0.9, 1.8]
            let first = run(settings(timeout: 1.5), .never, calls[0], calls[1], calls[2], calls[3], calls[4])
            let last = run(
                settings(timeout: 1.5) { $0.queue = .lifo }, .never, calls[0], calls[1], calls[2], calls[3], calls[4])
            #expect(first.succeeded == 0.2)
            #expect(last.succeeded == 0.6)
            #expect(last.good.prefix(6) == [0, 1, 1, 1, 0, 0])
        }

        @Test("that sheds refuses what would wait for more than half of the timeout")
        func shed() {
            // One is served, two wait, and the fourth is refused at once.
            let result = run(settings(timeout: 4) { $0.queue = .shed }, .never, 0, 0.1, 0.2, 0.3)
            #expect(result.succeeded == 0.75)
            #expect(result.wasted == 0)
        }

        @Test("in an outage that hangs, serves nothing and works off its queue afterwards")
        func hang() {
            // The first is served from 0.5 to 1.5, although the outage begins at 1. The second would be from 3 to 4, and is
            // given up at 3.7; the third from 4 to 5, and is given up at 4.5; the fourth from 5 to 6.
            let result = run(settings(timeout: 2.5, before: 1, outage: 2, after: 7), .never, 0.5, 1.2, 2, 4.6)
            #expect(result.good == [0, 1, 0, 0, 0, 0, 1, 0, 0, 0])
            #expect(result.wasted == 0.5)
            #expect(result.amplification == 1)
        }

        @Test("in an outage that refuses, is free again at its end")
        func refuse() {
            // Three attempts within 60 ms; then a call that is served at once.
            let result = run(
                settings(timeout: 2.5, before: 1, outage: 2, after: 7) { $0.outageKind = .refuse }, Self.immediate,
                1.2, 3)
            #expect(result.amplification == 3)
            #expect(result.load == [0, 3, 0, 1, 0, 0, 0, 0, 0, 0])
            #expect(result.good == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0])
        }

        @Test("loses requests on their way, which cost the server nothing")
        func lost() {
            // Given up at 1, 2 and 3.
            let result = run(
                settings(timeout: 1) {
                    $0.failureRate = 1
                    $0.failureKind = .timeout
                }, Self.immediate, 0)
            #expect(result.load == [1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
            #expect(result.succeeded == 0)
            #expect(result.wasted == 0)
        }

        @Test("keeps a budget for each client, which refuses calls in its silence")
        func silence() {
            // Timeouts at 2 and, after a wait of 1 to 2 s, at 5 to 6; so the call at 20 is refused, that of another client
            // is not, and the one at 110 is served as a probe.
            var settings = settings(timeout: 2, before: 1, outage: 8, after: 200)
            settings.clients = 2
            settings.interval = 2
            let policy = StormPolicy(name: "test", title: "test", policy: .standard)
            let result = Storm.run(
                settings, policy,
                calls: [(1, 0), (20, 0), (20.5, 1), (110, 0)].map { Storm.GivenCall(seconds: $0, client: $1) })
            #expect(result.load.reduce(0, +) == 4)
            #expect(result.succeeded == 0.5)
            #expect(result.refusedLocally == 0.25)
            #expect(result.amplification == 2)
        }

        @Test("sends what a person repeats, silence or not")
        func taps() {
            var settings = settings(timeout: 2, before: 1, outage: 8, after: 200)
            settings.taps = 1
            // The first call: two attempts, and a probe 2 to 10 s after the second. The call at 20: refused, and repeated.
            let result = run(settings, .standard, 1, 30)
            #expect(result.load.reduce(0, +) >= 3)
            #expect(result.succeeded >= 0.5)
        }

        @Test(
            "recovers when six seconds in a row serve 97 % of the load",
            arguments: [
                ([0, 0, 10, 10, 10, 10, 10, 10] as [Int32], 2), ([10, 10, 10, 10, 10, 8], nil),
                ([8, 10, 10, 10, 10, 10, 10], 1), ([10, 10, 10, 10, 10], nil), ([], nil),
            ])
        func recovery(good: [Int32], expected: Int?) {
            #expect(Storm.recovery(good: good, after: 0, offered: 10) == expected)
        }
    }

    @Suite("Storm: its parts")
    struct StormPartsTests {
        @Test("events come in the order of their times, and those of one moment in the order they were scheduled")
        func heap() {
            // given
            var heap = EventHeap()
            var random = StormRandom(seed: 7, stream: 1)
            var expected: [(time: Int64, slot: Int32)] = []
            for slot in 0..<2000 {
                let time = Int64(random.below(300))
                heap.schedule(StormEvent(time: time, kind: .retry, slot: Int32(slot), generation: 0))
                expected.append((time, Int32(slot)))
            }
            // when
            var popped: [(time: Int64, slot: Int32)] = []
            while let event = heap.popFirst() {
                popped.append((event.time, event.slot))
            }
            // then: a sort by time that keeps the order of equals
            let sorted = expected.sorted { ($0.time, $0.slot) < ($1.time, $1.slot) }
            #expect(popped.map(\.slot) == sorted.map(\.slot))
            #expect(popped.map(\.time) == sorted.map(\.time))
            #expect(heap.count == 0)
        }

        @Test("a line gives back what is in it from either end")
        func line() {
            var line = StormLine<Int>()
            var model: [Int] = []
            var random = StormRandom(seed: 9, stream: 1)
            for number in 0..<20_000 {
                switch random.below(5) {
                case 0..<3:
                    line.append(number)
                    model.append(number)
                case 3: #expect(line.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
                default: #expect(line.popLast() == model.popLast())
                }
                #expect(line.count == model.count && line.first == model.first)
            }
        }
    }
#endif
