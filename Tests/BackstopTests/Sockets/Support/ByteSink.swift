#if Demo
    import BackstopCore
    import BackstopTesting
    import Foundation

    /// A server that reads whatever is sent, as it arrives, and answers nothing.
    final class ByteSink: Sendable {
        /// What has arrived on one connection.
        struct Connection: Sendable {
            var bytes = Data()
            /// Whether the client has closed it.
            var isClosed = false

            /// Whether a body in chunks is complete (RFC 9112, 7.1).
            var hasLastChunk: Bool { bytes.suffix(5) == Data("0\r\n\r\n".utf8) }
        }

        private let server: WireServer
        private let arrivals: Arrivals

        /// The origin of the server.
        var origin: String { server.origin }

        /// Listens from now on, until it goes away.
        static func start() throws -> ByteSink {
            let arrivals = Arrivals()
            let server = try WireServer { connection in
                let number = connection.number
                arrivals.change { $0[number] = Connection() }
                defer {
                    arrivals.change { $0[number]?.isClosed = true }
                }
                while true {
                    let bytes = try connection.readSome()
                    arrivals.change { $0[number]?.bytes += bytes }
                }
            }
            return ByteSink(server, arrivals)
        }

        private init(_ server: WireServer, _ arrivals: Arrivals) {
            self.server = server
            self.arrivals = arrivals
        }

        deinit {
            server.stop()
        }

        /// What has arrived until now.
        var connections: [Connection] { arrivals.connections }

        /// Waits until a text has arrived on one of the connections.
        func wait(for text: String) async {
            await arrivals.wait { $0.contains { $0.bytes.range(of: Data(text.utf8)) != nil } }
        }

        /// Waits until so many connections were made, and all are closed.
        func waitForClosed(_ count: Int) async {
            await arrivals.wait { $0.count == count && $0.allSatisfy(\.isClosed) }
        }
    }

    /// What has arrived, for whoever waits for it.
    private final class Arrivals: Sendable {
        private struct State {
            typealias Waiter = (
                condition: @Sendable ([ByteSink.Connection]) -> Bool, continuation: CheckedContinuation<Void, Never>
            )

            var connections: [Int: ByteSink.Connection] = [:]
            var waiters: [Waiter] = []

            mutating func takeReady() -> [CheckedContinuation<Void, Never>] {
                let connections = Array(connections.values)
                let ready = waiters.filter { $0.condition(connections) }.map(\.continuation)
                waiters.removeAll { $0.condition(connections) }
                return ready
            }
        }

        /// What has arrived by connection, and who waits for it, guarded by the lock.
        private let state = Lock(State())

        var connections: [ByteSink.Connection] { state.withLock { Array($0.connections.values) } }

        func wait(until condition: @escaping @Sendable ([ByteSink.Connection]) -> Bool) async {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state in
                    state.waiters.append((condition, continuation))
                    return state.takeReady()
                }
                ready.forEach { $0.resume() }
            }
        }

        func change(_ change: (inout [Int: ByteSink.Connection]) -> Void) {
            let ready = state.withLock { state in
                change(&state.connections)
                return state.takeReady()
            }
            ready.forEach { $0.resume() }
        }
    }
#endif
