/// An interceptor of a chain: it sees a request on its way out and the response, or the error, on its way back.
///
/// Write one for anything that all calls share: a header, a measurement, a rule about which responses are failures. An
/// interceptor may call `next` not at all (it answers itself), once, or several times (retry, hedging). It sees errors
/// as thrown; they are wrapped in a ``Failure`` once, at the outer edge of the chain.
///
/// ```swift
/// struct Stopwatch<Request: Sendable, Response: Sendable>: Interceptor {
///     func intercept(
///         _ request: Request, context: CallContext, next: Next<Request, Response>
///     ) async throws -> Response {
///         let start = context.clock.now
///         defer { context.note("stopwatch", "\(context.clock.now - start)") }
///         return try await next(request)
///     }
/// }
/// ```
public protocol Interceptor<Request, Response>: Sendable {
    /// What travels inwards.
    associatedtype Request: Sendable
    /// What travels outwards.
    associatedtype Response: Sendable

    /// The role of this interceptor, used by order rules. Default: `.custom` with the type's name.
    var role: Role { get }

    /// Rules about the position of this interceptor, in addition to those of its role. Default: none.
    var orderRules: [OrderRule] { get }

    /// What order rules may know about this interceptor: how many attempts it makes, how long it may wait. Default: none.
    ///
    /// It is read when a chain is made or its order is checked, never in a call.
    var settings: [InterceptorSetting] { get }

    /// Handles one request.
    ///
    /// - Parameters:
    ///   - request: The request as the outer interceptors left it.
    ///   - context: The state of the call: attempt number, deadline, clock, values, trace.
    ///   - next: The rest of the chain.
    /// - Returns: The response that the outer interceptors see.
    /// - Throws: Any error, unwrapped; `CancellationError` when the call was cancelled.
    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response
}

extension Interceptor {
    /// `.custom` with the name of the type, without its generic arguments.
    public var role: Role {
        .custom(TypeName.short(Self.self))
    }

    /// No rules of its own.
    public var orderRules: [OrderRule] {
        []
    }

    /// No settings.
    public var settings: [InterceptorSetting] {
        []
    }
}
