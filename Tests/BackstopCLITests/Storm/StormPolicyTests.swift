#if Demo
    @testable import BackstopCLI
    import BackstopCore
    import BackstopTestSupport
    import Testing

    /// What the comparison says, with 3,000 phones: a call a minute each.
    @Suite("Storm: the policies", .limited)
    struct StormPolicyTests {
        private func run(_ name: String, _ change: (inout StormSettings) -> Void = { _ in }) throws -> StormResult {
            var settings = StormSettings()
            settings.clients = 3000
            change(&settings)
            let policy = try #require(try StormPolicy.all().first { $0.name == name })
            return Storm.run(settings, policy)
        }

        @Test("the same seed gives the same run, another seed another")
        func determinism() throws {
            #expect(try run("backstop") == run("backstop"))
            #expect(try run("backstop") != run("backstop") { $0.seed = 2 })
        }

        @Test("each policy meets the same calls")
        func sameCalls() throws {
            let none = try run("none") { $0.outage = 0 }
            let backstop = try run("backstop") { $0.outage = 0 }
            #expect(none.load == backstop.load)
        }

        @Test("without retries, a queue of a minute takes about four to work off at a load of 0.8")
        func none() throws {
            // 60 s of calls wait, less the 5 s within which answers are in time, and a quarter of the capacity is free:
            // (60 × 0.8 - 5) / 0.2 = 215 s.
            let result = try run("none") { $0.after = 400 }
            let recovery = try #require(result.recoverySeconds)
            #expect((190...250).contains(recovery))
            #expect(result.amplification == 1)
        }

        @Test(
            "with retries of every timeout, an outage of a minute never ends at a load of 0.8",
            arguments: ["alamofire", "polly", "aws"])
        func never(name: String) throws {
            let result = try run(name) { $0.after = 900 }
            #expect(result.recoverySeconds == nil)
            #expect(result.amplification > 2)
        }

        @Test("gRPC's policy never retries a timeout: no client does more in an outage that hangs than without retries")
        func grpc() throws {
            let none = try run("none") { $0.after = 400 }
            let hanging = try run("grpc") { $0.after = 400 }
            #expect(hanging.load == none.load)
            #expect(hanging.good == none.good)
            // Ten tokens, more than five of which must be left: a phone is throttled after its fourth failure.
            let refusing = try run("grpc") { ($0.outage, $0.outageKind) = (600, .refuse) }
            #expect((1.1...1.7).contains(refusing.amplification))
        }

        @Test(
            "the default never refuses a call, and in an outage is as good as no retry",
            arguments: StormCell.Callers.allCases, [StormCell.Event.hangs, .someHang])
        func cells(callers: StormCell.Callers, event: StormCell.Event) {
            // A small fleet: the full one runs with `backstop storm --cells`.
            let outcome = StormCell(callers, event, outage: 30, rate: 20).run()
            #expect(outcome.miss == nil)
        }

        @Test("a cell with a worse policy misses its goal, and says how")
        func miss() throws {
            let alamofire = try #require(try StormPolicy.all().first { $0.name == "alamofire" })
            let hanging = StormCell(.minute, .hangs, outage: 30, rate: 20).run(alamofire)
            #expect(try #require(hanging.miss).contains("never recovers"))
            let refusing = StormCell(.minute, .refuses, outage: 60, rate: 20).run(alamofire)
            #expect(try #require(refusing.miss).contains("requests a call"))
            let never = try #require(try StormPolicy.all().first { $0.name == "none" })
            #expect(try #require(StormCell(.minute, .faults, rate: 20).run(never).miss).contains("serves 9"))
        }

        @Test("one fast fault in a hundred costs nothing, one lost request in a hundred nothing but to rare callers")
        func faults() {
            #expect(StormCell(.minute, .faults, rate: 50).run().miss == nil)
            let servers = StormCell(.servers, .lost, rate: 50).run()
            #expect(servers.result.succeeded > 0.9995)
            #expect(servers.never.succeeded < 0.992)
        }

        @Test(
            "a poll over a connection that is always dead by then succeeds each time",
            arguments: [120, 300, 3600])
        func polls(seconds: Int) {
            #expect(StormCells.poll(every: seconds) == 24)
        }

        @Test("with the breaker, more calls succeed around a long outage than without, and fewer requests are sent")
        func breaker() throws {
            let none = try run("none") { ($0.outage, $0.after) = (600, 900) }
            let breaker = try run("breaker") { ($0.outage, $0.after) = (600, 900) }
            #expect(breaker.succeeded > none.succeeded)
            #expect(breaker.amplification < 0.8)
        }

        /// Four servers that call another one, 200 times a second in all.
        private func busy(_ name: String, _ change: (inout StormSettings) -> Void = { _ in }) throws -> StormResult {
            try run(name) { settings in
                (settings.clients, settings.interval, settings.after) = (4, 0.02, 400)
                change(&settings)
            }
        }

        @Test("a limit that adapts ends the queue that an outage leaves, at any rate")
        func adaptiveRecovery() throws {
            for interval in [0.02, 0.002] {
                let change = { (settings: inout StormSettings) in
                    (settings.interval, settings.outage, settings.after) = (interval, 30, 200)
                }
                let backstop = try busy("backstop", change)
                let adaptive = try busy("adaptive", change)
                #expect(try #require(backstop.recoverySeconds) > 90)
                #expect(try #require(adaptive.recoverySeconds) < 25)
                #expect(adaptive.succeeded > backstop.succeeded + 0.2)
            }
        }

        @Test("with a limit that adapts, a server with half again too much to do serves most of what it can")
        func adaptiveOverload() throws {
            let overload = { (settings: inout StormSettings) in
                (settings.outage, settings.after, settings.load) = (0, 600, 1.5)
            }
            #expect(try busy("backstop", overload).succeeded < 0.05)
            // Two thirds are what it can.
            #expect(try busy("adaptive", overload).succeeded > 0.4)
        }

        @Test(
            "where a part of the calls succeeds, and for those who call rarely, a limit that adapts changes nothing",
            arguments: [(0.02, 0.3, 0.0), (0.02, 0.6, 0), (0.02, 1, 0.01), (0.02, 1, 0.5), (0.02, 1, 0.88), (60, 1, 0)])
        func adaptiveBystander(interval: Double, down: Double, failures: Double) throws {
            let change = { (settings: inout StormSettings) in
                (settings.clients, settings.interval) = (Int(200 * interval), interval)
                (settings.down, settings.failureRate, settings.failureKind) = (down, failures, .timeout)
                settings.outage = failures > 0 ? 0 : 60
            }
            let backstop = try busy("backstop", change)
            let adaptive = try busy("adaptive", change)
            #expect(adaptive.refusedLocally == 0)
            #expect(adaptive.good == backstop.good)
        }
    }
#endif
