/// The end of a chain: it really sends the request.
///
/// It throws ``TransportError`` or ``TimeoutError``, and stops the transfer when its task is cancelled. What it was
/// given to send and the response that it gave are recorded by the chain; one that follows redirects by itself says so
/// (``CallContext/recordHop(_:)``), and one that knows how far an exchange has come can tell
/// (``CallContext/track(_:)``), so that a failure shows both.
///
/// ```swift
/// struct Echo: Transport {
///     func send(_ request: String, context: CallContext) async throws -> String { request }
/// }
/// ```
public protocol Transport<Request, Response>: Sendable {
    /// What is sent.
    associatedtype Request: Sendable
    /// What comes back.
    associatedtype Response: Sendable

    /// Whether it ends an attempt by itself at ``CallContext/attemptLimit``, with ``TimeoutError`` and `.attempt`.
    /// Default: false.
    ///
    /// `AttemptTimeout` next to such a transport only hands its limit over, which spares a task and a race.
    var endsAttemptsInTime: Bool { get }

    /// Sends one request and gives the complete response.
    ///
    /// - Throws: ``TransportError``, ``TimeoutError``, or `CancellationError` when the task was cancelled.
    func send(_ request: Request, context: CallContext) async throws -> Response
}

extension Transport {
    /// `AttemptTimeout` ends the attempts.
    public var endsAttemptsInTime: Bool { false }
}
