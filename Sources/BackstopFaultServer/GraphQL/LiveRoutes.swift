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
            ) { answer($0) }
        ]

        private static let names = Fault.allCases.map(\.rawValue).joined(separator: ", ")

        private enum Fault: String, CaseIterable {
            /// Heartbeats in the place of results.
            case heartbeats
            /// No word at the end.
            case unfinished
            /// A result after the end.
            case late
            /// Each result twice.
            case twice
            /// Parts that are no JSON.
            case type
            /// The end for good, with errors, after two results.
            case fatal
            /// A result without data.
            case null
            /// A plain response with errors.
            case refused
            /// A deferred part that fails.
            case failed
        }

        private static func answer(_ call: RouteCall) -> Answer {
            let request: GraphQLRequest
            do {
                request = try GraphQLRequest(call.request)
            } catch {
                return .response(.json(errors(error.message), status: error.status ?? 400))
            }
            let fault = call.request.parameter("fault").flatMap { Fault(rawValue: $0) }
            guard let text = request.query else {
                return .response(.json(errors("PersistedQueryNotFound")))
            }
            guard fault != .refused, let results = Results(text, call, fault) else {
                return .response(.json(errors("There are the subscriptions counter and message, and the query hero")))
            }
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
                for result in results.all {
                    try await body.put(Data(carrier.frame(result).utf8), isLast: true)
                    if body.left == 0 { break }
                    if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
                }
                if fault != .unfinished {
                    try await body.put(Data(carrier.last.utf8), isLast: true)
                }
                if fault == .late {
                    try await body.put(Data(carrier.frame(.payload("{\"data\":{\"late\":true}}")).utf8), isLast: true)
                }
                guard let cut, body.left == 0 else {
                    try await writer.endChunks()
                    return .next
                }
                return try await cut.end()
            }
        }

        private static func errors(_ message: String) -> String {
            "{\"errors\":[{\"message\":\(quoted(message))}]}"
        }

        private static func quoted(_ text: String) -> String {
            let json = try? JSONEncoder().encode(text)
            return json.map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
        }

        /// What is sent.
        private enum Result: Sendable {
            case payload(String)
            case heartbeat
            case fatal(String)
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
                case (.fatal(let errors), true): part("{\"payload\":null,\(errors.dropFirst())")
                case (.fatal(let errors), false): "event: next\ndata: \(errors)\n\n"
                }
            }

            private func part(_ json: String) -> String {
                "\r\nContent-Type: \(partType)\r\n\r\n\(json)\r\n--graphql"
            }
        }

        /// The results of an operation.
        private struct Results: Sendable {
            let isSubscription: Bool
            /// Makes them anew.
            private let make: @Sendable () -> AnySequence<Result>

            var all: AnySequence<Result> { make() }

            /// Nil for another operation.
            init?(_ text: String, _ call: RouteCall, _ fault: Fault?) {
                let field = text.drop { $0 != "{" }.split { !$0.isLetter }.first.map(String.init)
                isSubscription = text.drop(while: \.isWhitespace).hasPrefix("subscription")
                switch (field, isSubscription) {
                case ("counter", true), ("message", true):
                    make = { Self.numbered(call, fault, isMessage: field == "message") }
                case ("hero", false):
                    make = { AnySequence(Self.hero(call.request.parameter("format") ?? "2023", fault)) }
                default:
                    return nil
                }
            }

            /// One number after the other; a connection goes on where the last one of the same id has ended.
            private static func numbered(
                _ call: RouteCall, _ fault: Fault?, isMessage: Bool
            ) -> AnySequence<Result> {
                let count = call.request.integer("count", default: 5, in: 0...1_000_000_000)
                let id = call.request.parameter("id").map { "live \($0)" }
                let again = call.request.integer("again", default: 0, in: 0...1000)
                return AnySequence {
                    var number = max(0, (id.map { call.state.count(of: $0) } ?? 0) - again)
                    var sent = 0
                    var isRepeating = false
                    return AnyIterator { () -> Result? in
                        guard number < count else { return nil }
                        if fault == .heartbeats {
                            number += 1
                            return Result.heartbeat
                        }
                        if fault == .fatal, sent == 2 {
                            number = count
                            return .fatal(errors("The source of the results is gone"))
                        }
                        if fault == .twice, isRepeating {
                            isRepeating = false
                        } else {
                            number += 1
                            sent += 1
                            isRepeating = true
                            if let id, number > call.state.count(of: id) { _ = call.state.countCall(id) }
                        }
                        if fault == .null, sent == 2 {
                            return .payload("{\"data\":null,\"errors\":[{\"message\":\"The result is lost\"}]}")
                        }
                        return .payload(
                            isMessage
                                ? "{\"data\":{\"message\":{\"id\":\"\(number)\",\"text\":\"Message \(number)\"}}}"
                                : "{\"data\":{\"counter\":\(number)}}")
                    }
                }
            }

            /// A hero whose friends and biography come later.
            private static func hero(_ format: String, _ fault: Fault?) -> [Result] {
                let lost = "\"errors\":[{\"message\":\"The biography is lost\",\"path\":[\"hero\",\"biography\"]}]"
                let text = "\"biography\":\"Found on Jakku.\""
                let isFailed = fault == .failed
                let friends = ["Leia", "Han"].map { "{\"name\":\"\($0)\"}" }
                let parts: [String]
                switch format {
                case "2022":
                    parts = [
                        "{\"data\":{\"hero\":{\"name\":\"Rey\",\"friends\":[]}},\"hasNext\":true}",
                        "{\"incremental\":[{\"label\":\"friends\",\"path\":[\"hero\",\"friends\",0],\"items\":["
                            + "\(friends[0])]}],\"hasNext\":true}",
                        "{\"incremental\":[{\"label\":\"friends\",\"path\":[\"hero\",\"friends\",1],\"items\":["
                            + "\(friends[1])]},{\"label\":\"more\",\"path\":[\"hero\"],"
                            + (isFailed ? "\"data\":{\"biography\":null},\(lost)" : "\"data\":{\(text)}")
                            + "}],\"hasNext\":true}",
                        "{\"hasNext\":false}",
                    ]
                case "first":
                    parts = [
                        "{\"data\":{\"hero\":{\"name\":\"Rey\",\"friends\":[\(friends.joined(separator: ","))]}},\"hasNext\":true}",
                        "{\"label\":\"more\",\"path\":[\"hero\"],"
                            + (isFailed ? "\"data\":{\"biography\":null},\(lost)" : "\"data\":{\(text)}")
                            + ",\"hasNext\":false}",
                    ]
                default:
                    parts = [
                        "{\"data\":{\"hero\":{\"name\":\"Rey\",\"friends\":[]}},\"pending\":["
                            + "{\"id\":\"0\",\"path\":[\"hero\"],\"label\":\"more\"},"
                            + "{\"id\":\"1\",\"path\":[\"hero\",\"friends\"],\"label\":\"friends\"}],\"hasNext\":true}",
                        "{\"incremental\":[{\"id\":\"1\",\"items\":[\(friends[0])]}],\"hasNext\":true}",
                        "{\"incremental\":[{\"id\":\"1\",\"items\":[\(friends[1])]}"
                            + (isFailed ? "" : ",{\"id\":\"0\",\"data\":{\(text)}}")
                            + "],\"completed\":[{\"id\":\"1\"},"
                            + "{\"id\":\"0\"\(isFailed ? ",\(lost)" : "")}],\"hasNext\":false}",
                    ]
                }
                return parts.map { .payload($0) }
            }
        }
    }
#endif
