package import BackstopCore
package import Foundation

/// What takes the body of a response while it arrives, as transports and interceptors see it.
///
/// Streams themselves are in `BackstopStreams`, so that an app without any links nothing of them.
package protocol ResponseIntake: CallIntake {
    /// The error of what takes the body, if that has failed: a transport throws it as it is.
    var sinkError: (any Error)? { get }

    /// Says which heads are accepted, in addition to what others say. Without any, those with a 2xx status are.
    ///
    /// - Parameter name: Whose rule it is; the last one of that name counts.
    func accept(by name: String, _ rule: @escaping @Sendable (HTTP.Response) -> Bool)

    /// Checks what interceptors want checked before each part.
    func confirm() throws

    /// Makes a pipe for a body, for whatever receives that.
    func makePipe() -> any ResponsePipe

    /// Reads a body into the stream, or collects it.
    ///
    /// - Parameters:
    ///   - pipe: One that ``makePipe()`` has made.
    ///   - leadsOn: Whether another response follows, so that no stream is made of this one.
    ///   - limit: The transport's limit of a collected body.
    ///   - opened: Called when it is a stream: the time of the attempt is over.
    nonisolated(nonsending) func receive(
        _ head: HTTP.Response, _ pipe: any ResponsePipe, leadsOn: Bool, limit: Int, opened: () -> Void
    ) async throws -> HTTP.Response
}

/// Hands a body from the queue on which it arrives to the task that takes it.
///
/// What has arrived is handed over before the end, be it an error. Once much waits to be taken, whoever fills the pipe
/// is told so, and told again when it has been taken.
package protocol ResponsePipe: AnyObject, Sendable {
    /// How much may wait.
    var window: Int { get }

    /// How many bytes wait.
    var unread: Int { get }

    /// Adds a part.
    ///
    /// - Parameter drained: Called when less than half of the window waits, if now the whole of it does.
    /// - Returns: Whether the whole of the window waits.
    @discardableResult
    func push(_ chunk: Data, drained: @escaping @Sendable () -> Void) -> Bool

    /// Notes that the time of the attempt is over.
    ///
    /// - Returns: Whether that ends the body: no stream is made of it any more. False once one was made.
    func expire() -> Bool

    /// Ends the body; the first end counts.
    func end(_ result: Result<Void, any Error>)

    /// Forgets what waits: nobody takes it any more.
    func abandon()
}

extension CallContext {
    /// What takes the body while it arrives; nil for a plain call.
    package var responseIntake: (any ResponseIntake)? {
        callIntake.flatMap { $0 as? any ResponseIntake }
    }
}
