#if Demo
    internal import BackstopGraphQLSyntax
    import Foundation

    /// Answers a request to `/graphql`, as the switches want it answered.
    struct GraphQLResponder {
        /// More than people write; less than would keep the server busy for long.
        private static let limits = GraphQLLimits(bytes: GraphQLRequest.bodyLimit, depth: 100, tokens: 20_000)

        let call: RouteCall
        private var switches: GraphQLSwitches { GraphQLSwitches(request: call.request) }
        private var store: GraphQLStore { call.state.graphQL }

        func response() -> ServerResponse {
            if let misspelling = switches.misspelling { return .failure(misspelling, status: 400) }
            if call.request.parameter("flaky") != nil, call.counted("graphql", times: 1).isEarly {
                let status = call.request.integer("flaky", default: 503, in: 200...599)
                return .failure(StatusText.phrase(for: status), status: status)
                    .with("Retry-After", call.retryAfterValue)
            }
            guard let type = switches.type ?? .preferred(by: call.request.headers["accept"] ?? []) else {
                let types = GraphQLMediaType.allCases.map(\.name).joined(separator: " and ")
                return .failure("There are responses as \(types) only", status: 406)
            }
            defer {
                if switches.forgets { store.forgetLearned(in: switches.registry) }
            }
            do throws(GraphQLFault) {
                let (data, faults) = try execute()
                // Errors come first, where people see them (GraphQL, 7.1).
                let errors = faults.isEmpty ? nil : LiteralJSON.list(faults.map(\.json))
                let status = errors == nil || data == "null" ? 200 : switches.partialStatus
                return response([("errors", errors), ("data", data)], status: status, type)
            } catch {
                let status = error.status ?? (type == .graphql ? 400 : switches.legacyStatus)
                let data = error.hasNullData ? "null" : nil
                return response([("errors", "[\(error.json)]"), ("data", data)], status: status, type)
                    .with("Allow", error.allow)
            }
        }

        private func response(
            _ members: [(name: String, json: String?)], status: Int, _ type: GraphQLMediaType
        ) -> ServerResponse {
            let members = members.filter { $0.json != nil }
            let malformed = switches.malformed
            return ServerResponse(
                status: switches.status ?? status,
                type: "\(malformed == .html ? "text/html" : type.name); charset=utf-8",
                body: malformed?.body(for: members, depth: switches.depth) ?? Data(LiteralJSON.object(members).utf8)
            ).with("Retry-After", call.retryAfterValue)
        }

        private func execute() throws(GraphQLFault) -> (data: String, faults: [GraphQLFault]) {
            let isGet = call.request.method != "POST"
            if isGet, switches.preventsCSRF { try refuseSimpleRequest() }
            let request = try GraphQLRequest(call.request)
            let document = try document(for: request)
            let operation = try operation(of: document, named: request.operationName)
            guard operation.kind == .query || !isGet else {
                throw .badRequest("GET answers queries only; send mutations with POST.", status: 405, allow: "POST")
            }
            let root = operation.kind == .mutation ? "Mutation" : "Query"
            let reviews = store.reviews
            var executor = GraphQLExecutor(
                inputs: try GraphQLInputs(operation, request.variables), fragments: FragmentIndex(document),
                hasStrictRoot: switches.hasStrictRoot, reviews: reviews)
            let data = try executor.object(StarWars.Record(type: root), as: root, operation.selections)
            // Only now is it known that nothing in the document is wrong.
            store.add(executor.reviews.dropFirst(reviews.count))
            return (data, executor.faults)
        }

        /// Refuses a GET that a page of another site could have made a browser send, as Apollo Server does.
        private func refuseSimpleRequest() throws(GraphQLFault) {
            let headers = call.request.headers
            let simple = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]
            if let type = headers["content-type"]?.first, !simple.contains(GraphQLMediaType.name(of: type)) { return }
            let names = ["apollo-require-preflight", "x-apollo-operation-name"]
            guard !names.contains(where: { headers[$0]?.contains { !$0.isEmpty } == true }) else { return }
            throw .badRequest(
                "This operation has been blocked as a potential Cross-Site Request Forgery (CSRF). Please either specify "
                    + "a 'content-type' header (with a type that is not one of \(simple.joined(separator: ", "))) or "
                    + "provide a non-empty value for one of the following headers: \(names.joined(separator: ", "))")
        }

        private func document(for request: GraphQLRequest) throws(GraphQLFault) -> GraphQLDocument {
            let text = try GraphQLDocumentFinder(switches: switches, store: store).document(for: request)
            let document: GraphQLDocument
            do throws(GraphQLSyntaxError) {
                document = try GraphQLDocument(parsing: text, limits: Self.limits)
            } catch {
                var fault = GraphQLFault("Syntax Error: \(error.message).", code: "GRAPHQL_PARSE_FAILED")
                fault.place = (error.line, error.column)
                throw fault
            }
            if let issue = document.issues().first {
                throw .invalid(issue.message, at: issue.location)
            }
            return document
        }

        /// The operation with this name, or the only one (GraphQL, 6.1).
        private func operation(
            of document: GraphQLDocument, named name: String?
        ) throws(GraphQLFault) -> GraphQLDocument.Operation {
            let operations = document.operations.filter { name?.isEmpty != false || $0.name == name }
            guard let operation = operations.first, operations.count == 1 else {
                let message =
                    operations.isEmpty
                    ? "Unknown operation named \"\(name ?? "")\"."
                    : "Must provide operation name if query contains multiple operations."
                throw GraphQLFault(message, code: "OPERATION_RESOLUTION_FAILURE")
            }
            guard operation.kind != .subscription else { throw .invalid("Subscriptions are not served over HTTP.") }
            return operation
        }
    }
#endif
