#if Demo
    @testable import BackstopCLI
    import BackstopCore
    import Testing

    /// What the comparison says, with 3,000 phones: a call a minute each.
    @Suite("Storm: the policies")
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
            "with retries and no budget, an outage of a minute never ends at a load of 0.8",
            arguments: ["immediate3", "exponential", "alamofire", "polly", "aws"])
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

        @Test("with the standard budget, phones recover sooner than without retries, and more calls succeed")
        func backstop() throws {
            let none = try run("none") { $0.after = 900 }
            let backstop = try run("backstop") { $0.after = 900 }
            #expect(try #require(backstop.recoverySeconds) < (try #require(none.recoverySeconds)))
            #expect(backstop.succeeded > none.succeeded + 0.03)
            #expect(backstop.amplification < 1.5)
        }

        @Test("with the standard budget, a long outage ends; without retries it does not")
        func long() throws {
            let none = try run("none") { ($0.outage, $0.after) = (600, 900) }
            let backstop = try run("backstop") { ($0.outage, $0.after) = (600, 900) }
            #expect(none.recoverySeconds == nil)
            #expect(backstop.recoverySeconds != nil)
            #expect(backstop.amplification < 0.7)
        }

        @Test(
            "while a server refuses, the bucket bounds what is sent, and it recovers at once",
            arguments: [
                (10, 2.8), (60, 2.35), (600, 1.25),
            ])
        func refuse(outage: Int, most: Double) throws {
            let result = try run("backstop") {
                $0.outageKind = .refuse
                $0.outage = outage
            }
            #expect(result.amplification <= most)
            #expect(try #require(result.recoverySeconds) <= 6)
        }

        @Test(
            "one lost request in a hundred costs next to nothing",
            arguments: [
                (StormSettings.FailureKind.fast, 0.9995), (.timeout, 0.999),
            ])
        func faults(kind: StormSettings.FailureKind, least: Double) throws {
            let result = try run("backstop") {
                ($0.outage, $0.after) = (0, 4000)
                ($0.failureRate, $0.failureKind) = (0.01, kind)
            }
            #expect(result.succeeded > least)
        }

        @Test(
            "busy clients find out within seconds that the server is back, and are not silent because of lost requests")
        func servers() throws {
            let server = { (settings: inout StormSettings) in
                (settings.clients, settings.interval) = (20, 0.02)
                (settings.before, settings.after) = (10, 60)
            }
            let outage = try run("backstop") {
                server(&$0)
                $0.outage = 30
            }
            let faults = try run("backstop") {
                server(&$0)
                $0.outage = 0
                ($0.failureRate, $0.failureKind) = (0.01, .timeout)
            }
            #expect(try #require(outage.recoverySeconds) <= 30)
            #expect(outage.amplification < 0.5)
            #expect(faults.succeeded > 0.999)
            #expect(faults.refusedLocally == 0)
        }
    }
#endif
