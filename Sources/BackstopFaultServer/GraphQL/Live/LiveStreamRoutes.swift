#if Demo
    import Foundation

    /// The operations of `/graphql/live` by one stream of events: graphql-sse in its mode of a single connection
    /// (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md), with the statuses of its own server.
    enum LiveStreamRoutes {
        static let all = [
            FaultServer.Route(
                "/graphql/stream", method: "PUT",
                "Reserves a stream of events that operations share (graphql-sse, single connection mode): 201 and a token"
            ) { reserve($0) },
            FaultServer.Route(
                "/graphql/stream", example: "/graphql/stream?token=TOKEN&cut=200&times=2&id=a",
                "The stream, by the token in X-GraphQL-Event-Stream-Token or token=. cut=N, how, times as for /stream/"
            ) { open($0) },
            FaultServer.Route(
                "/graphql/stream", example: "/graphql/stream?token=TOKEN&count=5&ms=200", method: "POST",
                "Begins an operation on it, with an operationId in its extensions: 202. count, ms, id, again, format and "
                    + "fault as for /graphql/live"
            ) { begin($0) },
            FaultServer.Route(
                "/graphql/stream", example: "/graphql/stream?token=TOKEN&operationId=1", method: "DELETE",
                "Ends an operation on it"
            ) { end($0) },
        ]

        private static func reserve(_ call: RouteCall) -> Answer {
            guard let token = call.state.streams.reserve() else { return refusal("Too many streams", 503) }
            return .response(.text(token, status: 201))
        }

        private static func open(_ call: RouteCall) -> Answer {
            let token = token(call)
            guard let stream = call.state.streams.open(token) else {
                return call.state.streams[token] == nil ? unknown : refusal("Stream already open", 409)
            }
            let cut = StreamRoutes.Cut(call)
            return .script { writer in
                defer { call.state.streams.close(token) }
                return try await stream.serve(writer, cut: cut)
            }
        }

        private static func begin(_ call: RouteCall) -> Answer {
            guard let stream = call.state.streams[token(call)] else { return unknown }
            do throws(GraphQLFault) {
                let request = try GraphQLRequest(call.request)
                guard let id = request.extensions["operationId"] as? String, id.utf8.count <= Limits.operationID else {
                    throw .badRequest("The extensions need an operationId of at most \(Limits.operationID) bytes")
                }
                try stream.begin(id, LiveRoutes.operation(request, call), call)
                return .response(ServerResponse(status: 202, body: .init()))
            } catch {
                return refusal(error.message, error.status ?? 400)
            }
        }

        private static func end(_ call: RouteCall) -> Answer {
            guard let stream = call.state.streams[token(call)] else { return unknown }
            guard let id = call.request.parameter("operationId") else {
                return refusal("The query needs an operationId", 400)
            }
            stream.end(id)
            return .response(ServerResponse(body: .init()))
        }

        private static func token(_ call: RouteCall) -> String {
            call.request.headers["x-graphql-event-stream-token"]?.first ?? call.request.parameter("token") ?? ""
        }

        private static var unknown: Answer { refusal("Stream not found", 404) }

        private static func refusal(_ message: String, _ status: Int) -> Answer {
            .response(.json(LiveRoutes.errors(message), status: status))
        }
    }
#endif
