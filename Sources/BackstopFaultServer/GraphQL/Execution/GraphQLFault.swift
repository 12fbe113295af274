#if Demo
    internal import BackstopGraphQLSyntax

    /// An entry of `errors`.
    struct GraphQLFault: Error, Sendable, Hashable {
        /// A step of the way to a field.
        enum PathElement: Sendable, Hashable {
            case field(String)
            case index(Int)
        }

        /// A line and a column, both counted from 1.
        struct Place: Sendable, Hashable {
            let line: Int
            let column: Int
        }

        var message: String
        /// Empty when the error has no place in the document.
        var places: [Place] = []
        /// Nil for errors of the request as a whole.
        var path: [PathElement]?
        /// What `extensions.code` says; nil when there are no extensions.
        var code: String?

        /// The document cannot be executed.
        static func invalid(_ message: String, at range: GraphQLRange? = nil) -> Self {
            Self(message: message, places: range.map { [Place($0)] } ?? [], code: "GRAPHQL_VALIDATION_FAILED")
        }

        /// A value that the client gave does not fit.
        static func badInput(_ message: String, at range: GraphQLRange? = nil) -> Self {
            Self(message: message, places: range.map { [Place($0)] } ?? [], code: "BAD_USER_INPUT")
        }

        /// The entry as it is sent: only what it has.
        var value: GraphQLValue {
            var entry: GraphQLObject = ["message": .string(message)]
            if !places.isEmpty {
                entry["locations"] = .array(
                    places.map { .object(["line": .int($0.line), "column": .int($0.column)]) })
            }
            if let path {
                entry["path"] = .array(path.map(\.value))
            }
            if let code {
                entry["extensions"] = .object(["code": .string(code)])
            }
            return .object(entry)
        }
    }

    extension GraphQLFault.PathElement {
        var value: GraphQLValue {
            switch self {
            case .field(let name): .string(name)
            case .index(let index): .int(index)
            }
        }
    }

    extension GraphQLFault.Place {
        init(_ range: GraphQLRange) {
            self.init(line: range.start.line, column: range.start.column)
        }
    }

    /// Why a request has no data at all: one or more entries of `errors`.
    struct GraphQLRequestFault: Error {
        /// Never empty.
        var faults: [GraphQLFault]
        /// The status that is sent whatever the media type; nil for the one that goes with the media type.
        var status: Int?
        /// Whether `"data":null` is sent as well, as some servers do.
        var hasNullData = false
        /// The methods that are allowed; nil when the method is not the reason.
        var allow: String?

        init(_ faults: [GraphQLFault], status: Int? = nil) {
            self.faults = faults
            self.status = status
        }

        init(_ message: String, code: String? = nil, status: Int? = nil) {
            self.init([GraphQLFault(message: message, code: code)], status: status)
        }

        /// The request is not well-formed, which has a status of its own whatever the media type.
        static func badRequest(_ message: String, status: Int = 400) -> Self {
            Self(message, code: "BAD_REQUEST", status: status)
        }

        /// The method is not one that may do this.
        static func wrongMethod(_ message: String, allow: String) -> Self {
            var fault = badRequest(message, status: 405)
            fault.allow = allow
            return fault
        }
    }
#endif
