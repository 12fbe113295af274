/// The progress of an attempt's exchange, as reported by its transport.
///
/// A transport registers a closure that returns it (``CallContext/track(_:)``). The closure is called when a time limit
/// is reached or the attempt fails, so that the failure says what had happened by then.
///
/// ```swift
/// func begin(_ context: CallContext) {
///     context.track { TransferProgress(.waiting) }
/// }
/// ```
public struct TransferProgress: Sendable {
    /// The phase of the exchange.
    public let phase: TransportError.Phase
    /// How many bytes of the response body had arrived; nil when none had begun or the number is unknown.
    public let bytesReceived: Int64?
    /// What had arrived of the response; nil when none had begun.
    public let response: (any CallResponse)?

    /// Makes the progress.
    ///
    /// - Parameters:
    ///   - phase: The phase of the exchange.
    ///   - bytesReceived: How many bytes of the response body have arrived; nil when none has begun.
    ///   - response: The head and the bytes that have arrived; nil when none has begun.
    public init(
        _ phase: TransportError.Phase, bytesReceived: Int64? = nil, response: (any CallResponse)? = nil
    ) {
        self.phase = phase
        self.bytesReceived = bytesReceived
        self.response = response
    }
}
