import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Handlers around an operation", .limited)
struct PolicyPerformTests {
    private let clock = RecordingClock()
    private let observer = RecordingObserver()
    private let log = RecordingLog()

    private func policy(_ interceptors: [any Policy.Interceptor] = []) throws -> Policy {
        var handling = FailureHandling()
        handling.observers = [observer]
        handling.log = log
        return try Policy(options: .with(clock), handling: handling) {
            for interceptor in interceptors { interceptor }
        }
    }

    @Test("see its failure: the run's own first, then those of scopes, then the defaults")
    func order() async throws {
        let seen = Notes<String>()
        var policy = try policy()
        policy.handling.scopes = [
            HandlerScope("books") {
                Otherwise { failure -> Verdict in
                    seen.add("scope \(failure.code)")
                    return .unhandled
                }
            }
        ]
        let outcome = await DefaultHandlers.withHandlers {
            Otherwise { failure in seen.add("default \(failure.name)") }
        } operation: { [policy] in
            await policy.perform("load books") { () -> Int in
                throw TransportError(.offline)
            } handlers: {
                On(.offline) { failure -> Verdict in
                    seen.add("own \(failure.code)")
                    return .unhandled
                }
            }
        }
        #expect(seen.all == ["own transport.offline", "scope transport.offline", "default load books"])
        guard case .handled = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test("do not run for a value")
    func value() async throws {
        let outcome = await (try policy()).perform {
            7
        } handlers: {
            Otherwise { _ in Issue.record("It succeeded.") }
        }
        #expect(outcome.value == 7)
        #expect(observer.failures.isEmpty)
    }

    @Test("may answer in its place: the run's own one with a value")
    func answered() async throws {
        let outcome = await (try policy()).perform("count") { () -> Int in
            throw TransportError(.offline)
        } handle: { failure in
            failure.isOffline ? .value(7) : .unhandled
        }
        #expect(outcome.value == 7)
        #expect(observer.failures.map(\.failure.code) == ["transport.offline"])
    }

    @Test("run it anew when one of them asks for it, idempotent or not")
    func again() async throws {
        let runs = Counter()
        let outcome = await (try policy([Retry()])).perform("order") { () -> Int in
            guard runs.increment() > 2 else { throw TransportError(.lost) }
            return runs.value
        } handlers: {
            On(.transport) { _ in .retry(after: .seconds(5)) }
        }
        #expect(outcome.value == 3)
        #expect(clock.sleeps == [.seconds(5), .seconds(5)])
    }

    @Test("and observers: each failure once, whether it is thrown or handled")
    func observers() async throws {
        let policy = try policy()
        await #expect(throws: Failure.self) { () -> Int in
            try await policy.run("thrown") { throw TransportError(.lost) }
        }
        await policy.perform("handled") { () -> Int in
            throw TransportError(.lost)
        } handlers: {
            Otherwise { _ in }
        }
        #expect(observer.failures.map(\.failure.name) == ["thrown", "handled"])
    }

    @Test("are those of a derived policy too")
    func derived() async throws {
        let policy = try policy().withChain { $0.appending(Retry()) }.withOptions { $0.name = "books" }
        await policy.perform { () -> Int in throw TransportError(.offline) }
        #expect(observer.failures.map(\.failure.name) == ["books"])
        #expect(log.entries.count { $0.message.contains("No handler handled this failure.") } == 1)
    }

    @Test("an error of another library is what it means, for retry and handlers")
    func recognized() async throws {
        let lost = NSError(domain: NSURLErrorDomain, code: URLError.Code.networkConnectionLost.rawValue)
        let wrapped = NSError(
            domain: "driver", code: 7, userInfo: [NSUnderlyingErrorKey: URLError(.serverCertificateUntrusted)])
        for (error, code, expected) in [(lost, "transport.lost", 3), (wrapped, "transport.certificate", 1)] {
            let runs = Counter()
            let outcome = await (try policy([Retry(attempts: 3)])).perform("load", isIdempotent: true) { () -> Int in
                runs.increment()
                throw error
            }
            #expect(outcome.failure?.code == code)
            #expect(runs.value == expected)
        }
    }

    @Test("a cancellation by any name is not repeated")
    func cancelled() async throws {
        for error: any Error in [
            URLError(.cancelled), CancellationError(), NSError(domain: NSURLErrorDomain, code: -999),
            NSError(domain: "driver", code: 7, userInfo: [NSUnderlyingErrorKey: URLError(.cancelled)]),
        ] {
            let runs = Counter()
            await (try policy([Retry(attempts: 3)])).perform("load", isIdempotent: true) { () -> Int in
                runs.increment()
                throw error
            }
            #expect(runs.value == 1)
        }
    }

    @Test("a request that the operation reports decides what is said about it")
    func request() async throws {
        let url = try #require(URL(string: "https://api.example.com/orders"))
        let sent = HTTP.Request(.post, url: url)
        let outcome = await (try policy([Retry(attempts: 3)])).perform("order") { () -> Int in
            throw Failure(URLError(.networkConnectionLost), request: sent)
        }
        let failure = try #require(outcome.failure)
        #expect(failure.request?.method == .post)
        #expect(failure.attempts.count == 1)
        #expect(!failure.isRetryable)
        #expect(failure.message.suggestion == "Please check whether it worked before you try again.")
    }
}
