public import Backstop
public import BackstopCore
internal import Foundation

/// An interceptor that fails requests on demand, to see an app's error screens.
///
/// It does nothing until it is told to, while the app runs: from a debug menu, a preview or a test. A fault is a
/// ``Stub``, as in a ``ScriptedTransport``. The chain treats it as if it came from the network, to which nothing is sent.
///
/// ```swift
/// func debugging(_ client: Client, _ faults: FaultInjection) throws -> Client {
///     try client.withChain { $0.appending(faults) }
/// }
///
/// let faults = FaultInjection()
/// faults.next = .status(503, headers: ["Retry-After": "30"])
/// faults.add(.failure(TransportError(.offline)).repeated(), for: "LoadBooks", share: 0.1)
/// faults.add(.delay(.seconds(3), then: .network).repeated())
/// ```
/// It belongs inside all other interceptors, as `appending` puts it: each attempt may get a fault, and time limits,
/// retry and logs see it. The trace, the failure's report and a line in the log say that it was injected.
///
/// Keep it out of release builds, with `#if DEBUG`.
public final class FaultInjection: HTTP.Interceptor, AttemptEnding {
    private struct Rule {
        let id = UUID()
        let fault: ScriptedTransport.Step
        var name: String?
        var share = 1.0
        var isNext = false
        /// How many more requests get it; nil for any number.
        var left: Int?
    }

    /// The faults to come, that of ``next`` first, guarded by the lock.
    private let rules = Lock<[Rule]>([])
    private let log: any LogSink

    /// Makes an interceptor without faults.
    ///
    /// - Parameter log: Where a line about each fault goes, at `notice`. Default: the system log, or standard error where
    ///   there is none.
    public init(to log: any LogSink = SystemLog.shared) {
        self.log = log
    }

    /// Each role of the standard order belongs outside: it would see no fault.
    public var orderRules: [OrderRule] {
        Role.standardOrder.map { OrderRule(outer: $0, inner: role, reason: "it sees no injected fault") }
    }

    /// The fault of the next request, before those that were added; nil for none, and after it was used.
    ///
    /// It is for one request, or as many as `.repeated(3)` says. One with a condition (`.on`) waits for a request that
    /// meets it. Setting it replaces an unused one.
    public var next: ScriptedTransport.Step? {
        get {
            rules.withLock { $0.first(where: \.isNext)?.fault }
        }
        set {
            let rule = newValue.map { Rule(fault: $0, isNext: true, left: $0.limit ?? 1) }.flatMap(Self.ofAny)
            // What was there may hold the last reference to something, and is released after the lock.
            _ = rules.withLock { rules in
                let old = rules.firstIndex(where: \.isNext).map { rules.remove(at: $0) }
                rules.insert(contentsOf: rule.map { [$0] } ?? [], at: 0)
                return old
            }
        }
    }

    /// Adds a fault behind those that are there; a request gets the first that is for it.
    ///
    /// ```swift
    /// let faults = FaultInjection()
    /// faults.add(.status(503).repeated(2), for: "LoadBooks")  // its next two requests, and then
    /// faults.add(.hang, for: "LoadBooks")  // one that is never answered
    /// faults.add(.on(.post, "/v1/orders", .failure(TransportError(.lost))), share: 0.2)  // one in five, until clear()
    /// ```
    /// - Parameters:
    ///   - fault: What answers, as often as alone in a script: once, or as `.repeated(2)`, `.repeated()` and `.on` say.
    ///   - name: The name of the calls that it is for, usually their endpoint's; nil for all. Default: nil.
    ///   - share: How many of these requests get it, from 0, none, to 1, all; other values count as the nearest. It is
    ///     drawn from the `random` of the call's options: a `SeededRandom` there repeats a run. Default: 1.
    public func add(_ fault: ScriptedTransport.Step, for name: String? = nil, share: Double = 1) {
        if let rule = Self.ofAny(Rule(fault: fault, name: name, share: share, left: fault.limit)) {
            rules.withLock { $0.append(rule) }
        }
    }

    /// The rule, unless no request gets its fault.
    private static func ofAny(_ rule: Rule) -> Rule? { rule.left.map { $0 > 0 } ?? true ? rule : nil }

    /// Removes all faults; those that have begun go on.
    public func clear() {
        _ = rules.withLock { exchange(&$0, with: []) }
    }

    /// Answers with the fault that is for the request, if there is one.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        guard let fault = fault(for: request, context) else {
            return try await next(request)
        }
        mark(fault, context)
        guard let limit = context.attemptLimit else {
            return try await answer(request, context, fault, next)
        }
        return try await withTimeLimit(
            limit, clock: context.clock, throwing: TimeoutError(.attempt, after: limit), untilOpen: context.callIntake
        ) {
            try await self.answer(request, context, fault, next)
        }
    }

    private func answer(
        _ request: HTTP.Request, _ context: CallContext, _ fault: ScriptedTransport.Step, _ next: HTTP.Next
    ) async throws -> HTTP.Response {
        guard fault.goesOn else {
            // The end of a chain, so that the request counts as sent: whether it may be repeated is decided by that.
            let answer = ScriptedTransport.Step(fault.description, begin: fault.begin, answer: fault.answer)
            let end = HTTP.Chain([], transport: ScriptedTransport(answer), orderRules: [], invalid: nil)
            return try await end.send(request, context: context)
        }
        do {
            fault.begin?(request, context)
            return try await fault.answer(request, context)
        } catch is GoesOn {
            return try await next(request)
        }
    }

    /// Takes the first fault that is for a request. Conditions and random sources are the app's own code, so they run
    /// before the lock is taken.
    private func fault(for request: HTTP.Request, _ context: CallContext) -> ScriptedTransport.Step? {
        rules.withLock { $0 }.first { rule in
            (rule.name ?? context.name) == context.name && rule.fault.isFor?(request) != false
                && (rule.share >= 1 || context.random.unit() < rule.share) && take(rule)
        }?.fault
    }

    /// Whether another request has not used it up meanwhile.
    private func take(_ rule: Rule) -> Bool {
        rules.withLock { rules in
            guard let index = rules.firstIndex(where: { $0.id == rule.id }) else {
                return false
            }
            rules[index].left? -= 1
            if rules[index].left == 0 {
                rules.remove(at: index)
            }
            return true
        }
    }

    private func mark(_ fault: ScriptedTransport.Step, _ context: CallContext) {
        let name = context.redaction.shown(name: fault.description)
        let text = "\(name) in attempt \(context.attempt), injected by FaultInjection"
        context.remark("fault", text)
        if log.isEnabled(.notice) {
            log.write(LogEntry(.notice, "#\(context.id) \(text)", callID: context.id))
        }
    }
}
