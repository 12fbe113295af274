#if Demo
    import Foundation

    /// GraphQL whose results arrive one after the other: subscriptions, and a query with deferred parts.
    ///
    /// It executes nothing: the name of the first field says what is meant.
    enum LiveRoutes {
        static let all = [
            FaultServer.Route(
                "/graphql/live", example: "/graphql/live?count=5&ms=200", method: "POST",
                "Subscriptions counter and message, and the query hero with deferred parts (format=2022, 2023, first), as "
                    + "Accept says: multipart or events. count elements, ms apart. cut=N, how, times, piece as for /stream/; "
                    + "with id=a the numbers go on after those that were sent, again=N sends the last N again. fault="
                    + names
            ) { answer($0) },
            FaultServer.Route(
                "/graphql/live", example: "/graphql/live?count=5&close=1012&after=2",
                "The same by a WebSocket (graphql-transport-ws), without piece. close=CODE closes in the place of the "
                    + "acknowledgement, or with after=N after N results; with times and id only the first times. ack=MS "
                    + "acknowledges late, ack=never never; silent=1 answers no pings"
            ) { socket($0) },
        ]

        private static let names = Fault.allCases.map(\.rawValue).joined(separator: ", ")

        private static func socket(_ call: RouteCall) -> Answer {
            let handshake = WebSocketHandshake(
                request: call.request, subprotocol: LiveSocket.subprotocol,
                advice: "/graphql/live answers POST, and GET for a WebSocket")
            if let refusal = handshake.refusal { return .response(refusal) }
            return .webSocket(headers: handshake.headers) { connection, rest in
                await LiveSocket(call).serve(connection, rest)
            }
        }

        private static func answer(_ call: RouteCall) -> Answer {
            let results: Results
            do {
                results = try operation(GraphQLRequest(call.request), call)
            } catch {
                return .response(.json(errors(error.message), status: error.status ?? 200))
            }
            let fault: Fault? = call.request.word("fault")
            let accepted = call.request.headers["accept"]?.joined(separator: ",") ?? ""
            guard let carrier = Carrier(accepted, fault, isSubscription: results.isSubscription) else {
                return .response(.json(errors("Results come as multipart/mixed or text/event-stream"), status: 406))
            }
            let cut = StreamRoutes.Cut(call)
            let pause = call.request.integer("ms", default: 0, in: 0...Limits.pause)
            let piece = call.request.integer("piece", default: 65_536, in: 1...65_536)
            return .script { writer in
                try await writer.sendHead(
                    status: 200, headers: [("Content-Type", carrier.type), ("Cache-Control", "no-store")],
                    framing: .chunked)
                var body = StreamRoutes.Body(writer: writer, isChunked: true, piece: piece, left: cut?.position ?? .max)
                try await body.put(Data(carrier.first.utf8), isLast: true)
                let frames = results.all.lazy.map { Data(carrier.frame($0).utf8) }
                try await body.put(frames, pause: pause, areLast: true)
                if fault != .unfinished {
                    try await body.put(Data(carrier.last.utf8), isLast: true)
                }
                if fault == .late {
                    try await body.put(Data(carrier.frame(.payload("{\"data\":{\"late\":true}}")).utf8), isLast: true)
                }
                return try await body.end(cut)
            }
        }

        /// What a request asks for.
        static func operation(_ request: GraphQLRequest, _ call: RouteCall) throws(GraphQLFault) -> Results {
            guard let text = request.query else { throw GraphQLFault("PersistedQueryNotFound", code: nil) }
            let fault: Fault? = call.request.word("fault")
            guard fault != .refused, let results = Results(text, call, fault) else {
                throw GraphQLFault(Results.offer, code: nil)
            }
            return results
        }

        /// The content of a response with one error.
        static func errors(_ message: String) -> String {
            "{\"errors\":\(errorList(message))}"
        }

        /// The list of errors of a response with one.
        static func errorList(_ message: String) -> String {
            "[{\"message\":\(LiteralJSON.string(message))}]"
        }

        /// How it is sent.
        private struct Carrier {
            let isMultipart: Bool
            let isSubscription: Bool
            let partType: String

            /// Nil when the client accepts neither.
            init?(_ accepted: String, _ fault: Fault?, isSubscription: Bool) {
                guard accepted.contains("multipart/mixed") || accepted.contains("text/event-stream") else { return nil }
                isMultipart = !accepted.contains("text/event-stream")
                partType = fault == .type ? "text/html" : "application/json"
                self.isSubscription = isSubscription
            }

            var type: String {
                guard isMultipart else { return "text/event-stream; charset=utf-8" }
                return isSubscription
                    ? "multipart/mixed;boundary=\"graphql\";subscriptionSpec=1.0"
                    : "multipart/mixed;boundary=\"graphql\""
            }

            var first: String { isMultipart ? "--graphql" : ":\n\n" }
            var last: String { isMultipart ? "--\r\n" : "event: complete\ndata:\n\n" }

            func frame(_ result: Result) -> String {
                switch (result, isMultipart) {
                case (.payload(let json), true): part(isSubscription ? "{\"payload\":\(json)}" : json)
                case (.payload(let json), false): "event: next\ndata: \(json)\n\n"
                case (.heartbeat, true): part("{}")
                case (.heartbeat, false): ":\n\n"
                case (.fatal(let errors), true): part("{\"payload\":null,\"errors\":\(errors)}")
                case (.fatal(let errors), false): "event: next\ndata: {\"errors\":\(errors)}\n\n"
                }
            }

            private func part(_ json: String) -> String {
                "\r\nContent-Type: \(partType)\r\n\r\n\(json)\r\n--graphql"
            }
        }
    }
#endif
