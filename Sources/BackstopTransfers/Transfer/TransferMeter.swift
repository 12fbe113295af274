internal import BackstopCore
internal import Foundation

/// Tells how far a transfer is.
final class TransferMeter: Sendable {
    private struct State {
        var status = TransferStatus(bytes: 0, expected: nil, legs: 0)
        var readers: [Int: AsyncStream<TransferStatus>.Continuation] = [:]
        var last = 0
        /// Weak, because whoever holds it keeps the transfer going, and the transfer has this.
        weak var progress: Progress?
        var isOver = false
        /// Whether it has ended well.
        var isWhole = false
    }

    /// The state, guarded by the lock; nobody is told anything under it.
    private let state = Lock(State())

    var status: TransferStatus { state.withLock { $0.status } }

    /// Changes the status, and tells everybody.
    func update(_ change: (inout TransferStatus) -> Void) {
        let (status, readers, progress) = state.withLock { state in
            change(&state.status)
            return (state.status, Array(state.readers.values), state.progress)
        }
        for reader in readers {
            reader.yield(status)
        }
        progress.map { Self.show(status, in: $0) }
    }

    func updates(_ hold: TransferHold) -> AsyncStream<TransferStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TransferStatus.self, bufferingPolicy: .bufferingNewest(1))
        let (status, number) = state.withLock { state -> (TransferStatus, Int?) in
            guard !state.isOver else {
                return (state.status, nil)
            }
            state.last += 1
            state.readers[state.last] = continuation
            return (state.status, state.last)
        }
        continuation.yield(status)
        guard let number else {
            continuation.finish()
            return stream
        }
        // Released when the stream is, or has ended.
        continuation.onTermination = { [weak self, hold] _ in
            let old = self?.state.withLock { $0.readers.removeValue(forKey: number) }
            withExtendedLifetime((old, hold)) {}
        }
        return stream
    }

    func progress(_ hold: TransferHold) -> Progress {
        let new = Progress(totalUnitCount: -1)
        let (status, progress, isOver, isWhole) = state.withLock { state in
            let progress = state.progress ?? new
            state.progress = progress
            return (state.status, progress, state.isOver, state.isWhole)
        }
        if progress === new, !isOver {
            new.cancellationHandler = { hold.cancel() }
        }
        Self.show(status, in: progress, isWhole: isWhole)
        return progress
    }

    private static func show(_ status: TransferStatus, in progress: Progress, isWhole: Bool = false) {
        // Nothing of nothing would never be finished.
        let isEmpty = isWhole && status.bytes == 0
        progress.totalUnitCount = isEmpty ? 1 : status.expected ?? -1
        progress.completedUnitCount = isEmpty ? 1 : status.bytes
    }

    /// Ends it.
    ///
    /// - Parameter isWhole: Whether there is nothing more than what is done.
    func finish(isWhole: Bool) {
        let (status, readers, progress) = state.withLock { state in
            state.isOver = true
            state.isWhole = isWhole
            if isWhole {
                state.status.expected = state.status.bytes
            }
            return (state.status, Array(state.readers.values), state.progress)
        }
        for reader in readers {
            if isWhole {
                reader.yield(status)
            }
            reader.finish()
        }
        progress.map { progress in
            Self.show(status, in: progress, isWhole: isWhole)
            progress.cancellationHandler = nil
        }
    }
}
