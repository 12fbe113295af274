#if Demo
    import Foundation

    /// What a client has sent, before it is known which document is meant.
    struct GraphQLRequest {
        /// The longest body, in bytes: documents and variables are small.
        static let bodyLimit = 1024 * 1024

        let query: String?
        let documentId: String?
        let operationName: String?
        let variables: [String: Any]
        let extensions: [String: Any]

        /// - Throws: why the request is not well-formed.
        init(_ request: ReceivedRequest) throws(GraphQLFault) {
            let members =
                switch request.method {
                case "GET", "HEAD": try Self.parameters(of: request)
                case "POST": try Self.body(of: request)
                default: throw .badRequest("GraphQL answers GET and POST only.", status: 405, allow: "GET, POST")
                }
            query = try Self.member("query", of: members, is: "string")
            documentId = try Self.member("documentId", of: members, is: "string")
            operationName = try Self.member("operationName", of: members, is: "string")
            variables = try Self.member("variables", of: members, is: "JSON object") ?? [:]
            extensions = try Self.member("extensions", of: members, is: "JSON object") ?? [:]
        }

        private static func parameters(of request: ReceivedRequest) throws(GraphQLFault) -> [String: Any] {
            var members: [String: Any] = [:]
            for name in ["query", "documentId", "operationName"] { members[name] = request.formParameter(name) }
            for name in ["variables", "extensions"] {
                guard let text = request.formParameter(name), !text.isEmpty else { continue }
                members[name] = try json(Data(text.utf8), "The parameter \(name)")
            }
            return members
        }

        private static func body(of request: ReceivedRequest) throws(GraphQLFault) -> [String: Any] {
            guard request.headers["content-type"]?.first.map(GraphQLMediaType.name(of:)) == "application/json" else {
                throw .badRequest("The Content-Type must be application/json.", status: 415)
            }
            guard request.body.count <= bodyLimit else {
                throw .badRequest("The body is longer than \(bodyLimit) bytes.", status: 413)
            }
            guard var members = try json(request.body, "The body") as? [String: Any] else {
                throw .badRequest("The body must be a JSON object.")
            }
            // JSONSerialization leaves out a byte order mark, and then the hash is not that of the text as sent.
            members["query"] = (try? JSONDecoder().decode(Text.self, from: request.body))?.query ?? members["query"]
            return members
        }

        private struct Text: Decodable {
            let query: String?
        }

        private static func json(_ bytes: Data, _ subject: String) throws(GraphQLFault) -> Any {
            guard let value = try? JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed) else {
                throw .badRequest("\(subject) is not JSON.")
            }
            return value
        }

        private static func member<Value>(
            _ name: String, of members: [String: Any], is kind: String
        ) throws(GraphQLFault) -> Value? {
            guard let member = members[name], !(member is NSNull) else { return nil }
            guard let value = member as? Value else { throw .badRequest("The \(name) must be a \(kind).") }
            return value
        }
    }
#endif
