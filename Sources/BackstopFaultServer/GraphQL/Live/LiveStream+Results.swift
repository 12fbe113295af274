#if Demo
    import Foundation

    extension LiveStream {
        /// Sends events until one side ends the stream.
        func serve(_ response: ResponseWriter, cut: StreamRoutes.Cut?) async throws -> Ending {
            // Where this fails, so does the first event: an operation may wait for it already.
            try? await response.sendHead(
                status: 200,
                headers: [("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-store")],
                framing: .chunked)
            // As often as the protocol's own server does, for clients that notice silence.
            tasks.start { while await self.send(":\n\n"), (try? await Task.sleep(for: .seconds(12))) != nil {} }
            let end = await writer.run(cut: cut) { bytes in
                // An empty chunk would be the end.
                if !bytes.isEmpty { try await response.sendChunk(bytes) }
            }
            await tasks.stop()
            switch end {
            case .closed:
                try await response.endChunks()
                return .next
            case .cut(let ending): return ending
            case .failed: throw CancellationError()
            }
        }

        /// Begins an operation.
        ///
        /// - Throws: Why not.
        func begin(_ id: String, _ results: LiveRoutes.Results, _ call: RouteCall) throws(GraphQLFault) {
            switch begin(id, { await self.run(id, results, call) }) {
            case nil: break
            case .exists: throw .badRequest("Operation with ID already exists", status: 409)
            case .tooMany: throw .badRequest("Too many operations", status: 503)
            }
        }

        /// Sends the results of an operation, and its end.
        private func run(_ id: String, _ results: LiveRoutes.Results, _ call: RouteCall) async {
            let fault: LiveRoutes.Fault? = call.request.word("fault")
            let pause = call.request.integer("ms", default: 0, in: 0...Limits.pause)
            for result in results.all {
                guard !Task.isCancelled, await send(Self.event(result, id)) else { return }
                if pause > 0 { try? await Task.sleep(for: .milliseconds(pause)) }
            }
            guard !Task.isCancelled else { return }
            guard fault != .unfinished else {
                _ = await writer.send(Data(), isLast: true)
                return
            }
            _ = await send(Self.event("complete", id))
            if fault == .late { _ = await send(Self.event("next", id, "{\"data\":{\"late\":true}}")) }
        }

        private func send(_ event: String) async -> Bool {
            await writer.send(Data(event.utf8))
        }

        private static func event(_ result: LiveRoutes.Result, _ id: String) -> String {
            switch result {
            case .payload(let json): event("next", id, json)
            case .heartbeat: ":\n\n"
            case .fatal(let errors): event("next", id, "{\"errors\":\(errors)}")
            }
        }

        private static func event(_ type: String, _ id: String, _ payload: String? = nil) -> String {
            let data = LiteralJSON.object([("id", LiteralJSON.string(id)), ("payload", payload)])
            return "event: \(type)\ndata: \(data)\n\n"
        }
    }
#endif
