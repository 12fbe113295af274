import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The words about an operation", .limited)
struct PolicyWordsTests {
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
                    : "The operation may have done its work: check before running it again, or run it with isIdempotent: "
                        + "true if it may be repeated."))
        expectNoServer(failure)
        gate.open()
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
}
