import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("URLSessionTransport, by the conformance suite", .realLimits)
struct URLSessionConformanceTests {
    @Test("passes every case that is not a known limit, and fails every one that is")
    func conforms() async throws {
        try await TransportConformance.check(knownLimits: .urlSession, timeLimit: .seconds(120)) { options in
            try URLSessionTransport(responseLimit: options.responseLimit)
        }
    }
}

// https://developer.apple.com/documentation/testing/expect(processexitswith:observing:_:sourcelocation:performing:)
#if os(macOS) || os(Linux)
    @Suite("URLSessionTransport, by the cases that end its process", .exits)
    struct URLSessionCrashTests {
        /// The cases that end the process; there are none where Foundation is Apple's.
        static let crashing = TransportConformance.KnownLimits.urlSession.entries.filter(\.limit.endsProcess)
            .map(\.name)

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
                        try await item.run(timeLimit: .seconds(3)) { URLSessionTransport() }
                    }
                } while !hasEnded.withLock { $0 }
                await running.value
            }
        }
    }
#endif
