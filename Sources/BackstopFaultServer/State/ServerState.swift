#if Demo
    import Foundation

    /// Everything that one server remembers between requests.
    final class ServerState: Sendable {
        private struct Contents {
            var isStopped = false
            var log = RequestLog()
            var disconnections: [String: Int] = [:]
            var calls: [String: Int] = [:]
            var payments: [String: Int] = [:]
            var documents: [Int: Data] = [:]
            var waiters: [EventWaiter] = []
            var nextWaiterID = 0

            func count(_ event: EventWaiter.Event, of path: String) -> Int {
                switch event {
                case .request: log.count(of: path)
                case .disconnection: disconnections[path, default: 0]
                }
            }
        }

        /// How many keys of callers are remembered; beyond it, all are forgotten.
        private static let keyCapacity = 100_000
        /// How many bytes of generated documents are kept; beyond it, all are forgotten.
        private static let documentCapacity = 128 * 1024 * 1024

        /// Guards the counters, the log of requests, the generated documents and those who wait for an event.
        private let contents = Locked(Contents())

        /// What GraphQL calls have left.
        let graphQL = GraphQLStore()

        /// The streams of events that many operations share.
        let streams = LiveStreams()

        // MARK: What has happened

        func record(_ request: RecordedRequest) {
            contents.withLock { $0.log.append(request) }
            wakeWaiters(for: .request, of: request.path)
        }

        func recordDisconnection(of path: String) {
            contents.withLock { $0.disconnections[path, default: 0] += 1 }
            wakeWaiters(for: .disconnection, of: path)
        }

        /// Tells those whose count is reached.
        private func wakeWaiters(for event: EventWaiter.Event, of path: String) {
            let reached = count(event, of: path)
            dismissWaiters(returning: true) { $0.event == event && $0.path == path && $0.count <= reached }
        }

        func requests(to path: String) -> [RecordedRequest] {
            contents.withLock { $0.log.requests(to: path) }
        }

        func count(_ event: EventWaiter.Event, of path: String) -> Int {
            contents.withLock { $0.count(event, of: path) }
        }

        /// Returns true when the event has happened often enough, false when the task is cancelled or the server stops.
        func wait(for event: EventWaiter.Event, of path: String, count: Int) async -> Bool {
            let id = contents.withLock { contents in
                contents.nextWaiterID += 1
                return contents.nextWaiterID
            }
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let known: Bool? = contents.withLock { contents in
                        if contents.count(event, of: path) >= count { return true }
                        if contents.isStopped || Task.isCancelled { return false }
                        contents.waiters.append(
                            EventWaiter(id: id, event: event, path: path, count: count, continuation: continuation))
                        return nil
                    }
                    if let known { continuation.resume(returning: known) }
                }
            } onCancel: {
                dismissWaiters(returning: false) { $0.id == id }
            }
        }

        /// From now on nothing happens any more: those who still wait are told so.
        func stop() {
            contents.withLock { $0.isStopped = true }
            dismissWaiters(returning: false) { _ in true }
        }

        private func dismissWaiters(returning hasHappened: Bool, where isDismissed: (EventWaiter) -> Bool) {
            let dismissed = contents.withLock { contents in
                let dismissed = contents.waiters.filter(isDismissed)
                contents.waiters.removeAll(where: isDismissed)
                return dismissed
            }
            for waiter in dismissed { waiter.continuation.resume(returning: hasHappened) }
        }

        // MARK: What routes count

        /// How often a key was counted.
        func count(of key: String) -> Int {
            contents.withLock { $0.calls[key, default: 0] }
        }

        /// Counts a call and returns how many there were with this key, this one included.
        func countCall(_ key: String) -> Int {
            contents.withLock { contents in
                if contents.calls.count >= Self.keyCapacity { contents.calls.removeAll() }
                let count = contents.calls[key, default: 0] + 1
                contents.calls[key] = count
                return count
            }
        }

        /// The number of the payment with this key: the same for the same key.
        func paymentNumber(for key: String) -> Int {
            contents.withLock { contents in
                if let known = contents.payments[key] { return known }
                if contents.payments.count >= Self.keyCapacity { contents.payments.removeAll() }
                let number = contents.payments.count + 1
                contents.payments[key] = number
                return number
            }
        }

        /// The document of this size; made outside of the lock the first time, and kept.
        func document(ofSize size: Int, make: (Int) -> Data) -> Data {
            if let known = contents.withLock({ $0.documents[size] }) { return known }
            let document = make(size)
            contents.withLock { contents in
                let kept = contents.documents.values.reduce(0) { $0 + $1.count }
                if kept + document.count > Self.documentCapacity { contents.documents.removeAll() }
                contents.documents[size] = document
            }
            return document
        }
    }
#endif
