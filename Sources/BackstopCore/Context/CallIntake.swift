/// What takes the body of a call while that arrives, at the inner end of the chain: `next` returns when the body has
/// ended, so that every interceptor sees the end.
package protocol CallIntake: AnyObject, Sendable {
    /// Whether a head was accepted: what follows goes to a reader, so that nothing else can answer the call any more,
    /// unless what was accepted turns out to be no stream.
    var isOpen: Bool { get }

    /// How long heads had been accepted whose bodies turned out to be no stream.
    var timeInVain: Duration { get }

    /// What has been handed over; nil before a head was accepted.
    var report: TransferReport? { get }

    /// Runs an action once a head is accepted; at once if one was.
    ///
    /// - Parameter undo: Undoes the action when what was accepted turns out to be no stream; the action runs again with
    ///   the next head. Nil for an action that runs once in any case.
    /// - Returns: A ticket to forget the action by.
    func whenOpen(_ action: @escaping @Sendable () -> Void, undo: (@Sendable () -> Void)?) -> UInt64

    /// Checks something before the head is accepted and before each part is handed over, to the end of the call.
    ///
    /// - Returns: A ticket to forget the check by; after the head was accepted, it stays.
    func check(_ check: @escaping @Sendable () throws -> Void) -> UInt64

    /// Forgets an action or a check.
    func forget(_ ticket: UInt64)

    /// Takes the error that a transport has made of the one that ended the body.
    func explain(_ error: any Error)

    /// Takes the body of a whole response, from a transport that knows nothing of streams.
    ///
    /// - Returns: The response without it; nil when it is not one to take.
    nonisolated(nonsending) func take(
        whole response: any Sendable, context: CallContext
    ) async throws -> (any Sendable)?
}

extension CallContext {
    /// What takes the body while it arrives; nil for a plain call.
    package var callIntake: (any CallIntake)? {
        record.subject?.intake
    }

    /// Whether the body goes to a reader while it arrives: `next` returns when the body has ended, with a response whose
    /// body is empty. A cache keeps none of these: a call that gets one fails.
    public var isStream: Bool {
        callIntake != nil
    }

    /// Runs an operation, usually `next`, and an action as soon as the head of a stream is accepted within it.
    ///
    /// For interceptors that hold or measure something until the answer begins. The action never runs for a plain call,
    /// nor after the operation has ended, and once at most, unless what was accepted turns out to be no stream.
    ///
    /// ```swift
    /// struct TimeToOpen: HTTP.Interceptor {
    ///     func intercept(
    ///         _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ///     ) async throws -> HTTP.Response {
    ///         try await context.whenOpen({ context.note("open", context.elapsed.description) }) {
    ///             try await next(request)
    ///         }
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - action: Must be short: the first bytes wait for it.
    ///   - operation: What may accept a head.
    /// - Throws: What the operation throws.
    nonisolated(nonsending) public func whenOpen<Result>(
        _ action: @escaping @Sendable () -> Void,
        during operation: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        try await whenOpen(action, undo: nil, during: operation)
    }

    /// The same for an action that can be undone, should what was accepted turn out to be no stream.
    nonisolated(nonsending) package func whenOpen<Result>(
        _ action: @escaping @Sendable () -> Void, undo: (@Sendable () -> Void)?,
        during operation: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        let intake = callIntake
        let ticket = intake?.whenOpen(action, undo: undo)
        defer {
            if let ticket { intake?.forget(ticket) }
        }
        return try await operation()
    }

    /// Runs an operation; nothing of a stream that begins within it is handed over unless the check passes before.
    nonisolated(nonsending) package func checkingParts<Result>(
        _ check: @escaping @Sendable () throws -> Void,
        during operation: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        let intake = callIntake
        let ticket = intake?.check(check)
        defer {
            if let ticket { intake?.forget(ticket) }
        }
        return try await operation()
    }
}
