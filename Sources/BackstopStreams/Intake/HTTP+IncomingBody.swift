public import Backstop
internal import BackstopCore
public import Foundation

extension HTTP {
    /// The body of a response while it arrives, from a transport: its parts, one at a time, as they are asked for.
    ///
    /// ```swift
    /// let body = HTTP.IncomingBody { nil }  // an empty one
    /// ```
    public struct IncomingBody: Sendable {
        /// Gives the next part, nil at the end; the silence is how long it may take, nil for any time.
        let next: @Sendable (_ silence: Silence?) async throws -> Data?
        /// Ends the wait for the next part, and all later ones.
        let stop: @Sendable (any Error) -> Void
        /// What it comes through, which the limit of the attempt may end; nil for any other.
        let pipe: BodyPipe?

        /// Makes a body.
        ///
        /// - Parameter next: Returns the next part, decoded if the server compressed it, and nil at the end. It throws
        ///   when the body does not arrive to its end, and `CancellationError` when its task is cancelled. It is called
        ///   again only after it has returned.
        public init(next: @escaping @Sendable () async throws -> Data?) {
            let waits = Waits()
            self.next = { try await waits.next(within: $0, next) }
            stop = { waits.stop($0) }
            pipe = nil
        }

        /// A body that has arrived.
        init(_ data: Data) {
            let rest = Lock<Data?>(data.isEmpty ? nil : data)
            stop = { _ in }
            pipe = nil
            next = { _ in
                try Task.checkCancellation()
                return rest.withLock { exchange(&$0, with: nil) }
            }
        }

        /// A body that a transport of this package receives.
        init(_ pipe: BodyPipe) {
            next = { try await pipe.next(within: $0) }
            stop = { pipe.end(.failure($0)) }
            self.pipe = pipe
        }
    }
}

/// How long the network may be silent.
struct Silence: Sendable {
    let limit: Duration
    let clock: any CallClock
    /// The setting that has the limit, as named in advice.
    let setting: String

    var error: TimeoutError { TimeoutError(.streamSilence(setting), after: limit) }
}

/// The waits for the parts of a body that an app's own transport receives: only here can they be ended early.
private final class Waits: Sendable {
    private typealias Wait = OneShot<Data?, Void>

    /// The wait that goes on, and why no other begins, guarded by the lock.
    private let state = Lock<(current: Wait?, stopped: (any Error)?)>((nil, nil))

    func next(within silence: Silence?, _ next: @escaping @Sendable () async throws -> Data?) async throws -> Data? {
        let wait = Wait()
        try state.withLock { state in
            if let stopped = state.stopped {
                throw stopped
            }
            state.current = wait
        }
        let start = silence?.clock.now
        let timer = silence.map { silence in
            LimitTimer(after: silence.limit, clock: silence.clock) { wait.end(with: .failure(silence.error)) }
        }
        let task = Task {
            do {
                wait.end(with: .success(try await next()))
            } catch {
                wait.end(with: .failure(error))
            }
        }
        defer {
            timer?.cancel()
            task.cancel()
        }
        let part = try await wait.value()
        // A test's clock moves at once, and its timer may come later.
        if let silence, let start, silence.clock.now - start > silence.limit {
            throw silence.error
        }
        return part
    }

    func stop(_ error: any Error) {
        let current = state.withLock { state in
            state.stopped = error
            return state.current
        }
        current?.end(with: .failure(error))
    }
}
