#if Demo
    /// What the query parameters of a request switch on and off.
    struct GraphQLSwitches {
        /// How the server takes part in automatic persisted queries.
        enum APQ: String, CaseIterable {
            /// It learns documents from clients, and finds them by their hash.
            case on
            /// It does not know of them: a request without a document is a bad request.
            case off
            /// It knows of them, and says that it does not support them.
            case unsupported
            /// It does not know of them, and trips over a request without a document.
            case unknown
        }

        /// What says that a document is not known, or that persisted queries are not supported.
        enum Miss: String, CaseIterable {
            case message, code, both
        }

        let request: ReceivedRequest

        /// Why the request is refused: a misspelt value must not pass for the default. Nil when all are known.
        var misspelling: String? {
            let words = [
                "apq": APQ.allCases.map(\.rawValue), "miss": Miss.allCases.map(\.rawValue),
                "malformed": GraphQLMalformation.allCases.map(\.rawValue),
                "type": GraphQLMediaType.allCases.map(\.rawValue),
            ]
            for (name, known) in words {
                guard let word = request.parameter(name), !known.contains(word) else { continue }
                return "\(name) is one of: \(known.joined(separator: ", "))"
            }
            let statuses = ["status", "legacyStatus", "partialStatus", "missStatus", "refusalStatus"]
            return statuses.first { request.parameter($0) != nil && status($0) == nil }
                .map { "\($0) is a status from 200 to 599" }
        }

        var apq: APQ { request.word("apq") ?? .on }
        var miss: Miss { request.word("miss") ?? .both }
        /// How the body is broken; nil when it is not.
        var malformed: GraphQLMalformation? { request.word("malformed") }
        /// How deep `malformed=deepExtensions` nests.
        var depth: Int { request.integer("depth", default: 100, in: 1...10_000) }
        /// The media type of the response; nil when the request decides.
        var type: GraphQLMediaType? { request.word("type") }
        /// The status of all responses; nil for the right one.
        var status: Int? { status("status") }
        /// The status of a request error with `application/json`.
        var legacyStatus: Int { status("legacyStatus") ?? 200 }
        /// The status of a response with data and errors.
        var partialStatus: Int { status("partialStatus") ?? 200 }
        /// The status of a miss; nil for the one that goes with the media type.
        var missStatus: Int? { status("missStatus") }
        /// The status with which `apq=off` refuses a request without a document.
        var refusalStatus: Int { status("refusalStatus") ?? 400 }
        /// The name of the registry of documents; empty is a name as well.
        var registry: String { request.parameter("registry") ?? "" }
        /// Whether a GET needs a header that browsers ask about first, as Apollo Server wants it by default.
        var preventsCSRF: Bool { request.flag("csrf") }
        /// Whether the message of a miss is in mixed case.
        var hasOddCase: Bool { request.parameter("case") == "odd" }
        /// Whether a miss has `"data":null`.
        var missHasData: Bool { request.flag("missData") }
        /// Whether no document is ever found, not even one that was sent along.
        var missesAlways: Bool { request.flag("alwaysMiss") }
        /// Whether what was learned is forgotten after each response.
        var forgets: Bool { request.flag("forget") }
        /// Whether only registered documents are executed.
        var isSafelisted: Bool { request.flag("safelist") }
        /// Whether the fields of the root are never null.
        var hasStrictRoot: Bool { request.flag("strict") }

        private func status(_ name: String) -> Int? {
            request.parameter(name).flatMap { Int($0) }.flatMap { (200...599).contains($0) ? $0 : nil }
        }
    }
#endif
