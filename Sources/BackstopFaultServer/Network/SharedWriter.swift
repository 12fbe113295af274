#if Demo
    import Foundation

    /// Sends what several tasks give it, each piece whole, one after the other.
    struct SharedWriter: Sendable {
        /// How it ended.
        enum End: Sendable, Equatable {
            /// With the last piece.
            case closed
            /// Behind so many bytes.
            case cut
            /// The client has left, or the task was cancelled.
            case failed
        }

        private struct Outgoing: Sendable {
            let bytes: Data
            let isLast: Bool
            /// Told whether they were sent.
            let sent: CheckedContinuation<Bool, Never>
        }

        /// Bounded by the number of tasks: each waits until its piece was sent.
        private let queue = AsyncStream.makeStream(of: Outgoing.self)

        /// Sends a piece; false when nothing can be sent any more, as behind the last one.
        func send(_ bytes: Data, isLast: Bool = false) async -> Bool {
            await withCheckedContinuation { sent in
                let outgoing = Outgoing(bytes: bytes, isLast: isLast, sent: sent)
                if case .terminated = queue.continuation.yield(outgoing) { sent.resume(returning: false) }
            }
        }

        /// Sends what it is given until the last piece, so many bytes, or the end of the connection.
        func run(atMost limit: Int, _ write: @Sendable (Data) async throws -> Void) async -> End {
            let end = await send(atMost: limit, write)
            // Nobody waits for a piece that is never sent.
            queue.continuation.finish()
            for await outgoing in queue.stream { outgoing.sent.resume(returning: false) }
            return end
        }

        private func send(atMost limit: Int, _ write: @Sendable (Data) async throws -> Void) async -> End {
            var left = limit
            for await outgoing in queue.stream {
                let bytes = outgoing.bytes.prefix(left)
                guard !Task.isCancelled, (try? await write(bytes)) != nil else {
                    outgoing.sent.resume(returning: false)
                    return .failed
                }
                left -= bytes.count
                outgoing.sent.resume(returning: left > 0)
                if left == 0 { return .cut }
                if outgoing.isLast { return .closed }
            }
            return .failed
        }
    }
#endif
