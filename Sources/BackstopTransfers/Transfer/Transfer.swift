internal import BackstopCore
public import Foundation

/// A download or an upload that runs, from the moment when it is made.
///
/// ```swift
/// @MainActor final class Screen {
///     var share = 0.0
///
///     func load(_ client: Client, to file: URL) async throws(Failure) {
///         let transfer = client.download("maps/7.zip", to: file)
///         let bar = Task {
///             for await now in transfer.updates { share = now.fraction ?? 0 }
///         }
///         defer { bar.cancel() }
///         _ = try await transfer.value
///     }
/// }
/// ```
/// It is cancelled when nobody holds it any more, or when the task that waits for its ``value`` is cancelled.
public final class Transfer<Value: Sendable>: Sendable {
    private let task: Task<Result<Value, Failure>, Never>
    private let meter: TransferMeter

    init(_ meter: TransferMeter, _ run: @escaping @Sendable () async throws(Failure) -> Value) {
        self.meter = meter
        task = Task { @concurrent in
            defer { meter.finish() }
            do throws(Failure) {
                return .success(try await run())
            } catch {
                return .failure(error)
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// What it leads to, once it has ended. May be asked for more than once.
    ///
    /// - Throws: The failure; `failure.transfer` says how much was done.
    public var value: Value {
        get async throws(Failure) {
            let task = task
            return try await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }.get()
        }
    }

    /// How far it is now.
    public var status: TransferStatus { meter.status }

    /// How far it is, whenever that changes: the latest for a reader who is slower. Ends with the transfer.
    public var updates: AsyncStream<TransferStatus> { meter.updates() }

    /// The same for Foundation, such as for a view that shows a `Progress`; to cancel it cancels the transfer.
    public var progress: Progress { meter.progress { [task] in task.cancel() } }

    /// Ends it, as `cancelled`; nothing after its end. What a download has got stays for the next one.
    public func cancel() {
        task.cancel()
    }
}

/// How far a transfer is.
public struct TransferStatus: Sendable, Hashable {
    /// How many bytes are done: of a download those in the file, of an upload those that were given to the network.
    public var bytes: Int64
    /// How many there are; nil while that is unknown.
    public var expected: Int64?
    /// How many times it has begun: a download goes on where it was, an upload is sent from its start.
    public var legs: Int

    /// From 0 to 1; nil while it is unknown how many bytes there are.
    public var fraction: Double? {
        expected.map { $0 > 0 ? min(1, Double(bytes) / Double($0)) : 1 }
    }
}

/// Tells how far a transfer is.
final class TransferMeter: Sendable {
    private struct State {
        var status = TransferStatus(bytes: 0, expected: nil, legs: 0)
        var readers: [Int: AsyncStream<TransferStatus>.Continuation] = [:]
        var last = 0
        var progress: Progress?
        var isOver = false
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

    func updates() -> AsyncStream<TransferStatus> {
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
        continuation.onTermination = { [weak self] _ in
            let old = self?.state.withLock { $0.readers.removeValue(forKey: number) }
            withExtendedLifetime(old) {}
        }
        return stream
    }

    func progress(cancel: @escaping @Sendable () -> Void) -> Progress {
        let new = Progress(totalUnitCount: -1)
        new.isCancellable = true
        new.cancellationHandler = cancel
        let (status, progress) = state.withLock { state in
            let progress = state.progress ?? new
            state.progress = progress
            return (state.status, progress)
        }
        Self.show(status, in: progress)
        return progress
    }

    private static func show(_ status: TransferStatus, in progress: Progress) {
        progress.totalUnitCount = status.expected ?? -1
        progress.completedUnitCount = status.bytes
    }

    func finish() {
        let readers = state.withLock { state in
            state.isOver = true
            return Array(state.readers.values)
        }
        for reader in readers {
            reader.finish()
        }
    }
}
