#if Demo
    /// What the query parameters of a request switch on and off.
    ///
    /// A value that does not exist is refused, so that a misspelt one does not pass for the default.
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

        /// Where it stands that a document is not known, or that persisted queries are not supported.
        enum Miss: String, CaseIterable {
            case message, code, both
        }

        /// The words of `type`.
        private enum TypeName: String, CaseIterable {
            case graphql, json
        }

        /// Why the switches cannot be followed.
        struct Problem: Error {
            let reason: String
        }

        /// The statuses that can be asked for.
        private static let statuses = 200...599

        /// Default: on.
        let apq: APQ
        /// The status with which a request without a document is refused by `apq=off`. Default: 400.
        let refusalStatus: Int
        /// Whether a GET needs a header that browsers ask about first, as Apollo Server wants it by default.
        let preventsCSRF: Bool
        /// The name of the registry of documents. Default: empty, which is a registry as well.
        let registry: String
        /// Default: both.
        let miss: Miss
        /// Whether the message of a miss is in mixed case, with `case=odd`.
        let hasOddCase: Bool
        /// The status of a miss; nil for the one that goes with the media type.
        let missStatus: Int?
        /// Whether a miss has `"data":null`.
        let missHasData: Bool
        /// Whether no document is ever found, not even one that was sent along.
        let missesAlways: Bool
        /// Whether what was learned is forgotten after each answer.
        let forgets: Bool
        /// Whether only registered documents are executed.
        let isSafelisted: Bool
        /// The media type of the answer; nil when the request decides.
        let type: GraphQLMediaType?
        /// The status of all answers; nil for the right one.
        let status: Int?
        /// The status of a request error with `application/json`. Default: 200.
        let legacyStatus: Int
        /// The status of an answer with data and errors. Default: 200.
        let partialStatus: Int
        /// Whether the fields of the root are never null.
        let hasStrictRoot: Bool
        /// How the body is broken; nil when it is not.
        let malformed: GraphQLMalformation?
        /// How deep `malformed=deepExtensions` nests. Default: 100; from 1 to 10,000.
        let depth: Int

        init(_ request: Request) throws(Problem) {
            apq = try Self.word(request, "apq") ?? .on
            refusalStatus = try Self.status(request, "refusalStatus") ?? 400
            preventsCSRF = request.flag("csrf")
            registry = request.parameter("registry") ?? ""
            miss = try Self.word(request, "miss") ?? .both
            hasOddCase = request.parameter("case") == "odd"
            missStatus = try Self.status(request, "missStatus")
            missHasData = request.flag("missData")
            missesAlways = request.flag("alwaysMiss")
            forgets = request.flag("forget")
            isSafelisted = request.flag("safelist")
            let name: TypeName? = try Self.word(request, "type")
            type = name.map { $0 == .graphql ? .graphql : .json }
            status = try Self.status(request, "status")
            legacyStatus = try Self.status(request, "legacyStatus") ?? 200
            partialStatus = try Self.status(request, "partialStatus") ?? 200
            hasStrictRoot = request.flag("strict")
            malformed = try Self.word(request, "malformed")
            depth = request.integer("depth", default: 100, in: 1...10_000)
        }

        private static func word<Word: RawRepresentable<String> & CaseIterable>(
            _ request: Request, _ name: String
        ) throws(Problem) -> Word? {
            guard let text = request.parameter(name) else { return nil }
            guard let word = Word(rawValue: text) else {
                let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(reason: "\(name) is one of: \(known)")
            }
            return word
        }

        private static func status(_ request: Request, _ name: String) throws(Problem) -> Int? {
            guard let text = request.parameter(name) else { return nil }
            guard let status = Int(text), statuses.contains(status) else {
                throw Problem(reason: "\(name) is a status from 200 to 599")
            }
            return status
        }
    }
#endif
