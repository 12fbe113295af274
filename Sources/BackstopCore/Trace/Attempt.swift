/// One attempt of a call.
///
/// A call has at least one. One that was refused before anything was sent is an attempt too, with the refusal as its
/// result: `rejected.breakerOpen`. Then ``Failure/sentRequests`` is empty.
public struct Attempt: Sendable, Hashable {
    /// The result of an attempt.
    public enum Result: Sendable, Hashable, CustomStringConvertible {
        /// The chain accepted its response.
        case ok
        /// It failed; the code is that of a failure: `status.503`, `transport.lost`.
        case failed(code: String)
        /// It is still running.
        case running

        /// `ok`, the code, or `running`.
        public var description: String {
            switch self {
            case .ok: "ok"
            case .failed(let code): code
            case .running: "running"
            }
        }
    }

    /// The number, from 1.
    public let number: Int
    /// When it began, since the start of the call.
    public let start: Duration
    /// How long it took, without the wait before it.
    public let duration: Duration
    /// The wait before it; zero for the first.
    public let wait: Duration
    /// The reason for the wait: `backoff`, `Retry-After`, `RateLimit`; nil for the first attempt.
    public let waitReason: String?
    /// The result.
    public internal(set) var result: Result

    /// The reason for an attempt with a new token.
    package static let tokenRefused = "the token was refused"

    /// Makes an attempt, for failures created by hand.
    public init(
        number: Int, start: Duration = .zero, duration: Duration = .zero, wait: Duration = .zero,
        waitReason: String? = nil, result: Result
    ) {
        self.number = number
        self.start = start
        self.duration = duration
        self.wait = wait
        self.waitReason = waitReason
        self.result = result
    }
}
