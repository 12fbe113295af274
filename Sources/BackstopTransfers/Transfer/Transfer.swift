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
/// It is cancelled when nobody holds it any more, nor its ``updates`` or ``progress``, or when the task that waits for its
/// ``value`` is cancelled.
public final class Transfer<Value: Sendable>: Sendable {
    private let task: Task<Result<Value, Failure>, Never>
    private let meter: TransferMeter
    private let hold: TransferHold

    init(_ meter: TransferMeter, _ run: @escaping @Sendable () async throws(Failure) -> Value) {
        self.meter = meter
        let task = Task { @concurrent () -> Result<Value, Failure> in
            do throws(Failure) {
                let value = try await run()
                meter.finish(isWhole: true)
                return .success(value)
            } catch {
                meter.finish(isWhole: false)
                return .failure(error)
            }
        }
        self.task = task
        hold = TransferHold { task.cancel() }
    }

    /// What it leads to, once it has ended. May be asked for more than once.
    ///
    /// - Throws: The failure; `failure.transfer` says how much was done.
    public var value: Value {
        get async throws(Failure) {
            let (task, hold) = (task, hold)
            defer { withExtendedLifetime(hold) {} }
            return try await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }.get()
        }
    }

    /// How far it is now.
    public var status: TransferStatus { meter.status }

    /// How far it is, whenever that changes: the latest for a reader who is slower. Ends with the transfer, which goes on
    /// while somebody holds the stream.
    public var updates: AsyncStream<TransferStatus> { meter.updates(hold) }

    /// The same for Foundation, such as for a view that shows a `Progress`; to cancel it cancels the transfer, which goes
    /// on while somebody holds it.
    public var progress: Progress { meter.progress(hold) }

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

/// Keeps a transfer going while anybody holds it: the transfer itself, or whoever looks at how far it is.
final class TransferHold: Sendable {
    let cancel: @Sendable () -> Void

    init(cancel: @escaping @Sendable () -> Void) {
        self.cancel = cancel
    }

    deinit {
        cancel()
    }
}
