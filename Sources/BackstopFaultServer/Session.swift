#if Demo
    import FlyingSocks
    import Foundation

    /// Serves one connection until one side ends it.
    struct Session: Sendable {
        let connection: Connection
        let state: ServerState
        let idle: IdleConnections
        let retryAfter: Int
        /// Whether the connection came in at the second listener.
        let isOtherOrigin: Bool
        /// The origin of the listener at which it did not come in.
        let otherOrigin: String
        /// The routes of the caller's, which go before those of the server; none at the other origin.
        let mounts: Mounts

        /// What the two sides of a scripted answer end with.
        private enum Event: Sendable {
            /// Nil when the answer could not be finished.
            case ended(Ending?)
            case watched(Watch)
        }

        /// What came in while an answer was sent.
        private struct Watch: Sendable {
            var bytes: [UInt8] = []
            var clientLeft = false
        }

        /// Serves requests; returns when the connection is closed.
        func run() async {
            var reader = RequestReader(connection: connection)
            var ending = Ending.next
            while ending == .next, !Task.isCancelled {
                ending = await serve(&reader)
            }
            switch ending {
            case .next, .close: await connection.close()
            case .reset: await connection.reset()
            }
        }

        private func serve(_ reader: inout RequestReader) async -> Ending {
            let request: ReceivedRequest
            do {
                let next = try await idle.waiting(with: connection) {
                    try await reader.next(isLast: mounts.takesAll)
                }
                guard let next else {
                    return .close
                }
                request = next
            } catch let error as UnreadableRequest {
                return await refuse(error)
            } catch {
                return .close
            }
            let recorded = RecordedRequest(
                method: request.method, target: request.target, path: request.path, headers: request.headers,
                body: request.body, isOtherOrigin: isOtherOrigin)
            // Other people's requests are not kept.
            if !mounts.takesAll { state.record(recorded) }
            let answer =
                mounts.answer(to: recorded, coming: request.coming)
                ?? Router.standard.answer(to: request, state: state, retryAfter: retryAfter, otherOrigin: otherOrigin)
            // Of a connection that was used before, libraries repeat a call by themselves when it breaks.
            let keepsAlive = request.keepsAlive && !mounts.takesAll
            let writer = ResponseWriter(
                connection: connection, omitsBody: request.method == "HEAD", keepsAlive: keepsAlive,
                isHTTP10: request.isHTTP10)
            let ending: Ending?
            switch answer {
            case .response(let response):
                ending = await (try? writer.send(response)).map { .next }
            case .script(let script):
                ending = await perform(script, with: writer, request.coming, &reader)
                if let coming = request.coming, ending != .reset, await !coming.isOver { await connection.drain() }
            case .webSocket(let headers, let serve):
                let isOpen = (try? await writer.sendHead(status: 101, headers: headers, framing: .none)) != nil
                ending = isOpen ? await serve(connection, reader.takeRest()) : nil
            }
            guard let ending else {
                if !Task.isCancelled, !mounts.takesAll { state.recordDisconnection(of: request.path) }
                return .close
            }
            return ending == .next && !keepsAlive ? .close : ending
        }

        /// Runs a script, and cancels it when the client leaves; nil when the answer could not be finished.
        private func perform(
            _ script: @escaping @Sendable (ResponseWriter) async throws -> Ending, with writer: ResponseWriter,
            _ coming: RequestBody?, _ reader: inout RequestReader
        ) async -> Ending? {
            var result: Ending?
            var watch = Watch()
            await withTaskGroup(of: Event.self) { group in
                group.addTask { .ended(try? await script(writer)) }
                group.addTask {
                    if let coming { for await _ in coming.ended {} }
                    return .watched(await self.watch())
                }
                for await event in group {
                    // Whichever side is done, the other one has nothing left to do.
                    group.cancelAll()
                    switch event {
                    case .ended(let ending): result = ending
                    case .watched(let seen): watch = seen
                    }
                }
            }
            reader.append(watch.bytes)
            return result == .next && watch.clientLeft ? .close : result
        }

        /// Reads until the client leaves or the task is cancelled.
        private func watch() async -> Watch {
            var watch = Watch()
            while watch.bytes.count < Limits.sentAhead {
                do {
                    guard let bytes = try await connection.read() else { break }
                    watch.bytes += bytes
                } catch is CancellationError {
                    return watch
                } catch {
                    break
                }
            }
            watch.clientLeft = true
            return watch
        }

        /// Answers a request that cannot be read, and lets the client read the answer.
        private func refuse(_ error: UnreadableRequest) async -> Ending {
            let writer = ResponseWriter(connection: connection, omitsBody: false, keepsAlive: false)
            guard (try? await writer.send(.failure(error.reason, status: error.status))) != nil else { return .close }
            await connection.drain()
            return .close
        }
    }
#endif
