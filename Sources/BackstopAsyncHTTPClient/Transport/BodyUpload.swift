#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import Backstop
    internal import BackstopCore
    internal import Dispatch
    internal import NIOCore

    /// Reads a body while it is sent: the next chunk once the connection has taken the last one.
    ///
    /// The library's own signal for that is a future which it never completes when the exchange ends meanwhile, so the
    /// signal here is that a part was sent (``partSent()``). Nothing is written after the head of a response that ends
    /// the upload, because the library would keep such a future too.
    ///
    /// The library must know the end of the body before the end of the response, or it never releases the connection. So
    /// it is told with the last announced byte, before it reads on, and not by the task, which may be late.
    final class BodyUpload: Sendable {
        private struct State {
            /// Whether the library knows that the body is complete.
            var isComplete = false
            /// Who waits until the last chunk is sent; gets whether to go on.
            var waiter: CheckedContinuation<Bool, Never>?
            var task: Task<Void, Never>?
            /// The end of the body, for the library.
            var end: EventLoopPromise<Void>?
        }

        private let chunks: HTTP.Body.Chunks
        /// How far the body is, task, waiter and end; it ends when nothing more is to be written.
        private let state = OneShot<Void, State>(State())
        /// What writes to the connection, once the request has it.
        private let writer = OneShot<HTTPClient.Body.StreamWriter, Void>()

        init(_ chunks: HTTP.Body.Chunks) {
            self.chunks = chunks
        }

        /// How many bytes the body has; nil for a number that is not known.
        var length: Int64? { chunks.length }

        /// Makes the task that sends: here, because the app's sequence may ask for values of the calling task.
        func prepare(on loop: any EventLoop) {
            state.update { state in
                state.task = Task {
                    await self.send(on: loop)
                }
            }
        }

        /// Begins to send; called on the loop of the request.
        func start(_ writer: HTTPClient.Body.StreamWriter, on loop: any EventLoop) -> EventLoopFuture<Void> {
            let end = loop.makePromise(of: Void.self)
            if state.update({ $0.end = end }) == nil {
                end.fail(HTTPClientError.requestStreamCancelled)
            } else {
                self.writer.end(with: .success(writer))
            }
            return end.futureResult
        }

        /// Whether the library knows that the body is complete: if not, it takes no further request on the connection.
        var isComplete: Bool {
            state.withLock { $0.isComplete }
        }

        /// A part was handed to the connection in full; called on the loop of the request.
        func partSent() {
            state.withLock { exchange(&$0.waiter, with: nil) }?.resume(returning: true)
        }

        /// Writes nothing more: the server does not want the rest.
        func pause() {
            let end = state.end(with: .success(())) { state in
                defer { state.waiter = nil }
                return (waiter: state.waiter, task: state.task)
            }
            end?.rest.waiter?.resume(returning: false)
            if let task = end?.rest.task {
                // What the app's sequence does when it is cancelled may block: not the loop, nor whoever ends the call.
                DispatchQueue.global().async { task.cancel() }
            }
        }

        /// Stops: the exchange is over.
        func stop() {
            pause()
            finish(throwing: HTTPClientError.requestStreamCancelled)
        }

        private func send(on loop: any EventLoop) async {
            do {
                let writer = try await writer.value()
                var left = chunks.length
                for try await chunk in chunks {
                    left = left.map { $0 - Int64(chunk.count) }
                    guard await write(ByteBuffer(bytes: chunk), isLast: left == 0, to: writer, on: loop) else {
                        return
                    }
                }
                // On the loop, so that the library knows it as soon as ``isComplete`` says so.
                loop.execute {
                    self.finish(throwing: nil)
                }
            } catch {
                // After a pause, the response ends the exchange.
                if !state.isOver {
                    finish(throwing: error)
                }
            }
        }

        /// - Returns: Whether to go on.
        private func write(
            _ buffer: ByteBuffer, isLast: Bool, to writer: HTTPClient.Body.StreamWriter, on loop: any EventLoop
        ) async -> Bool {
            await withCheckedContinuation { continuation in
                // On the loop, where the head of a response arrives as well: it comes before the write, or after it.
                loop.execute {
                    if self.state.update({ $0.waiter = continuation }) != nil {
                        _ = writer.write(.byteBuffer(buffer))
                        if isLast {
                            self.finish(throwing: nil)
                        }
                    } else {
                        continuation.resume(returning: false)
                    }
                }
            }
        }

        private func finish(throwing error: (any Error)?) {
            let end = state.withLock { state in
                defer {
                    state.end = nil
                    state.task = nil
                }
                state.isComplete = state.isComplete || error == nil
                return state.end
            }
            if let error {
                end?.fail(error)
            } else {
                end?.succeed(())
            }
        }
    }

    /// The body of a request as the library sends it.
    struct OutgoingBody: Sendable {
        /// The body, if it is sent in one piece.
        private var buffer: ByteBuffer?
        /// Sends the body, if it is a file or a stream; nil otherwise.
        private(set) var upload: BodyUpload?

        /// The largest body that is written in one piece: about what a connection takes at once.
        ///
        /// A larger one is sent as a stream is, also from memory. When a server answers early and closes, a write that
        /// still waits fails the exchange, and the answer is lost with it.
        private static let largestWrite = 65_536

        /// Opens a body.
        ///
        /// - Throws: `RequestError` with `.bodyUnreadable` or `.bodyLength`, `CancellationError`.
        init(_ body: HTTP.Body) async throws {
            if let data = body.unreadData, data.count <= Self.largestWrite {
                buffer = data.isEmpty ? nil : ByteBuffer(bytes: data)
                return
            }
            let chunks = try await body.open()
            guard chunks.length != 0 else {
                // The head alone is the complete request, so it is sent only if nothing follows.
                var iterator = chunks.makeAsyncIterator()
                _ = try await iterator.next()
                return
            }
            upload = BodyUpload(chunks)
        }

        /// Opens a body within the time of an attempt: in a task of its own, because nobody knows how long that takes,
        /// whatever is cancelled.
        static func open(
            _ body: HTTP.Body, within time: inout AttemptTime, clock: any CallClock
        ) async throws -> OutgoingBody {
            guard body.unreadData == nil else {
                return try await OutgoingBody(body)
            }
            let opened = OneShot<OutgoingBody, Void>()
            time.begin(clock: clock, moved: { 0 }) { opened.end(with: .failure($0)) }
            defer { time.pause(clock: clock) }
            let task = Task {
                do {
                    opened.end(with: .success(try await OutgoingBody(body)))
                } catch {
                    opened.end(with: .failure(error))
                }
            }
            defer { task.cancel() }
            return try await opened.value()
        }

        var isNone: Bool { buffer == nil && upload == nil }

        /// The body for a request on a loop; called by the task that makes the call.
        func body(on loop: any EventLoop) -> HTTPClient.Body? {
            guard let upload else {
                return buffer.map { .byteBuffer($0) }
            }
            upload.prepare(on: loop)
            return .stream(contentLength: upload.length) { writer in
                upload.start(writer, on: loop)
            }
        }
    }
#endif
