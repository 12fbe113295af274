/// The end of a chain: sends the request.
///
/// It throws ``TransportError`` or ``TimeoutError``, and stops the transfer when its task is cancelled. The chain
/// records the request and the response. A transport that follows redirects itself records each further request
/// (``CallContext/recordHop(_:)``), and one that knows the progress of an exchange can report it
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

    /// Whether it ends an attempt itself at ``CallContext/attemptLimit``, with ``TimeoutError`` and `.attempt`.
    /// Default: false.
    ///
    /// An `AttemptTimeout` directly before such a transport only hands its limit over, which saves a task and a race.
    var endsAttemptsInTime: Bool { get }

    /// Sends one request and returns the complete response.
    ///
    /// - Throws: ``TransportError``, ``TimeoutError``, or `CancellationError` when the task was cancelled.
    func send(_ request: Request, context: CallContext) async throws -> Response
}

extension Transport {
    /// `AttemptTimeout` ends the attempts.
    public var endsAttemptsInTime: Bool { false }
}
