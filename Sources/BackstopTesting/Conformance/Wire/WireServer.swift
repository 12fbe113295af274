internal import BackstopCore
internal import Foundation

/// A server that sends exactly the bytes of a script, and records what it received.
///
/// It needs no package: each connection has a thread of its own, which makes the blocking calls of its script. At the
/// end of the script the connection is ended, and closed once the client has closed it as well.
package final class WireServer: Sendable {
    /// What the server does on each connection. An error ends the connection.
    package typealias Script = @Sendable (WireConnection) throws -> Void

    /// An address of this machine.
    package enum Host: Sendable {
        /// 127.0.0.1
        case ipv4
        /// ::1
        case ipv6
    }

    /// What has happened so far.
    struct State: Sendable {
        /// The requests, in the order in which their heads came.
        var requests: [WireRequest] = []
        /// How many connections have been made.
        var connections = 0
        /// How many of them have been closed.
        var closed = 0
        /// How many bytes have been handed to the system.
        var sent = 0
        /// The places that scripts and tests have come to.
        var marks: Set<String> = []
        var isStopped = false
        /// The open sockets, by connection.
        fileprivate var open: [Int: Int32] = [:]
    }

    /// The origin: `http://127.0.0.1:8080`.
    package let origin: String
    let port: UInt16
    private let host: Host
    /// What has happened, guarded by its lock: all threads of the server and the test reach it.
    private let watched = WatchedState(State())
    /// Signalled whenever a mark is set or the server stops, for the scripts that wait.
    private let marked = NSCondition()

    /// Listens from now on, until ``stop()``.
    package init(on host: Host = .ipv4, script: @escaping Script) throws {
        let (listener, port) = try WireSocket.listener(on: host, backlog: 1024)
        self.host = host
        self.port = port
        origin = "http://\(host == .ipv4 ? "127.0.0.1" : "[::1]"):\(port)"
        Thread.detachNewThread { [self] in
            // Only this thread has the listening socket, so nothing else can close it at the wrong moment.
            while let descriptor = WireSocket.accepted(by: listener) {
                guard let number = open(descriptor) else {
                    WireSocket.closeSocket(descriptor, resetting: false)
                    break
                }
                Thread.detachNewThread { [self] in
                    run(script, on: descriptor, number: number)
                }
            }
            WireSocket.closeSocket(listener, resetting: false)
        }
    }

    /// Ends all connections and takes no more.
    package func stop() {
        change { state in
            state.isStopped = true
            for descriptor in state.open.values {
                WireSocket.end(descriptor)
            }
        }
        // Wakes the thread that waits for a connection.
        if let descriptor = try? WireSocket.connection(to: port, on: host) {
            WireSocket.closeSocket(descriptor, resetting: false)
        }
    }

    /// What has happened so far.
    var state: State {
        watched.withLock { $0 }
    }

    /// Suspends until the condition holds, or the task is cancelled.
    func wait(until condition: @escaping @Sendable (State) -> Bool) async {
        await watched.wait(until: condition)
    }

    /// Sets a mark, and wakes the scripts that wait for it.
    func mark(_ name: String) {
        change { $0.marks.insert(name) }
    }

    /// Changes what scripts wait for, and wakes them.
    private func change<Result>(_ body: (inout State) -> Result) {
        marked.lock()
        _ = watched.withLock(body)
        marked.broadcast()
        marked.unlock()
    }

    /// Blocks the script's thread until a mark is set; false when the server stops first.
    func awaitMark(_ name: String) -> Bool {
        marked.lock()
        defer { marked.unlock() }
        while true {
            let (isMarked, isStopped) = watched.withLock { ($0.marks.contains(name), $0.isStopped) }
            guard !isMarked, !isStopped else {
                return isMarked
            }
            marked.wait()
        }
    }

    private func open(_ descriptor: Int32) -> Int? {
        watched.withLock { state in
            guard !state.isStopped else {
                return nil
            }
            state.connections += 1
            state.open[state.connections] = descriptor
            return state.connections
        }
    }

    private func run(_ script: Script, on descriptor: Int32, number: Int) {
        let connection = WireConnection(number: number, descriptor: descriptor, server: self)
        do {
            try script(connection)
            connection.endSending()
        } catch {
            // The client has gone, or the script wants the connection to end here.
        }
        // From here on, `stop()` does not know the socket, so it cannot end one that has got its number since.
        watched.withLock { state in
            state.open[number] = nil
        }
        WireSocket.closeSocket(descriptor, resetting: connection.isResetting)
        watched.withLock { state in
            state.closed += 1
        }
    }
}

extension WireServer {
    func record(_ request: WireRequest) {
        watched.withLock { $0.requests.append(request) }
    }

    /// The last request of a connection is complete.
    func complete(_ request: WireRequest) {
        watched.withLock { state in
            if let index = state.requests.lastIndex(where: { $0.connection == request.connection }) {
                state.requests[index] = request
            }
        }
    }

    func addSent(_ count: Int) {
        watched.withLock { $0.sent += count }
    }
}
