/// What a call is doing.
enum CredentialsPhase: Equatable {
    case waits
    case has(String?)
    case ended(String)
}

/// The model, which knows nothing of tickets, versions and flights.
struct CredentialsModel {
    struct Call {
        var phase = CredentialsPhase.waits
        /// Whose call it is, told apart from an earlier sign-in of the same person.
        let owner: String?
        var token: String?
        /// How many refreshes had failed when it got its token, or began to wait for it.
        var failuresSeen = 0
        var failuresBefore: Int?
        /// Whether it has waited for a refresh, and that has ended.
        var hasWaited = false
        var isRefused = false
    }

    private(set) var calls: [Call] = []
    private(set) var token: String?
    private(set) var owner: String?
    private(set) var isRefreshing = false
    private var expiry: Duration?
    private var due: Duration?
    private var isNeeded = false
    /// Whether calls go on with the old token meanwhile.
    private var isEarly = false
    private var isForGood = false
    private var failures = 0
    /// When the last refresh failed; nil if there are new tokens since.
    private var lastFailure: Duration?
    private(set) var refreshes = 0
    /// When the refreshes began that gave a new token which has not lived for a second, and the one that runs.
    private var starts: [Duration] = []
    /// When the refresh began that gave the token in use; nil once it counts no more.
    private var origin: Duration?
    /// Whether a refusal was told of that nobody waits for.
    private var isMarked = false
    private var start = Duration.zero
    var now = Duration.zero

    mutating func begin() {
        calls.append(Call(owner: owner))
        decide(calls.count - 1)
    }

    mutating func refuse(_ call: Int) {
        calls[call].phase = .waits
        calls[call].isRefused = true
        decide(call)
    }

    mutating func end(_ call: Int, _ outcome: String) {
        calls[call].phase = .ended(outcome)
    }

    /// What a call gets now.
    private mutating func decide(_ call: Int) {
        let own = calls[call]
        guard own.owner != nil else { return give(call, nil) }
        guard own.owner == owner else { return end(call, "rejected.accountChanged") }
        let isExpired = expiry.map { $0 <= now } ?? false
        if own.isRefused, own.token == token {
            let mayStart = self.mayStart
            if isRefreshing { return isEarly = false }
            if isForGood { return end(call, "401") }
            if own.failuresSeen < failures, let lastFailure, now < lastFailure + .seconds(1) {
                return end(call, "rejected.tokenRefresh")
            }
            return mayStart
                ? start(isNeeded: isExpired, isEarly: false) : end(call, "rejected.tokenRefreshLimit")
        }
        if own.isRefused { return give(call, token) }
        if isRefreshing {
            if isExpired || !isEarly && !calls[call].hasWaited {
                calls[call].failuresBefore = failures
                return
            }
            return give(call, token)
        }
        let isAsked = isMarked && !own.hasWaited
        if !isForGood, isDue() || isAsked {
            if !isAsked, let origin, origin <= now - .seconds(1) {
                starts.removeLast()
                self.origin = nil
            }
            let mayStart = self.mayStart
            if mayStart {
                start(isNeeded: isExpired, isEarly: !isExpired && !isAsked)
                calls[call].failuresBefore = failures
            }
            if isExpired { return mayStart ? () : end(call, "rejected.tokenRefreshLimit") }
            if isAsked, mayStart { return }
        }
        give(call, token)
    }

    private var mayStart: Bool { starts.filter { $0 > now - .seconds(30) }.count < 5 }

    /// A call was refused whose request cannot be sent again.
    mutating func mark(_ call: Int) {
        end(call, "401")
        if token != nil, calls[call].token == token { (isMarked, isEarly) = (true, false) }
    }

    private mutating func give(_ call: Int, _ token: String?) {
        calls[call].phase = .has(token)
        calls[call].token = token
        calls[call].failuresSeen = calls[call].failuresBefore ?? failures
        calls[call].failuresBefore = nil
        calls[call].hasWaited = false
        calls[call].isRefused = false
    }

    private mutating func start(isNeeded: Bool, isEarly: Bool) {
        start = now
        refreshes += 1
        isRefreshing = true
        self.isNeeded = isNeeded
        self.isEarly = isEarly
    }

    private mutating func wake() {
        for call in calls.indices where calls[call].phase == .waits {
            calls[call].hasWaited = true
            decide(call)
        }
    }

    mutating func refreshed(_ new: String, lifetime: Duration?) {
        (isRefreshing, token, due, lastFailure, isMarked) = (false, new, nil, nil, false)
        starts.append(start)
        origin = start
        expiry = lifetime.map { now + $0 }
        _ = isDue()
        wake()
    }

    /// 10 s before the expiry, or after half of what remained when the token was first seen in use.
    private mutating func isDue() -> Bool {
        guard let expiry else { return false }
        let time = due ?? max(expiry - .seconds(10), now + (expiry - now) / 2)
        due = expiry <= now ? now : time
        return time <= now || expiry <= now
    }

    mutating func failed() {
        (isRefreshing, isMarked) = (false, false)
        failures += 1
        lastFailure = now
        if let expiry, expiry > now { due = now + max((expiry - now) / 2, .seconds(12)) }
        for call in calls.indices where calls[call].phase == .waits && (isNeeded || calls[call].isRefused) {
            end(call, "rejected.tokenRefresh")
        }
        wake()
    }

    mutating func refusedForGood() {
        (isRefreshing, isForGood, lastFailure, isMarked) = (false, true, nil, false)
        wake()
    }

    mutating func replace(_ token: String?, owner: String?, lifetime: Duration? = nil) {
        (self.owner, self.token, isRefreshing, isForGood, due) = (owner, token, false, false, nil)
        expiry = lifetime.map { now + $0 }
        starts = []
        (lastFailure, origin, isMarked) = (nil, nil, false)
        wake()
    }
}
