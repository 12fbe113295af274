import BackstopResilience
import BackstopTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A cancellation in the words of other code", .limited)
struct ForeignCancellationTests {
    private static func wrapped(_ error: any Error, times: Int = 1, key: String = NSUnderlyingErrorKey) -> any Error {
        (0..<times).reduce(error) { inner, number in
            NSError(domain: "app", code: number, userInfo: [key: key == NSUnderlyingErrorKey ? inner : [inner]])
        }
    }

    private static let errors: [any Error] = [
        POSIXError(.ECANCELED), NSError(domain: NSPOSIXErrorDomain, code: Int(POSIXErrorCode.ECANCELED.rawValue)),
        CocoaError(.userCancelled), NSError(domain: NSCocoaErrorDomain, code: 3072),
        NSError(domain: "kCFErrorDomainCFNetwork", code: -999),
        wrapped(POSIXError(.ECANCELED)), wrapped(URLError(.cancelled), times: 32),
        wrapped(URLError(.cancelled), key: "NSMultipleUnderlyingErrorsKey"),
        NSError(
            domain: "app", code: 1,
            userInfo: [
                "NSMultipleUnderlyingErrorsKey": [NSError(domain: "app", code: 2), wrapped(URLError(.cancelled))]
            ]),
    ]

    /// How often a run is repeated that throws the error, and its failure.
    private func run(_ error: any Error) async throws -> (runs: Int, failure: Failure) {
        let runs = Counter()
        let policy = try Policy { Retry(try RetryPolicy(attempts: 3, backoff: .none)) }
        do throws(Failure) {
            _ = try await policy.run("load", isIdempotent: true) { () async throws -> Int in
                runs.increment()
                throw error
            }
        } catch {
            return (runs.value, error)
        }
        throw ShopError()
    }

    @Test("is one, and is not repeated, whether as it was thrown or as a failure", arguments: errors.indices)
    func recognized(index: Int) async throws {
        let error = Self.errors[index]
        let request = URLRequest(url: try #require(URL(string: "https://api.example.com/books")))
        let given = Failure(error, request: request)
        #expect(given.isCancelled)
        for thrown in [error, given, Failure(error)] {
            let (runs, failure) = try await run(thrown)
            #expect(runs == 1)
            #expect(failure.code == "other")
            #expect(failure.nextStep?.hasPrefix("Find out what cancelled the transfer") == true, "\(failure.report)")
            #expect(failure.explanation.contains("URLError was thrown, but this call was not cancelled"))
        }
    }

    @Test("is what it was under another error, which stays the one that was thrown")
    func words() async throws {
        let (_, failure) = try await run(Self.wrapped(Wrapper(inner: CancellationError())))
        #expect(failure.nextStep?.hasPrefix("Protect work that calls share") == true, "\(failure.report)")
        #expect((failure.underlying as NSError).domain == "app")
    }

    @Test("says nothing about a service to a breaker")
    func breaker() async throws {
        let (_, failure) = try await run(Self.wrapped(URLError(.cancelled)))
        let candidate = CircuitCandidate(reason: failure.reason, wasSent: true, duration: .zero)
        #expect(candidate.standardOutcome == .ignored)
    }

    @Test("is none where the transport knows better")
    func transport() async throws {
        let lost = TransportError(.lost, underlying: POSIXError(.ECANCELED))
        #expect(try await run(lost).runs == 3)
    }

    private struct Wrapper: CustomNSError {
        let inner: any Error
        var errorUserInfo: [String: Any] { [NSUnderlyingErrorKey: inner] }
    }
}
