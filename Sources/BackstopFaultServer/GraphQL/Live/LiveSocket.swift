#if Demo
    import Foundation

    /// One WebSocket of `/graphql/live`: the server's side of graphql-transport-ws, with the faults that its URL asks for.
    struct LiveSocket: Sendable {
        static let subprotocol = "graphql-transport-ws"

        private enum Event: Sendable {
            case wrote(LiveEnd)
            /// Nothing more is read; a close is on its way unless the client has left.
            case read(hasLeft: Bool)
        }

        private struct State: Sendable {
            var hasBegun = false
            var isAcknowledged = false
            /// Those that run; each leaves when it has ended.
            var operations: [String: Task<Void, Never>] = [:]
        }

        private let call: RouteCall
        private let fault: LiveRoutes.Fault?
        private let cut: StreamRoutes.Cut?
        /// How the socket is closed, and after how many results of an operation; nil when it is not.
        private let closing: (close: WebSocketClose, count: Int)?
        private let pause: Int
        private let isSilent: Bool
        private let writer = SharedWriter()
        private let tasks = TaskRegistry()
        /// Guards what has been agreed on, and the list of operations. Only the reader adds to either.
        private let state = Locked(State())

        init(_ call: RouteCall) {
            self.call = call
            fault = call.request.word("fault")
            cut = StreamRoutes.Cut(call)
            closing = Self.closing(call)
            pause = call.request.integer("ms", default: 0, in: 0...Limits.pause)
            isSilent = call.request.flag("silent")
        }

        private static func closing(_ call: RouteCall) -> (WebSocketClose, Int)? {
            guard call.request.parameter("close") != nil, call.counted("close").isEarly else { return nil }
            let code = call.request.integer("close", default: 1000, in: 0...Int(UInt16.max))
            return (
                WebSocketClose(code: UInt16(code), reason: "As asked for"),
                call.request.integer("after", default: 0, in: 0...Int.max)
            )
        }

        /// Serves the socket until one side ends it; nil when the client left.
        func serve(_ connection: Connection, _ rest: [UInt8]) async -> Ending? {
            var end = LiveEnd.failed
            await withTaskGroup(of: Event.self) { group in
                group.addTask { .wrote(await writer.run(cut: cut, connection.write)) }
                group.addTask {
                    .read(
                        hasLeft: await receive(
                            WebSocketReader(connection: connection, rest: rest, limit: GraphQLRequest.bodyLimit)))
                }
                for await event in group {
                    switch event {
                    case .wrote(let result):
                        end = result
                        group.cancelAll()
                    case .read(let hasLeft):
                        if hasLeft { group.cancelAll() }
                    }
                }
            }
            await tasks.stop()
            switch end {
            case .closed:
                await connection.drain()
                return .close
            case .cut(let ending): return ending
            case .failed: return nil
            }
        }

        /// Reads until a close, of either side; true when the client has left without one.
        private func receive(_ reader: WebSocketReader) async -> Bool {
            var reader = reader
            do {
                while let message = try await reader.next() {
                    switch message {
                    case .text(let text): try await take(text)
                    case .ping(let payload):
                        if !isSilent { _ = await writer.send(WebSocketOpcode.pong.frame(payload)) }
                    case .pong: break
                    case .close(let code): throw WebSocketClose(code: code ?? 1005)
                    }
                }
            } catch let close as WebSocketClose {
                await writer.close(close)
                return false
            } catch {
                // The connection was reset, or the task was cancelled.
            }
            return true
        }

        // MARK: The subprotocol

        /// - Throws: `WebSocketClose` for what breaks its rules, with the codes of graphql-ws.
        private func take(_ text: String) async throws(WebSocketClose) {
            let json = try? JSONSerialization.jsonObject(with: Data(text.utf8))
            guard let message = json as? [String: Any], let type = message["type"] as? String else {
                throw WebSocketClose(code: 4400, reason: "The message is no JSON object with a type")
            }
            switch type {
            case "connection_init": try await begin()
            case "ping":
                if !isSilent { _ = await writer.send("{\"type\":\"pong\"}") }
            case "pong": break
            case "subscribe":
                guard state.withLock(\.isAcknowledged) else {
                    throw WebSocketClose(code: 4401, reason: "Unauthorized")
                }
                guard let id = message["id"] as? String, let payload = message["payload"] as? [String: Any] else {
                    throw WebSocketClose(code: 4400, reason: "An operation needs an id and a payload")
                }
                guard id.utf8.count <= Limits.operationID else {
                    throw WebSocketClose(code: 4400, reason: "An id has at most \(Limits.operationID) bytes")
                }
                // The protocol demands a text; it is empty if a hash stands for it.
                try await start(id, (payload["query"] as? String).flatMap { $0.isEmpty ? nil : $0 })
            case "complete":
                // An operation that has ended meanwhile is unknown: the messages may have crossed.
                let task = (message["id"] as? String).flatMap { id in state.withLock { $0.operations[id] } }
                task?.cancel()
                // Its id may be used again.
                await task?.value
            default: throw WebSocketClose(code: 4400, reason: "The type of the message is unknown")
            }
        }

        private func begin() async throws(WebSocketClose) {
            let isFirst = state.withLock { state in
                defer { state.hasBegun = true }
                return !state.hasBegun
            }
            guard isFirst else { throw WebSocketClose(code: 4429, reason: "Too many initialisation requests") }
            if let closing, closing.count == 0 { throw closing.close }
            guard call.request.parameter("ack") != "never" else { return }
            let delay = call.request.integer("ack", default: 0, in: 0...Limits.pause)
            guard delay > 0 else { return await acknowledge() }
            tasks.start {
                guard (try? await Task.sleep(for: .milliseconds(delay))) != nil else { return }
                await acknowledge()
            }
        }

        private func acknowledge() async {
            state.withLock { $0.isAcknowledged = true }
            _ = await writer.send("{\"type\":\"connection_ack\"}")
        }

        private func start(_ id: String, _ text: String?) async throws(WebSocketClose) {
            let (isKnown, count) = state.withLock { ($0.operations[id] != nil, $0.operations.count) }
            guard !isKnown else { throw WebSocketClose(code: 4409, reason: "An operation with this id runs already") }
            guard count < Limits.operations else { throw WebSocketClose(code: 1008, reason: "Too many operations") }
            guard fault != .refused, let text, let results = LiveRoutes.Results(text, call, fault) else {
                let errors = LiveRoutes.errorList(text == nil ? "PersistedQueryNotFound" : LiveRoutes.Results.offer)
                _ = await writer.send(Self.message("error", id, errors))
                return
            }
            // The task cannot leave the list before it is in there.
            state.withLock { state in
                state.operations[id] = tasks.start {
                    await run(id, results)
                    _ = self.state.withLock { $0.operations.removeValue(forKey: id) }
                }
            }
        }

        /// Sends the results of an operation, and its end.
        private func run(_ id: String, _ results: LiveRoutes.Results) async {
            var count = 0
            for result in results.all {
                guard !Task.isCancelled, await writer.send(message(result, id)) else { return }
                if case .fatal = result { return }
                count += 1
                if let closing, closing.count == count { return await writer.close(closing.close) }
                if pause > 0 { try? await Task.sleep(for: .milliseconds(pause)) }
            }
            guard !Task.isCancelled else { return }
            guard fault != .unfinished else { return await writer.close(WebSocketClose(code: 1000)) }
            _ = await writer.send(Self.message("complete", id))
            if fault == .late { _ = await writer.send(Self.message("next", id, "{\"data\":{\"late\":true}}")) }
        }

        private func message(_ result: LiveRoutes.Result, _ id: String) -> String {
            switch result {
            case .payload where fault == .type: "<p>This is no JSON.</p>"
            case .payload(let json): Self.message("next", id, json)
            case .heartbeat: "{\"type\":\"ping\"}"
            case .fatal(let errors): Self.message("error", id, errors)
            }
        }

        private static func message(_ type: String, _ id: String, _ payload: String? = nil) -> String {
            LiteralJSON.object([
                ("id", LiteralJSON.string(id)), ("type", LiteralJSON.string(type)), ("payload", payload),
            ])
        }
    }
#endif
