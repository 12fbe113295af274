/// One attempt of a call.
public struct Attempt: Sendable, Hashable {
    /// What came of an attempt.
    public enum Result: Sendable, Hashable, CustomStringConvertible {
        /// It gave a response that the chain accepted.
        case ok
        /// It failed; the code is that of a failure: `status.503`, `transport.lost`.
        case failed(code: String)
        /// It is not over yet.
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
    /// When it began, counted from the start of the call.
    public let start: Duration
    /// How long it took, the wait before it not included.
    public let duration: Duration
    /// How long was waited before it; zero for the first.
    public let wait: Duration
    /// Why that long: `backoff`, `Retry-After`; nil for the first attempt.
    public let waitReason: String?
    /// What came of it.
    public let result: Result

    /// Makes an attempt, for failures made by hand.
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
