import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("URLSessionTransport, by the conformance suite", .sockets)
struct URLSessionConformanceTests {
    @Test("passes every case that is not a known limit, and fails every one that is")
    func conforms() async throws {
        let all = TransportConformance.cases
        guard let error = await Self.error(of: all, .urlSession, atOnce: 8) else { return }
        guard error.isMissedEvent else { throw error }
        if let error = await Self.error(of: error.failed.map(\.case), [:], atOnce: 1) { throw error }
    }

    private static func error(
        of cases: [TransportConformance.Case], _ limits: TransportConformance.KnownLimits, atOnce: Int
    ) async -> TransportConformanceError? {
        do throws(TransportConformanceError) {
            try await TransportConformance.check(
                knownLimits: limits, cases: cases, atOnce: atOnce, timeLimit: .seconds(120)
            ) { options in try URLSessionTransport(responseLimit: options.responseLimit) }
            return nil
        } catch {
            return error
        }
    }

    /// The cases that end the process; there are none where Foundation is Apple's.
    static let crashing = TransportConformance.KnownLimits.urlSession.entries.filter(\.limit.endsProcess).map(\.name)

    // https://developer.apple.com/documentation/testing/expect(processexitswith:observing:_:sourcelocation:performing:)
    #if os(macOS) || os(Linux)
        @Test("still ends the process in each case that is said to", arguments: crashing)
        func crashes(name: String) async throws {
            await #expect(processExitsWith: .failure) { [name = name as String] in
                let hasEnded = Lock(false)
                let running = Task {
                    for item in TransportConformance.cases where item.name == name {
                        // An error is no crash: the process would then end well, and the test fail.
                        try? await item.run { URLSessionTransport() }
                    }
                    hasEnded.withLock { $0 = true }
                }
                // A process whose other calls have to wait for it is of no use either.
                repeat {
                    for item in TransportConformance.cases where item.name == "heads.plain" {
                        try await item.run(timeLimit: .seconds(10)) { URLSessionTransport() }
                    }
                } while !hasEnded.withLock { $0 }
                await running.value
            }
        }
    #endif
}

extension TransportConformanceError {
    /// Whether all that is wrong is one call that Foundation on Linux told nothing of until its time was over.
    ///
    /// Seen once in twenty runs of all cases on a busy machine, in a case that passes thousands of times by itself, and not
    /// found why. Such a case is run again alone: what is wrong with the transport fails there as well.
    fileprivate var isMissedEvent: Bool {
        #if canImport(FoundationNetworking)
            failed.count == 1 && passedLimits.isEmpty && unknownNames.isEmpty
                && failed[0].problem.came.hasPrefix("timeout.attempt while unknown")
        #else
            false
        #endif
    }
}
