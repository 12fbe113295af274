/// The end of a chain: it really sends the request.
///
/// A transport records what it sent and what came back (``CallContext/recordSent(_:)`` and
/// ``CallContext/recordReceived(_:)``), so that a failure can show them; it throws ``TransportError`` or
/// ``TimeoutError``; and it stops the transfer when its task is cancelled.
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

    /// Sends one request and gives the complete response.
    ///
    /// - Throws: ``TransportError``, ``TimeoutError``, or `CancellationError` when the task was cancelled.
    func send(_ request: Request, context: CallContext) async throws -> Response
}
