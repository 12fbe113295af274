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
    /// Whether the requests that went out may go out again.
    private(set) var safety = RepeatSafety()
    /// The complete response; nil while there is none.
    var response: (any CallResponse)?
    /// Where to ask how far the exchange has come; nil when the transport does not tell.
    var progress: (@Sendable () -> TransferProgress)?
    /// When it was over, counted from the start of the call; nil while it runs.
    private(set) var end: Duration?
    private(set) var result = Attempt.Result.running
    /// The position of the attempt that took its place; nil while it is the one that decides.
    var successor: Int?
    /// The position of the attempt whose place it took; nil for the first, and for one beside others.
    let predecessor: Int?

    init(number: Int, start: Duration, wait: Duration, waitReason: String?, predecessor: Int? = nil) {
        self.predecessor = predecessor
        self.number = number
        self.start = start
        self.wait = wait
        self.waitReason = waitReason
    }

    /// Takes a request that goes out; what came back to the one before it is of no more interest.
    mutating func add(_ hop: any CallRequest) {
        response = nil
        progress = nil
        safety.add(hop)
        if hops.count < Self.hopLimit {
            hops.append(hop)
        }
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

/// Whether requests that went out may go out again without doing their work twice (RFC 9110, 9.2.2).
package struct RepeatSafety: Sendable, Hashable {
    /// Whether anything went out.
    package private(set) var isEmpty = true
    /// Whether each of them may be done twice, by its method or by its key.
    package private(set) var isIdempotent = true
    /// Whether each body can be sent again.
    package private(set) var isReplayable = true
    /// The key on which that depends; nil when it depends on none.
    package private(set) var key: String?

    package init() {}

    package init(_ hops: [any CallRequest]) {
        for hop in hops {
            add(hop)
        }
    }

    package mutating func add(_ hop: any CallRequest) {
        isEmpty = false
        isIdempotent = isIdempotent && hop.isIdempotent
        isReplayable = isReplayable && hop.isReplayable
        guard let own = hop.idempotencyKey else {
            return
        }
        // Two keys are two orders.
        isIdempotent = isIdempotent && (key ?? own) == own
        key = key ?? own
    }

    package mutating func add(_ other: RepeatSafety) {
        isEmpty = isEmpty && other.isEmpty
        isIdempotent = isIdempotent && other.isIdempotent
        isReplayable = isReplayable && other.isReplayable
        guard let own = other.key else {
            return
        }
        isIdempotent = isIdempotent && (key ?? own) == own
        key = key ?? own
    }
}
