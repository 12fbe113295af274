#if Demo
    extension LiveRoutes {
        /// What goes wrong on request, beyond a connection that is cut.
        enum Fault: String, CaseIterable {
            /// Heartbeats in the place of results.
            case heartbeats
            /// No word at the end.
            case unfinished
            /// A result after the end.
            case late
            /// Each result twice.
            case twice
            /// Parts, or messages, that are no JSON.
            case type
            /// The end for good, with errors, after two results.
            case fatal
            /// A result without data.
            case null
            /// Errors in the place of results.
            case refused
            /// A deferred part that fails.
            case failed
        }

        /// What is sent.
        enum Result: Sendable {
            case payload(String)
            case heartbeat
            /// The list of errors.
            case fatal(String)
        }

        /// The results of an operation.
        struct Results: Sendable {
            /// What there is, for those who ask for something else.
            static let offer = "There are the subscriptions counter and message, and the query hero"

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
                        guard number < count || fault == .twice && isRepeating else { return nil }
                        if fault == .heartbeats {
                            number += 1
                            return Result.heartbeat
                        }
                        if fault == .fatal, sent == 2 {
                            number = count
                            return .fatal(errorList("The source of the results is gone"))
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
