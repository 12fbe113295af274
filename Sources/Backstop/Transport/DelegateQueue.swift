#if canImport(FoundationNetworking)
    internal import Foundation

    /// The queue on which the Linux session calls its delegate: none, so the delegate runs where the session works.
    ///
    /// The session's own queue is serial, and submits three blocks per response. As operations of an `OperationQueue`,
    /// they made each call a quarter slower than `data(for:)`. And a queue between the socket and the delegate grows
    /// without bound if the network is faster, so no memory limit would hold.
    ///
    /// So the delegate must neither block nor call `URLSessionTask.cancel()`, which waits for the same queue.
    final class DelegateQueue: OperationQueue, @unchecked Sendable {
        // Unchecked, because the superclass is not final; there is no state.
        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            block()
        }
    }
#endif
