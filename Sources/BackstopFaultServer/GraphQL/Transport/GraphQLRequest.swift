#if Demo
    import Foundation

    /// What a client has sent, before it is known which document is meant.
    struct GraphQLRequest {
        /// The longest body, in bytes: documents and variables are small.
        static let bodyLimit = 1024 * 1024

        var query: String?
        var documentId: String?
        var operationName: String?
        var variables: GraphQLObject = [:]
        var extensions: GraphQLObject = [:]

        /// - Throws: why the request is not well-formed; such a failure has a status of its own with every media type.
        init(_ request: Request) throws(GraphQLRequestFault) {
            switch request.method {
            case "GET", "HEAD": try self.init(query: request)
            case "POST": try self.init(body: request)
            default: throw .wrongMethod("GraphQL answers GET and POST only.", allow: "GET, POST")
            }
        }

        private init(query request: Request) throws(GraphQLRequestFault) {
            query = request.formParameter("query")
            documentId = request.formParameter("documentId")
            operationName = request.formParameter("operationName")
            variables = try Self.map(request, "variables")
            extensions = try Self.map(request, "extensions")
        }

        private static func map(_ request: Request, _ name: String) throws(GraphQLRequestFault) -> GraphQLObject {
            guard let text = request.formParameter(name), !text.isEmpty else { return [:] }
            return try map(json(text.utf8, "The parameter \(name)"), name)
        }

        private init(body request: Request) throws(GraphQLRequestFault) {
            let type = request.headers["content-type"]?.first.map(GraphQLMediaType.name) ?? ""
            guard type == "application/json" else {
                throw .badRequest("The Content-Type must be application/json.", status: 415)
            }
            guard request.body.count <= Self.bodyLimit else {
                throw .badRequest("The body is longer than \(Self.bodyLimit) bytes.", status: 413)
            }
            guard case .object(let body) = try Self.json(request.body, "The body") else {
                throw .badRequest("The body must be a JSON object.")
            }
            query = try Self.text(body, "query")
            documentId = try Self.text(body, "documentId")
            operationName = try Self.text(body, "operationName")
            variables = try Self.map(body["variables"], "variables")
            extensions = try Self.map(body["extensions"], "extensions")
        }

        private static func json(
            _ bytes: some Sequence<UInt8>, _ subject: String
        ) throws(GraphQLRequestFault) -> GraphQLValue {
            do throws(GraphQLValueReader.Problem) {
                return try GraphQLValueReader.read(bytes)
            } catch {
                throw .badRequest("\(subject) is not JSON: \(error.reason) at byte \(error.offset).")
            }
        }

        private static func text(_ body: GraphQLObject, _ name: String) throws(GraphQLRequestFault) -> String? {
            switch body[name] {
            case nil, .null: return nil
            case .string(let text): return text
            default: throw .badRequest("The \(name) must be a string.")
            }
        }

        private static func map(_ value: GraphQLValue?, _ name: String) throws(GraphQLRequestFault) -> GraphQLObject {
            switch value {
            case nil, .null: return [:]
            case .object(let object): return object
            default: throw .badRequest("The \(name) must be a JSON object.")
            }
        }
    }
#endif
