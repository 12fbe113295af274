#if Demo
    @testable import BackstopCLI
    import BackstopCore
    import BackstopResilience
    import BackstopTestSupport
    import Testing

    /// The model, checked against runs that can be worked out on paper: a server that serves one request a second.
    @Suite("Storm: the model", .limited)
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

        @Test("repeats a timeout only where this client was answered since")
        func answered() throws {
            // The call at 1 is lost with the server. At 3 it would be repeated; nobody was answered, so it is not. That of
            // client 1 at 20.2 is lost, and that at 20.5 is answered before it runs out of time.
            var settings = settings(timeout: 2, before: 1, outage: 8, after: 40)
            (settings.clients, settings.interval) = (2, 0.2)
            let hanging = run(settings, .standard, 1)
            #expect(hanging.load.reduce(0, +) == 1)
            settings.outage = 0
            (settings.failureRate, settings.failureKind) = (0.5, .timeout)
            let calls = (0..<200).map { Storm.GivenCall(seconds: 0.2 * Double($0), client: 0) }
            let policy = StormPolicy(
                name: "test", title: "test",
                policy: try RetryPolicy(
                    budget: .unlimited, timeouts: .onceIfAnswered))
            let lost = Storm.run(settings, policy, calls: calls)
            #expect(lost.load.reduce(0, +) > 250)
            #expect(lost.succeeded > 0.7)
        }

        @Test("loses only a call's first request on a dead connection")
        func idle() {
            let result = run(
                settings(timeout: 1) {
                    $0.failureRate = 1
                    $0.failureKind = .idle
                }, Self.immediate, 0, 5)
            #expect(result.load == [2, 0, 0, 0, 0, 2, 0, 0, 0, 0])
            #expect(result.succeeded == 1)
        }

        @Test("of servers that are out in part, the others work at their own pace, and nothing waits for the rest")
        func part() {
            var settings = settings(timeout: 20, before: 0, outage: 100, after: 0) { $0.down = 0.5 }
            settings.load = 0.1
            let result = run(settings, .never, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
            // One takes 0.2 s instead of 0.1 s, so each is answered in the second in which it was sent.
            #expect(result.load.prefix(10) == [1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
            #expect((0.2...0.8).contains(result.succeeded))
            #expect(result.good == result.load.indices.map { result.good[$0] == 1 ? 1 : 0 })
        }

        @Test("clients of two kinds make half of the calls each")
        func mixture() {
            var settings = StormSettings()
            (settings.clients, settings.interval, settings.secondInterval) = (600, 60, 600)
            (settings.outage, settings.before, settings.after) = (0, 0, 300)
            #expect(settings.secondClients == 6000)
            #expect(settings.callRate == 20)
            let result = run(settings)
            #expect(result.clients == 6600)
        }

        @Test("a breaker stops the calls of its client, and lets one find out whether the server is back")
        func breaker() {
            var settings = settings(timeout: 2, before: 0, outage: 30, after: 60)
            settings.clients = 2
            settings.interval = 2
            // Three timeouts of client 0 by 7; its call at 8 is not sent, that of client 1 is, and the one at 60 is.
            let result = Storm.run(
                settings, StormPolicy(name: "test", title: "test", policy: .standard, breaker: .timeouts),
                calls: [(1, 0), (3, 0), (5, 0), (8, 0), (8.5, 1), (60, 0)]
                    .map { Storm.GivenCall(seconds: $0, client: $1) })
            #expect(result.load.reduce(0, +) == 5)
            #expect(abs(result.refusedLocally - 1.0 / 6) < 1e-9)
            #expect(abs(result.succeeded - 1.0 / 6) < 1e-9)
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

    @Suite("Storm: its parts", .limited)
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

        @Test("a line gives back what is in it in order")
        func line() {
            var line = StormLine<Int>()
            var model: [Int] = []
            var random = StormRandom(seed: 9, stream: 1)
            for number in 0..<20_000 {
                if random.below(5) < 3 {
                    line.append(number)
                    model.append(number)
                } else {
                    #expect(line.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
                }
                #expect(line.count == model.count && line.first == model.first)
            }
        }
    }
#endif
