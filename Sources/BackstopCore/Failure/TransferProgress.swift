/// How far an attempt's exchange has come, as its transport knows it.
///
/// A transport hands over where to ask for it (``CallContext/track(_:)``); it is asked when a time limit strikes or the
/// attempt fails, so that the failure says what had happened by then.
///
/// ```swift
/// func begin(_ context: CallContext) {
///     context.track { TransferProgress(.waiting) }
/// }
/// ```
public struct TransferProgress: Sendable {
    /// What was going on.
    public let phase: TransportError.Phase
    /// How many bytes of the response's body had arrived; nil when none was begun or it is not known.
    public let bytesReceived: Int64?
    /// The response as far as it had come; nil when none had begun.
    public let response: (any CallResponse)?

    /// Makes the progress.
    ///
    /// - Parameters:
    ///   - phase: What is going on.
    ///   - bytesReceived: How many bytes of the response's body have arrived; nil when none was begun.
    ///   - response: The head and the bytes that have arrived; nil when none has begun.
    public init(
        _ phase: TransportError.Phase, bytesReceived: Int64? = nil, response: (any CallResponse)? = nil
    ) {
        self.phase = phase
        self.bytesReceived = bytesReceived
        self.response = response
    }
}
