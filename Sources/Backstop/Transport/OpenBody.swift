internal import BackstopCore
internal import Foundation

/// The body of one transfer, as a stream of the session reads it.
///
/// Unchecked, because the session, or the pump in front of it, reads from one thread at a time. From other threads only
/// ``cancel()``, ``taskEnded()``, ``whenTaskEnds(_:)`` and ``length`` are used, which touch nothing of that.
final class OpenBody: @unchecked Sendable {
    /// Events for the exchange.
    struct Events: Sendable {
        /// The body cannot be sent as announced.
        var failed: @Sendable (any Error) -> Void
        /// All bytes were handed out, with their number.
        var ended: @Sendable (Int64) -> Void
    }

    private let chunks: any BlockingChunks
    private let events: Events
    /// What every further read returns; nil while there may be more.
    private var over: Int?
    private var rest = Data()
    private var count: Int64 = 0
    private let end = DispatchSemaphore(value: 0)
    /// Whether the session still sends the body, and what to do once it does not; guarded by the lock.
    private let sending = Lock<(isOver: Bool, whenOver: (@Sendable () -> Void)?)>((false, nil))

    init(_ chunks: any BlockingChunks, events: Events) {
        self.chunks = chunks
        self.events = events
    }

    deinit {
        chunks.cancel()
    }

    /// The announced number of bytes; nil for none.
    var length: Int64? { chunks.length }

    /// Whether everything has been handed out, or nothing more will be.
    var isOver: Bool {
        over != nil
    }

    /// Reads up to a number of bytes, and waits for the first.
    ///
    /// - Returns: How many; 0 at the end, -1 after a failure, as streams do.
    func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        if let over {
            return over
        }
        if rest.isEmpty {
            do {
                guard let chunk = try chunks.next() else {
                    return end(with: 0)
                }
                rest = chunk
            } catch {
                over = -1
                events.failed(error)
                return -1
            }
        }
        let size = min(maxLength, rest.count)
        rest.copyBytes(to: buffer, count: size)
        rest = size == rest.count ? Data() : rest.dropFirst(size)
        count += Int64(size)
        // The last bytes are handed out only once no more can follow.
        return count == length ? end(with: size) : size
    }

    /// Ends the reading, and wakes whoever waits for bytes.
    func cancel() {
        chunks.cancel()
    }

    /// Tells that the session no longer sends the body.
    func taskEnded() {
        sending.withLock { exchange(&$0, with: (true, nil)).whenOver }?()
        end.signal()
    }

    /// Runs something once the session no longer sends the body, perhaps at once.
    func whenTaskEnds(_ action: @escaping @Sendable () -> Void) {
        let isOver = sending.withLock { sending in
            sending.whenOver = sending.isOver ? nil : action
            return sending.isOver
        }
        if isOver {
            action()
        }
    }

    /// Waits for ``taskEnded()``.
    func waitForTaskEnd() {
        end.wait()
    }

    private func end(with size: Int) -> Int {
        over = 0
        events.ended(count)
        return size
    }
}
