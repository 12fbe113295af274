/// The requests and the response of one attempt. Each attempt of a call has one; nothing about an attempt is kept
/// elsewhere.
///
/// The call's record contains it, and its lock guards it.
struct AttemptRecord {
    /// How many requests are kept for people to read; ``safety`` counts all of them.
    static let hopLimit = 64

    let number: Int
    let start: Duration
    let wait: Duration
    let waitReason: String?
    /// Every request sent, including redirects and repeated requests of interceptors.
    private(set) var hops: [any CallRequest] = []
    /// What its first request has of secrets, once ``hops`` were released; later texts may quote them.
    private var firstSent: (any SecretCarrier)?
    /// The number of requests, including those no longer kept.
    private var sentCount = 0
    /// Whether these requests may be sent again.
    private(set) var safety = RepeatSafety()
    /// The complete response; nil while there is none.
    var response: (any CallResponse)?
    /// Returns the progress of the exchange; nil when the transport does not report it.
    var progress: (@Sendable () -> TransferProgress)?
    /// Whether the transport reported that it sent nothing.
    private(set) var isUnsent = false
    /// Whether it ended before a wait, after which another attempt may start.
    var isWaitedAfter = false
    /// What it waits for, or waited for when a time limit cut it off; nil for nothing.
    var hold: Hold?
    /// When it ended, since the start of the call; nil while it runs.
    private(set) var end: Duration?
    private(set) var result = Attempt.Result.running
    /// The attempts that replaced it, as interceptors at each depth see it; usually none or one.
    var successors: [Successor] = []
    /// The position of the attempt that it replaced; nil for the first attempt and for a parallel one.
    let predecessor: Int?
    /// The position of the attempt in which it was started; its own for the first attempt.
    let origin: Int
    /// How many interceptors further out than the one that started it start attempts.
    let depth: Int
    /// Whether it runs parallel to others.
    let isParallel: Bool
    /// Whether retry started it, so that everything sent before may be sent again.
    let isRetry: Bool
    /// Whether it may repeat what is not idempotent beside the attempts parallel to it.
    let repeatsUnsafe: Bool

    /// An attempt that replaced another, for interceptors at the depth of the one that started it, and further out. An
    /// interceptor further in, in an abandoned attempt, still sees its own.
    struct Successor {
        let depth: Int
        let position: Int
    }

    /// The attempt that replaced it for an interceptor at a depth: that of the outermost interceptor that started one,
    /// and the last that it started.
    func successor(from depth: Int) -> Int? {
        var found: Successor?
        for successor in successors where successor.depth >= depth && successor.depth <= found?.depth ?? .max {
            found = successor
        }
        return found?.position
    }

    init(
        number: Int, start: Duration, wait: Duration, waitReason: String?, predecessor: Int? = nil,
        origin: AttemptView = .whole, isParallel: Bool = false, isRetry: Bool = false, repeatsUnsafe: Bool = false
    ) {
        self.number = number
        self.start = start
        self.wait = wait
        self.waitReason = waitReason
        self.predecessor = predecessor
        self.origin = origin.position
        depth = origin.depth
        self.isParallel = isParallel
        self.isRetry = isRetry
        self.repeatsUnsafe = repeatsUnsafe
    }

    /// Records a request to be sent; the response to the one before it no longer matters.
    ///
    /// - Parameter safety: Whether it may be sent again, determined outside the lock, because the request has the
    ///   caller's type.
    mutating func add(_ hop: any CallRequest, safety: RepeatSafety) {
        response = nil
        progress = nil
        isUnsent = false
        hold = nil
        self.safety.add(safety)
        sentCount += 1
        if hops.count < Self.hopLimit {
            hops.append(hop)
        } else {
            hops[Self.hopLimit - 1] = hop
        }
    }

    /// Replaces the last request with what the transport made of it.
    ///
    /// - Returns: The replaced values, to be released outside the lock.
    mutating func replaceLastHop(with hop: any CallRequest) -> (any CallRequest)? {
        guard let last = hops.popLast() else {
            return nil
        }
        hops.append(hop)
        return last
    }

    /// Removes the only request, because it was never sent.
    mutating func takeBackOnlyHop() {
        guard sentCount == 1 else {
            return
        }
        hops = []
        sentCount = 0
        safety.takeBack()
        isUnsent = true
    }

    /// Releases what is not needed once another attempt has sent something: bodies may be large.
    mutating func release() -> Released {
        defer {
            firstSent = firstSent ?? (hops.first as? any SecretCarrier)?.bounded
            response = nil
            progress = nil
            hops = []
        }
        return Released(response: response, progress: progress, hops: hops)
    }

    /// What secrets are looked for in.
    var messages: [any Sendable] {
        [firstSent].compactMap { $0 } + hops as [any Sendable] + [response].compactMap { $0 }
    }

    /// The released values, to be destroyed outside the lock.
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

    /// The attempt as shown to others.
    func attempt(at now: Duration) -> Attempt {
        Attempt(
            number: number, start: start, duration: max(.zero, (end ?? now) - start), wait: wait,
            waitReason: waitReason, result: result)
    }
}
