#if Demo
    import FlyingSocks

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// A socket that accepts connections.
    struct Listener: Sendable {
        /// How many connections may wait to be accepted; the system may use fewer.
        private static let backlog: Int32 = 4096

        /// The port it listens on, also when 0 was asked for.
        let port: UInt16
        private let socket: Socket
        private let pool: EventLoop.Pool

        /// Listens from now on; clients can connect as soon as this returns.
        ///
        /// - Parameters:
        ///   - host: An IPv4 address of this machine.
        ///   - port: 0 for any free one.
        init(host: String = "127.0.0.1", port: UInt16, pool: EventLoop.Pool) throws {
            let address = try sockaddr_in.inet(ip4: host, port: port)
            let socket = try Socket(domain: Int32(sockaddr_in.family), type: .stream)
            socket.keepFromChildren()
            do {
                try socket.setValue(true, for: .localAddressReuse)
                try socket.setFlags(.nonBlocking)
                try socket.bind(to: address)
                guard case .ip4(_, let actual) = try socket.sockname() else { throw SocketError.unsupportedAddress }
                self.port = actual
            } catch {
                try? socket.close()
                throw error
            }
            // Closes the socket itself when it fails.
            try socket.listen(maxPendingConnection: Self.backlog)
            self.socket = socket
            self.pool = pool
        }

        /// Hands over connections until the task is cancelled, then closes.
        func run(_ accepted: @Sendable (Connection) -> Void) async {
            while !Task.isCancelled {
                do {
                    let socket = Socket(file: try socket.accept().file)
                    guard let connection = try? Connection(socket: socket, pool: pool) else {
                        try? socket.close()
                        continue
                    }
                    accepted(connection)
                } catch SocketError.blocked {
                    // Nil where it was cancelled, or the pool cannot watch the socket.
                    if (try? await pool.suspendSocket(socket, untilReadyFor: .connection)) == nil { await pause() }
                } catch {
                    // Out of descriptors, or the client has left already: try again, but do not spin.
                    await pause()
                }
            }
            await close()
        }

        /// Lets others run; returns at once when the task is cancelled.
        private func pause() async {
            try? await Task.sleep(for: .milliseconds(10))
        }

        /// Stops listening.
        func close() async {
            await pool.settle()
            try? socket.close()
        }
    }
#endif
