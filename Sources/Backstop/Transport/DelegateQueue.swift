#if canImport(FoundationNetworking)
    internal import Foundation

    /// The queue that Linux's session calls its delegate on: none, the delegate runs where the session's own work does.
    ///
    /// The session's own queue is serial, and hands over three blocks for each response. As operations of an
    /// `OperationQueue` they made each call a quarter slower than `data(for:)`. And a queue between the socket and the
    /// delegate fills without bound where the network is the faster of the two, so that no limit on memory would hold.
    ///
    /// The delegate therefore must neither block nor call `URLSessionTask.cancel()`, which waits for the same queue.
    final class DelegateQueue: OperationQueue, @unchecked Sendable {
        // Unchecked, because the superclass is not final; there is no state.
        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            block()
        }
    }
#endif
