#if Demo
    import FlyingSocks
    public import Foundation

    /// An HTTP server on 127.0.0.1 that fails in every way on demand.
    ///
    /// Use it in tests and demos, where the failure itself is what matters: a status, a body that does not decode, a
    /// connection that is cut, reset or silent.
    ///
    /// ```swift
    /// let server = try await FaultServer.start()
    /// let client = try Client.standard(baseURL: server.url.absoluteString)
    /// let books = try await client.get("books")
    /// #expect(server.requestCount(of: "/books") == 1)
    /// await server.stop()
    /// ```
    ///
    /// Any number of servers can run at once; each has its own counters and its own record of requests. A server
    /// runs until `stop()`, also when no one refers to it any more.
    public final class FaultServer: Sendable {
        /// The origin of all routes, for example `http://127.0.0.1:49152`.
        public let url: URL
        /// A second origin with the same routes, for redirects from one to the other.
        public let otherOrigin: URL
        /// All routes, in the order of the listing at `/`.
        public let routes: [Route]

        private let state: ServerState
        private let tasks: TaskRegistry

        private init(url: URL, otherOrigin: URL, state: ServerState, tasks: TaskRegistry) {
            self.url = url
            self.otherOrigin = otherOrigin
            self.state = state
            self.tasks = tasks
            routes = Router.standard.routes
        }

        /// Starts a server; clients can connect to both origins as soon as this returns.
        ///
        /// - Parameters:
        ///   - options: ports, and the pause during maintenance.
        ///   - mounts: routes of the caller's, which go before those of the server. Default: none.
        /// - Throws: `StartError` when an option is out of range or a port is taken.
        public static func start(
            _ options: Options = Options(), mounting mounts: [Mount] = []
        ) async throws -> FaultServer {
            guard options.retryAfter >= 0 else { throw StartError.negativeRetryAfter(options.retryAfter) }
            let pool = try await EventLoop.shared.runningPool()
            let main = try listener(options.host, port: options.port, pool: pool)
            let other: Listener?
            do {
                other =
                    mounts.contains(where: \.takesAll)
                    ? nil : try listener(options.host, port: options.otherOriginPort, pool: pool)
            } catch {
                await main.close()
                throw error
            }
            let origins = [main, other ?? main].map { "http://\(options.host):\($0.port)" }
            guard let url = URL(string: origins[0]), let otherURL = URL(string: origins[1]) else {
                await main.close()
                await other?.close()
                throw URLError(.badURL)
            }
            let state = ServerState()
            let tasks = TaskRegistry()
            let idle = IdleConnections(limit: options.idleLimit)
            tasks.start { await idle.watch() }
            for (listener, isOther) in [(main, false)] + (other.map { [($0, true)] } ?? []) {
                tasks.start {
                    await listener.run { connection in
                        let session = Session(
                            connection: connection, state: state, idle: idle, retryAfter: options.retryAfter,
                            isOtherOrigin: isOther,
                            otherOrigin: isOther ? origins[0] : origins[1],
                            mounts: Mounts(all: isOther ? [] : mounts, url: url, otherOrigin: otherURL))
                        tasks.start { await session.run() }
                    }
                }
            }
            return FaultServer(url: url, otherOrigin: otherURL, state: state, tasks: tasks)
        }

        /// Closes both listeners and all connections, also those that wait for an answer; returns when all are closed.
        ///
        /// What has been recorded can still be read. Stopping twice is harmless.
        public func stop() async {
            await tasks.stop()
            state.stop()
        }

        // MARK: What has arrived

        /// The requests to a path, the oldest first; both origins together.
        ///
        /// The server keeps the latest 10,000 requests and at most 64 MiB of their bodies.
        /// - Parameter path: without the query, as sent, for example `/status/503`.
        public func requests(to path: String) async -> [RecordedRequest] {
            state.requests(to: path)
        }

        /// How many requests to a path have arrived, also those that are no longer kept.
        public func requestCount(of path: String) -> Int {
            state.count(.request, of: path)
        }

        /// Waits until so many requests to a path have arrived, without polling.
        ///
        /// - Returns: false when the server stops or the task is cancelled before that.
        @discardableResult
        public func waitForRequest(to path: String, count: Int = 1) async -> Bool {
            await state.wait(for: .request, of: path, count: count)
        }

        /// How many clients have left before the answer was done.
        ///
        /// A client that ends or resets its connection in the middle of an answer counts; the faults of the server do
        /// not.
        public func disconnections(of path: String) -> Int {
            state.count(.disconnection, of: path)
        }

        /// Waits until so many clients have left before the answer was done, without polling.
        ///
        /// Use it to see that cancelling a call really stops the transfer.
        /// - Returns: false when the server stops or the task is cancelled before that.
        @discardableResult
        public func waitForDisconnection(of path: String, count: Int = 1) async -> Bool {
            await state.wait(for: .disconnection, of: path, count: count)
        }

        private static func listener(_ host: String, port: UInt16, pool: EventLoop.Pool) throws -> Listener {
            do {
                return try Listener(host: host, port: port, pool: pool)
            } catch SocketError.failed(_, _, let message) {
                throw StartError.cannotListen(port: port, reason: message)
            }
        }
    }
#endif
