package import BackstopCore

extension RetryPolicy {
    /// Three attempts without waits.
    package static func quick(attempts: Int = 3) throws -> RetryPolicy {
        try RetryPolicy(attempts: attempts, backoff: .none)
    }
}

extension FailureHandling {
    /// Handling that writes nothing: the failures in these tests are wanted.
    package static var silent: FailureHandling {
        var handling = FailureHandling()
        handling.log = SilentLog()
        return handling
    }
}

private struct SilentLog: LogSink {
    func isEnabled(_ level: LogLevel) -> Bool { false }
    func write(_ entry: LogEntry) {}
}

/// The failure that a call ends with; the test fails when there is none.
package func failed<Value>(_ call: () async throws -> Value) async throws -> Failure {
    do {
        _ = try await call()
    } catch let failure as Failure {
        return failure
    }
    throw MissingFailure()
}

private struct MissingFailure: Error, CustomStringConvertible {
    let description = "The call gave a value where a failure was expected."
}
