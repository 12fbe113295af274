#if Demo
    import FlyingSocks
    import Foundation

    /// One accepted connection: reading, writing, and the two ways to end it.
    struct Connection: Sendable {
        let socket: Socket
        private let pool: EventLoop.Pool

        init(socket: Socket, pool: EventLoop.Pool) throws {
            self.socket = socket
            self.pool = pool
            socket.keepFromChildren()
            try socket.setFlags(.nonBlocking)
            try socket.setValue(true, for: .noDelay)
            #if canImport(Darwin)
                try socket.setValue(true, for: .noSIGPIPE)
            #endif
        }

        /// Returns what has arrived, at least one byte; nil when the client has ended its side.
        func read(atMost length: Int = 16_384) async throws -> [UInt8]? {
            var hasYielded = false
            while true {
                try Task.checkCancellation()
                do {
                    return try socket.read(atMost: length)
                } catch SocketError.disconnected {
                    return nil
                } catch SocketError.blocked where !hasYielded {
                    // The next request of a busy client is often there after one turn: cheaper than the event loop.
                    hasYielded = true
                    await Task.yield()
                } catch SocketError.blocked {
                    try await wait(for: .read)
                }
            }
        }

        /// Returns when the system has taken all the bytes.
        func write(_ data: Data) async throws {
            var sent = data.startIndex
            while sent < data.endIndex {
                do {
                    sent = try socket.write(data, from: sent)
                } catch SocketError.blocked {
                    try Task.checkCancellation()
                    try await wait(for: .write)
                }
            }
        }

        /// Says that nothing more comes, and waits until the client has ended its side too, up to a second: closing with
        /// unread bytes would reset the connection, and the client might never read the last answer.
        func drain() async {
            socket.endSending()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { while let bytes = try? await read(), !bytes.isEmpty {} }
                group.addTask { try? await Task.sleep(for: .seconds(1)) }
                await group.next()
                group.cancelAll()
            }
        }

        /// Ends the connection in order (FIN).
        func close() async {
            await pool.settle()
            // Whoever else holds the socket.
            socket.endSending()
            try? socket.close()
        }

        /// Ends the connection with a reset (RST).
        func reset() async {
            await pool.settle()
            socket.reset()
            try? socket.close()
        }

        private func wait(for events: Socket.Events) async throws {
            do {
                try await pool.suspendSocket(socket, untilReadyFor: events)
            } catch SocketError.disconnected {
                // The next read or write tells what happened more exactly.
            }
        }
    }
#endif
