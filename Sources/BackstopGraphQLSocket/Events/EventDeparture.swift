internal import Backstop

/// How far the request that begins an operation has come: its call carries this, and the end of its chain fills it in.
final class EventDeparture: Sendable {
    /// The value of its call.
    enum Key: CallKey { static let defaultValue: EventDeparture? = nil }

    /// The last of the interceptors.
    struct Watch: HTTP.Interceptor {
        func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
            let departure = context.values[Key.self]
            departure?.phase.withLock { $0 = { context.phase } }
            defer {
                // Without the context, which holds the departure.
                departure?.phase.withLock { [phase = context.phase] in $0 = { phase } }
            }
            // Who has cancelled the call before that, saw that nothing was sent.
            try Task.checkCancellation()
            return try await next(request)
        }
    }

    /// The phase of its exchange, nil if the transport does not tell; nil before the transport has it. Guarded by the
    /// lock.
    private let phase = Lock<(@Sendable () -> TransportError.Phase?)?>(nil)

    /// Whether nothing was sent: of a call that is cancelled, then nothing is, because transports look for that once a
    /// place in their line is free.
    var isWaiting: Bool {
        phase.withLock { $0 }.map { $0() == .queued } ?? true
    }

    /// Whether it is better to wait for the answer than to cancel it: the server may have it.
    var isUnderWay: Bool {
        switch phase.withLock({ $0 })?() {
        case nil, .queued, .connecting: false
        case .sending, .waiting, .receiving, .unknown: true
        }
    }
}
