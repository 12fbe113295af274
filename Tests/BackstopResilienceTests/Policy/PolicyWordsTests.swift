import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The words about an operation", .limited)
struct PolicyWordsTests {
    @Test("are those of the call that failed, if the policy did nothing about it")
    func passedOn() async throws {
        // given
        var options = CallOptions()
        options.clock = RecordingClock()
        let client = try Client(
            baseURL: "https://api.example.com", transport: ScriptedTransport(.status(503).repeated()),
            options: options
        ) {
            Retry(attempts: 3)
            StatusValidation()
        }
        let limited = try Policy { Deadline(.seconds(30)) }
        let repeating = try Policy(options: options) { Retry(attempts: 2) }
        // when
        let passed = await #expect(throws: Failure.self) {
            try await limited.run { try await client.get("books") as HTTP.Response }
        }
        let repeated = await #expect(throws: Failure.self) {
            try await repeating.run(isIdempotent: true) { try await client.get("books") as HTTP.Response }
        }
        // then
        #expect(passed?.attempts.count == 3)
        #expect(passed?.report.contains("stopped:  all 3 attempts were used") == true)
        #expect(repeated?.attempts.count == 2)
    }

    private let clock = ManualClock()

    private func failure(
        _ interceptor: any Policy.Interceptor, isIdempotent: Bool = true,
        _ operation: @escaping @Sendable () async throws -> Int = { 1 }
    ) async throws -> Failure {
        let policy = try Policy(options: .with(clock)) { interceptor }
        do throws(Failure) {
            _ = try await policy.run("load", isIdempotent: isIdempotent, operation: operation)
        } catch {
            return error
        }
        throw ShopError()
    }

    private func expectNoServer(_ failure: Failure) {
        for word in ["transport", "server", "response", "Idempotency-Key", "sent"] {
            #expect(!failure.report.contains(word), "\(failure.report)")
        }
    }

    @Test("say that the operation is slow, not a server", arguments: [true, false])
    func timeout(isIdempotent: Bool) async throws {
        let (gate, clock) = (Gate(), clock)
        async let slow = failure(AttemptTimeout(.seconds(1)), isIdempotent: isIdempotent) {
            await gate.pass()
            return 1
        }
        await gate.waitForArrivals(1)
        await clock.advance(by: .seconds(1))
        let failure = try await slow
        #expect(failure.report.contains("  where:    in the operation\n"))
        #expect(
            failure.nextStep
                == (isIdempotent
                    ? "Find out why the operation is slow, or raise the limit of AttemptTimeout for this call."
                    : "The operation may have done its work: check before running it again, or say that it is "
                        + "isIdempotent if it may be repeated."))
        expectNoServer(failure)
        gate.open()
    }

    @Test("do not blame a transport for a time limit of its own")
    func ownTimeout() async throws {
        let failure = try await failure(Deadline(.seconds(5)), isIdempotent: true) { throw URLError(.timedOut) }
        #expect(failure.explanation == "The operation reached a time limit of its own.")
        #expect(
            failure.nextStep == "Find out why the operation is slow, or raise its own limit for this call.")
        expectNoServer(failure)
    }

    @Test("show its name on one line, and bounded")
    func name() async throws {
        let log = RecordingLog()
        let policy = try Policy {
            Fallback("rows", when: { _ in true }, log: log) { _, _ in Policy.Output(1) }
        }
        let forged = "load \u{1b}[31mred\nerror: #7 forged\u{202E}" + String(repeating: "x", count: 5000)
        let plain = try Policy { Deadline(.seconds(5)) }
        do throws(Failure) {
            _ = try await plain.run(forged) { () -> Int in throw ShopError() }
        } catch {
            for text in [error.report, "\(error.originalRequest.map { "\($0)" } ?? "")"] {
                #expect(text.contains("load [31mred error: #7 forgedx"), "\(text.prefix(300))")
                #expect(!text.contains("\u{1b}") && !text.contains("\nerror: #7") && !text.contains("\u{202E}"))
                #expect(text.count < 3000)
            }
        }
        _ = try await policy.run(forged) { () -> Int in throw ShopError() }
        #expect(log.entries.map(\.message).allSatisfy { !$0.contains("\n") && $0.count < 500 })
        #expect(!log.entries.isEmpty)
    }

    @Test("say that it did not begin when an interceptor refused it")
    func refused() async throws {
        struct Refusal: Policy.Interceptor {
            func intercept(
                _ request: Policy.Operation, context: CallContext, next: Policy.Next
            ) async throws -> Policy.Output {
                throw RejectionError(.limit, "1 call is running")
            }
        }
        let failure = try await failure(Refusal())
        #expect(failure.explanation == "The operation did not begin: 1 call is running")
        #expect(failure.nextStep == "Nothing was run, so the call can be repeated later.")
        #expect(failure.report.contains("  run:      never\n"))
        expectNoServer(failure)
    }

    @Test("say what to do about an output of the wrong type")
    func output() async throws {
        struct Other: Policy.Interceptor {
            func intercept(
                _ request: Policy.Operation, context: CallContext, next: Policy.Next
            ) async throws -> Policy.Output {
                Policy.Output("text")
            }
        }
        let failure = try await failure(Other())
        #expect(
            failure.nextStep == "Return a value of type Int from the interceptor, or run the operations that return "
                + "String through a policy of their own.")
    }

    // MARK: A request that the operation made

    private static func lost(
        _ method: HTTP.Method, key: String? = nil, by code: URLError.Code = .networkConnectionLost
    ) throws -> Failure {
        var request = HTTP.Request(method, url: try #require(URL(string: "https://api.example.com/orders")))
        request.headers["Idempotency-Key"] = key
        return Failure(URLError(code), request: request)
    }

    @Test(
        "ask for isIdempotent where the run lacks it, unless what it sent would not be repeated even then",
        arguments: [nil, "k1"])
    func undeclared(key: String?) async throws {
        for method in [HTTP.Method.get, .post] {
            let failure = try await failure(Retry(), isIdempotent: false) { throw try Self.lost(method, key: key) }
            #expect(failure.stopReason == .notIdempotent)
            #expect(
                failure.report.contains(
                    "  stopped:  it is not said to be isIdempotent, and a retry could repeat its effect\n"),
                "\(failure.report)")
            #expect(
                failure.nextStep == "The operation may have done its work: check before running it again"
                    + (method == .get ? ", or say that it is isIdempotent if it may be repeated." : "."))
        }
    }

    @Test("name the request where it keeps an idempotent run from being repeated")
    func request() async throws {
        let order = try await failure(Retry()) { throw try Self.lost(.post) }
        #expect(
            order.report.contains(
                "  stopped:  the operation sent a request that is not idempotent, and a retry could repeat its "
                    + "effect\n"))
        #expect(
            order.nextStep == "The server may have done its work: check before running the operation again, or throw "
                + "the Failure with request: nil if it may be repeated.")

        let keyed = try await failure(Retry()) { throw try Self.lost(.post, key: "k1") }
        #expect(keyed.stopReason == .notIdempotent)
        #expect(
            keyed.report.contains(
                "  stopped:  the operation sent an Idempotency-Key, and a retry could send another, which would be a "
                    + "second order\n"),
            "\(keyed.report)")
    }

    @Test("ask to check an order whose key another run may not have, and say so in the report")
    func keyOfTheRun() async throws {
        let lost = try await failure(Retry()) { throw try Self.lost(.post, key: "k1") }
        #expect(lost.message.suggestion == "Please check whether it worked before you try again.")
        #expect(
            lost.nextStep == "The server may have done its work: check before running the operation again, or throw "
                + "the Failure with request: nil if it may be repeated.")
        #expect(lost.mayHaveWorked)
        // Outside a run, the failure is of this one order.
        #expect(try !Self.lost(.post, key: "k1").mayHaveWorked)
    }

    @Test("offer another try where the operation's request cannot have been sent", arguments: [nil, "k1"])
    func notSent(key: String?) async throws {
        for (method, isIdempotent) in [(HTTP.Method.post, true), (.post, false), (.get, false)] {
            let failure = try await failure(Retry(), isIdempotent: isIdempotent) {
                throw try Self.lost(method, key: key, by: .notConnectedToInternet)
            }
            #expect(!failure.mayHaveWorked, "\(method) \(isIdempotent)")
        }
    }

    @Test("claim nothing about an exchange that only the operation saw")
    func unseen() async throws {
        let reported = try await failure(Retry(.never)) { throw try Self.lost(.get) }
        #expect(reported.report.contains("  response: unknown\n"), "\(reported.report)")
        let raw = try await failure(Retry(.never)) { throw URLError(.networkConnectionLost) }
        for failure in [reported, raw] {
            #expect(!failure.report.contains("  where:"), "\(failure.report)")
        }
        let slow = try await failure(Retry(.never)) {
            throw Failure(URLError(.timedOut), request: try Self.lost(.get).request)
        }
        #expect(!slow.report.contains("  where:"), "\(slow.report)")
    }
}
