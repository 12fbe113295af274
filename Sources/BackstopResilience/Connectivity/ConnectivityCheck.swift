public import Backstop
internal import Foundation

/// Sends nothing while the device is known to be offline: fails at once, or waits for the network up to a limit.
///
/// It belongs outside retry: one wait for each call, and none of the attempts is used up by a network that is known to
/// be away. It never takes "online" for a promise: requests are sent whenever the device is not known to be offline, and
/// those to the device itself (`localhost`, `127.0.0.1`, `[::1]`) always.
///
/// ```swift
/// func makeChain(_ transport: any Transport<String, String>, _ connectivity: any Connectivity) throws
///     -> Chain<String, String>
/// {
///     try Chain(transport: transport) {
///         ConnectivityCheck(connectivity, whenOffline: .wait(upTo: .seconds(10)))
///     }
/// }
/// ```
public struct ConnectivityCheck<Request: Sendable, Response: Sendable>: Interceptor {
    /// Says whether the device is offline.
    public let connectivity: any Connectivity
    /// What happens to a call while it is.
    public let whenOffline: OfflineRule

    /// `.connectivity`
    public var role: Role { .connectivity }

    /// The limit of the wait.
    public var settings: [InterceptorSetting] {
        switch whenOffline {
        case .fail: []
        case .wait(let limit) where limit > .zero: [.longestWait(limit)]
        case .wait(let limit):
            [
                .invalid(
                    ConfigurationError(
                        setting: "ConnectivityCheck.whenOffline",
                        problem: "must be a wait of more than 0, but is \(limit)",
                        fix: "Set how long a call waits for the network, or .fail"))
            ]
        }
    }

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - connectivity: Says whether the device is offline.
    ///   - whenOffline: What happens to a call while it is. Default: it fails at once.
    public init(_ connectivity: any Connectivity, whenOffline: OfflineRule = .fail) {
        self.connectivity = connectivity
        self.whenOffline = whenOffline
    }

    /// Sends the request unless the device is known to be offline.
    ///
    /// - Throws: `TransportError` with `.offline`, at once or after the wait; `TimeoutError` with `.deadline` when
    ///   the call's time is over first.
    public func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        guard connectivity.state == .offline, !RequestURL.isLocal((request as? HTTP.Request)?.url.host) else {
            return try await next(request)
        }
        switch whenOffline {
        case .fail:
            throw TransportError(.offline, detail: "The device is known to be offline, so nothing was sent")
        case .wait(let limit):
            try await wait(upTo: limit, context)
        }
        return try await next(request)
    }

    private func wait(upTo limit: Duration, _ context: CallContext) async throws {
        let start = context.clock.now
        let rest = context.deadline.map { $0.subtracting(start) }
        let end = min(limit, rest ?? limit)
        let timeout = TimeoutError(.deadline, after: end.adding(context.elapsed))
        context.note("connectivity", "offline, waits for the network")
        context.hold(
            Hold(
                "waiting for the network in ConnectivityCheck", detail: "the device is known to be offline",
                advice: "Tell the person that the device is offline, with a shorter wait than the call has"))
        do {
            try await withTimeLimit(end, clock: context.clock, throwing: timeout) { [connectivity] in
                for await state in connectivity.states() where state == .online {
                    return
                }
            }
        } catch let error as TimeoutError {
            context.note("connectivity", "offline, waited \(end.text) in vain")
            guard rest.map({ limit < $0 }) ?? true else {
                context.stopAtDeadline()
                throw error
            }
            context.endHold()
            throw TransportError(.offline, detail: "The device was offline for \(limit.text), so nothing was sent")
        }
        context.endHold()
        context.note("connectivity", "offline, waited \((context.clock.now - start).text) for the network")
    }
}

extension ConnectivityCheck: StatefulInterceptor {
    package func withNewState() -> Self {
        Self(ManualConnectivity(), whenOffline: whenOffline)
    }
}

/// What happens to a call while the device is known to be offline.
public enum OfflineRule: Sendable, Hashable {
    /// It fails at once with `transport.offline`.
    case fail
    /// It waits until the device is online, and fails with `transport.offline` after this time. More than 0.
    ///
    /// Ten seconds cover a lift, a tunnel between two stations takes longer; nobody watches a spinner for more.
    case wait(upTo: Duration)
}

extension Role {
    /// Holds calls back while the device is known to be offline.
    public static let connectivity: Role = Role(builtIn: "connectivity") {
        OrderRule.rules(
            .connectivity, inside: [.deadline: "the call's time begins only after the wait for the network"],
            outside: [.retry: "each attempt waits anew, and a call that is known to be offline is retried"])
            + OrderRule.rules(
                .connectivity,
                inside: [
                    .cache: "stored responses, which need no network, are not given while offline",
                    .fallback: "the fallback never sees that the device is offline",
                ], severity: .error) + [.once(.connectivity, reason: "a call waits for the network twice")]
    }
}
