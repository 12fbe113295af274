/// The requests and the response of one attempt, and its place in the tree that the attempts of a call form. Nothing
/// about an attempt is kept elsewhere.
///
/// The call's record contains it, and its lock guards it.
struct AttemptRecord {
    /// How many requests are kept for people to read; ``safety`` counts all of them.
    static let hopLimit = 64

    var number = 1
    var start: Duration = .zero
    var wait: Duration = .zero
    var waitReason: String?
    /// The interceptor that started it; of the first attempt, the call.
    var parent = AttemptView.whole
    /// Whether it runs parallel to others.
    var isParallel = false
    /// Whether retry started it, so that everything sent before may be sent again.
    var isRetry = false
    /// Whether it asks another server than the call's, which does not know the keys of that one, nor that one its.
    var isElsewhere = false
    /// Whether it may repeat what is not idempotent beside the attempts parallel to it.
    var repeatsUnsafe = false
    /// The position of the attempt that it replaced; nil for the first attempt and for a parallel one.
    var predecessor: Int?
    /// The attempts that replaced it, each for interceptors at the depth of the one that started it, and further out:
    /// one further in, in an abandoned attempt, still sees its own. Usually none or one; each is deeper than the one
    /// before, because an interceptor that sees a successor replaces that one instead.
    var successors: [AttemptView] = []

    /// Every request sent, including redirects and repeated requests of interceptors.
    private(set) var hops: [any CallRequest] = []
    /// What its first request has of secrets, once ``hops`` were released; later texts may quote them.
    private(set) var firstSent: (any SecretCarrier)?
    /// What else was sent for it, with secrets of its own, such as those that opened a connection.
    var beside: (any SecretCarrier)?
    /// The number of requests, including those no longer kept.
    private(set) var sentCount = 0
    /// Whether these requests may be sent again.
    private(set) var safety = RepeatSafety()
    /// What came of the last of them.
    var exchange = Exchange()
    /// The last status that the transport has returned, or an interceptor judged: what is further out knows of it.
    var knownStatus: Int?
    /// When an interceptor last let it go on that had held it up, or those that it replaced, since the start of the call;
    /// nil if none has.
    var heldUntil: Duration?
    /// Whether it ended before a wait, after which another attempt may start.
    var isWaitedAfter = false
    /// When it ended, since the start of the call; nil while it runs.
    private(set) var end: Duration?
    private(set) var result = Attempt.Result.running
    /// What it may have done besides what its last request did, as the transport or an interceptor says.
    var noted = Doubt.nothing
    /// What it may have done although it failed; nil while nobody has asked.
    private(set) var doubt: Doubt?

    /// What came of a request.
    struct Exchange {
        /// The complete response; nil while there is none.
        var response: (any CallResponse)?
        /// Returns the progress of the exchange; nil when the transport does not report it.
        var progress: (@Sendable () -> TransferProgress)?
        /// Whether the transport reported that it sent nothing.
        var isUnsent = false
        /// What it waits for, or waited for when a time limit cut it off; nil for nothing.
        var hold: Hold?
        /// The connection that it shares with other calls; nil for none.
        var connection: SharedConnection?
    }

    /// Records a request to be sent; what came of the one before it no longer matters.
    ///
    /// - Parameter safety: Whether it may be sent again, determined outside the lock, because the request has the
    ///   caller's type.
    /// - Returns: What is replaced, to be released outside the lock, as below.
    mutating func add(_ hop: any CallRequest, safety: RepeatSafety) -> Exchange {
        self.safety.add(safety)
        sentCount += 1
        if hops.count < Self.hopLimit {
            hops.append(hop)
        } else {
            hops[Self.hopLimit - 1] = hop
        }
        return Swift.exchange(&exchange, with: Exchange())
    }

    /// Records the response, which has all of the progress.
    mutating func receive(_ response: any CallResponse) -> Exchange {
        Swift.exchange(
            &exchange,
            with: Exchange(
                response: response, isUnsent: exchange.isUnsent, hold: exchange.hold, connection: exchange.connection))
    }

    /// Replaces the last request with what the transport made of it.
    mutating func replaceLastHop(with hop: any CallRequest) -> (any CallRequest)? {
        hops.isEmpty ? nil : Swift.exchange(&hops[hops.count - 1], with: hop)
    }

    /// Removes the only request, because it was never sent.
    ///
    /// - Parameter opening: What was sent before it, to open its connection, and refused.
    mutating func takeBackOnlyHop(behind opening: (any CallRequest)?) -> [any CallRequest] {
        guard sentCount == 1 else {
            return []
        }
        sentCount = 0
        safety.takeBack()
        exchange.isUnsent = true
        return Swift.exchange(&hops, with: opening.map { [$0] } ?? [])
    }

    /// Notes that the request went to another server than the call's, which does not know its key.
    mutating func distrustKey() {
        safety.distrustKey()
        (noted, doubt) = (noted.under(nil), doubt?.under(nil))
    }

    /// Releases what is not needed once another attempt has sent something: bodies may be large.
    mutating func release() -> (Exchange, [any CallRequest]) {
        firstSent = firstSent ?? (hops.first as? any SecretCarrier)?.bounded
        let kept = Exchange(isUnsent: exchange.isUnsent, hold: exchange.hold, connection: exchange.connection)
        return (Swift.exchange(&exchange, with: kept), Swift.exchange(&hops, with: []))
    }

    /// What secrets are looked for in.
    var messages: [any Sendable] {
        [firstSent, beside].compactMap { $0 } + hops as [any Sendable] + [exchange.response].compactMap { $0 }
    }

    /// Ends the attempt; the first end counts.
    mutating func close(at time: Duration, _ result: Attempt.Result, doubt: Doubt? = nil) {
        guard end == nil else {
            return
        }
        end = time
        self.result = result
        self.doubt = doubt
    }

    /// The attempt as shown to others.
    func attempt(at now: Duration) -> Attempt {
        Attempt(
            number: number, start: start, duration: max(.zero, (end ?? now) - start), wait: wait,
            waitReason: waitReason, result: result)
    }
}
