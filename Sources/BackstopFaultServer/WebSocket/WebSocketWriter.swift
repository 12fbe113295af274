#if Demo
    import Foundation

    /// Sends the frames of several tasks, each whole, one after the other.
    struct WebSocketWriter: Sendable {
        /// How it ended.
        enum End: Sendable, Equatable {
            /// With a close.
            case closed
            case cut(Ending)
            /// The client has left, or the task was cancelled.
            case failed
        }

        private struct Outgoing: Sendable {
            let frame: Data
            let isLast: Bool
            /// Told whether the frame was sent.
            let sent: CheckedContinuation<Bool, Never>
        }

        /// Bounded by the number of tasks: each waits until its frame was sent.
        private let queue = AsyncStream.makeStream(of: Outgoing.self)

        /// Sends a text; false when nothing can be sent any more.
        func send(_ text: String) async -> Bool {
            await send(.text, Data(text.utf8))
        }

        func pong(_ payload: Data) async {
            _ = await send(.pong, payload)
        }

        /// Closes, after which nothing is sent any more.
        func close(_ close: WebSocketClose) async {
            _ = await send(.close, close.payload)
        }

        private func send(_ opcode: WebSocketOpcode, _ payload: Data) async -> Bool {
            await withCheckedContinuation { sent in
                let outgoing = Outgoing(frame: opcode.frame(payload), isLast: opcode == .close, sent: sent)
                if case .terminated = queue.continuation.yield(outgoing) { sent.resume(returning: false) }
            }
        }

        /// Sends what it is given until a close, the cut, or the end of the connection.
        func run(_ connection: Connection, cut: StreamRoutes.Cut?) async -> End {
            let end = await write(to: connection, atMost: cut?.position ?? .max)
            // Nobody waits for a frame that is never sent.
            queue.continuation.finish()
            for await outgoing in queue.stream { outgoing.sent.resume(returning: false) }
            if let end { return end }
            return await (try? cut?.end()).map { .cut($0) } ?? .failed
        }

        /// Nil when so many bytes were sent.
        private func write(to connection: Connection, atMost limit: Int) async -> End? {
            var left = limit
            for await outgoing in queue.stream {
                let bytes = outgoing.frame.prefix(left)
                guard !Task.isCancelled, (try? await connection.write(bytes)) != nil else {
                    outgoing.sent.resume(returning: false)
                    return .failed
                }
                left -= bytes.count
                outgoing.sent.resume(returning: left > 0)
                if left == 0 { return nil }
                if outgoing.isLast { return .closed }
            }
            return .failed
        }
    }
#endif
