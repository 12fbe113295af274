#if Demo
    internal import BackstopGraphQLSyntax

    /// An entry of `errors`: of a field, beside the data, or of the request, and then there is no data.
    struct GraphQLFault: Error {
        let message: String
        /// What `extensions.code` says; nil when there are no extensions.
        let code: String?
        /// The line and the column in the document; nil when there is no place for it.
        var place: (line: Int, column: Int)?
        /// The keys and indexes that lead to the field, as JSON; nil for errors of the request.
        var path: [String]?
        /// The status of a response without data; nil for the one that goes with its media type.
        var status: Int?
        /// Whether a response without data has `"data":null` all the same, as some servers write it.
        var hasNullData = false
        /// The methods that are allowed; nil when the method is not the reason.
        var allow: String?

        init(_ message: String, code: String?, at location: GraphQLLocation? = nil, status: Int? = nil) {
            // Messages quote the document, which may be long.
            self.message = String(message.prefix(500))
            self.code = code
            place = location.map { ($0.line, $0.column) }
            self.status = status
        }

        /// The document cannot be executed.
        static func invalid(_ message: String, at location: GraphQLLocation? = nil) -> Self {
            Self(message, code: "GRAPHQL_VALIDATION_FAILED", at: location)
        }

        /// A value that the client gave does not fit.
        static func badInput(_ message: String, at location: GraphQLLocation? = nil) -> Self {
            Self(message, code: "BAD_USER_INPUT", at: location)
        }

        /// The request is not well-formed, which has a status of its own with every media type.
        static func badRequest(_ message: String, status: Int = 400, allow: String? = nil) -> Self {
            var fault = Self(message, code: "BAD_REQUEST", status: status)
            fault.allow = allow
            return fault
        }

        /// The entry as it is sent: only what it has.
        var json: String {
            LiteralJSON.object([
                ("message", LiteralJSON.string(message)),
                ("locations", place.map { "[{\"line\":\($0.line),\"column\":\($0.column)}]" }),
                ("path", path.map(LiteralJSON.list)),
                ("extensions", code.map { "{\"code\":\(LiteralJSON.string($0))}" }),
            ])
        }
    }
#endif
