/// What one attempt sent and what came back. Each attempt of a call has one; nothing of an attempt is kept elsewhere.
///
/// The call's record owns it, and its lock guards it.
struct AttemptRecord {
    /// How many requests are kept for people to read; ``safety`` counts all of them.
    static let hopLimit = 64

    let number: Int
    let start: Duration
    let wait: Duration
    let waitReason: String?
    /// Every request that went out, redirects and second questions included.
    private(set) var hops: [any CallRequest] = []
    /// How many they were, also when they are no longer kept.
    private var sentCount = 0
    /// Whether the requests that went out may go out again.
    private(set) var safety = RepeatSafety()
    /// The complete response; nil while there is none.
    var response: (any CallResponse)?
    /// Where to ask how far the exchange has come; nil when the transport does not tell.
    var progress: (@Sendable () -> TransferProgress)?
    /// Whether the transport said that nothing of what it was given went out.
    private(set) var isUnsent = false
    /// Whether it was ended for a wait, after which another attempt may begin.
    var isWaitedAfter = false
    /// When it was over, counted from the start of the call; nil while it runs.
    private(set) var end: Duration?
    private(set) var result = Attempt.Result.running
    /// The attempts that took its place, as interceptors at each depth see it; mostly none or one.
    var successors: [Successor] = []
    /// The position of the attempt whose place it took; nil for the first, and for one beside others.
    let predecessor: Int?
    /// Whether it was begun beside others.
    let isParallel: Bool
    /// Whether retry began it, so that all that was sent before may be sent again.
    let isRetry: Bool

    /// An attempt that took the place of another, for interceptors as deep in the chain as the one that made it, and
    /// further out. An interceptor further in, in an attempt that was given up, still sees its own.
    struct Successor {
        let depth: Int
        let position: Int
    }

    /// The attempt that took its place for an interceptor at a depth: the outermost interceptor that made one decides,
    /// and the last one that it made counts.
    func successor(from depth: Int) -> Int? {
        var found: Successor?
        for successor in successors where successor.depth >= depth && successor.depth <= found?.depth ?? .max {
            found = successor
        }
        return found?.position
    }

    init(
        number: Int, start: Duration, wait: Duration, waitReason: String?, predecessor: Int? = nil,
        isParallel: Bool = false, isRetry: Bool = false
    ) {
        self.number = number
        self.start = start
        self.wait = wait
        self.waitReason = waitReason
        self.predecessor = predecessor
        self.isParallel = isParallel
        self.isRetry = isRetry
    }

    /// Takes a request that goes out; what came back to the one before it is of no more interest.
    ///
    /// - Parameter safety: Whether it may go out again, asked of the caller's type outside the lock.
    mutating func add(_ hop: any CallRequest, safety: RepeatSafety) {
        response = nil
        progress = nil
        isUnsent = false
        self.safety.add(safety)
        sentCount += 1
        if hops.count < Self.hopLimit {
            hops.append(hop)
        } else {
            hops[Self.hopLimit - 1] = hop
        }
    }

    /// Takes what a transport made of the last request.
    ///
    /// - Returns: What is replaced, to be let go outside the lock.
    mutating func replaceLastHop(with hop: any CallRequest) -> (any CallRequest)? {
        guard let last = hops.popLast() else {
            return nil
        }
        hops.append(hop)
        return last
    }

    /// Forgets the only request, because it never went out.
    mutating func takeBackOnlyHop() {
        guard sentCount == 1 else {
            return
        }
        hops = []
        sentCount = 0
        safety = RepeatSafety()
        isUnsent = true
    }

    /// Lets go what nobody asks for once another attempt has sent something: bodies may be large.
    mutating func release() -> Released {
        defer {
            response = nil
            progress = nil
            hops = []
        }
        return Released(response: response, progress: progress, hops: hops)
    }

    /// What was let go, for the end of its life outside the lock.
    struct Released {
        let response: (any CallResponse)?
        let progress: (@Sendable () -> TransferProgress)?
        let hops: [any CallRequest]
    }

    /// Ends the attempt; the first end counts.
    mutating func close(at time: Duration, _ result: Attempt.Result) {
        guard end == nil else {
            return
        }
        end = time
        self.result = result
    }

    /// The attempt as others see it.
    func attempt(at now: Duration) -> Attempt {
        Attempt(
            number: number, start: start, duration: max(.zero, (end ?? now) - start), wait: wait,
            waitReason: waitReason, result: result)
    }
}
