internal import Backstop

/// How far the request that begins an operation has come: its call carries this, and the end of its chain fills it in.
final class EventDeparture: Sendable {
    /// The value of its call.
    enum Key: CallKey { static let defaultValue: EventDeparture? = nil }

    /// The last of the interceptors.
    struct Watch: HTTP.Interceptor {
        func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
            let departure = context.values[Key.self]
            let stage: @Sendable () -> Stage = {
                let progress = context.progress
                return (progress?.phase, progress?.response != nil)
            }
            departure?.stage.withLock { $0 = stage }
            // Who has cancelled the call before that, saw that nothing was sent.
            guard !Task.isCancelled else {
                departure?.stage.withLock { $0 = nil }
                throw CancellationError()
            }
            defer {
                // Without the context, which holds the departure.
                departure?.stage.withLock { [last = stage()] in $0 = { last } }
            }
            return try await next(request)
        }
    }

    /// The phase of its exchange, nil if the transport does not tell, and whether it has an answer: it may be one that
    /// follows a redirect.
    private typealias Stage = (phase: TransportError.Phase?, isAnswered: Bool)

    /// How far its exchange is; nil before the transport has it. Guarded by the lock.
    private let stage = Lock<(@Sendable () -> Stage)?>(nil)

    /// Whether nothing was sent: of a call that is cancelled, then nothing is, because transports look for that once a
    /// place in their line is free.
    var isWaiting: Bool {
        stage.withLock { $0 }.map { $0() == (.queued, false) } ?? true
    }

    /// Whether it is better to wait for the answer than to cancel it: the server may have it.
    var isUnderWay: Bool {
        switch stage.withLock({ $0 })?().phase {
        case nil, .queued, .connecting: false
        case .sending, .waiting, .receiving, .unknown: true
        }
    }
}
