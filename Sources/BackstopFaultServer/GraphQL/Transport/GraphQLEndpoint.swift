#if Demo
    /// Answers GraphQL requests over HTTP, as the switches want them answered.
    struct GraphQLEndpoint {
        private let exchange: Exchange
        private let switches: GraphQLSwitches

        /// The answer to a request to `/graphql`.
        static func answer(_ exchange: Exchange) -> Response {
            do throws(GraphQLSwitches.Problem) {
                let switches = try GraphQLSwitches(exchange.request)
                return GraphQLEndpoint(exchange: exchange, switches: switches).answer()
            } catch {
                return .failure(error.reason, status: 400)
            }
        }

        private var store: GraphQLStore { exchange.state.graphQL }

        private func answer() -> Response {
            if let failure = flakyFailure() { return failure }
            guard let type = switches.type ?? .preferred(by: exchange.request.headers["accept"] ?? []) else {
                let types = [GraphQLMediaType.graphql, .json].map(\.rawValue).joined(separator: " and ")
                return .failure("There are answers as \(types) only", status: 406)
            }
            defer {
                if switches.forgets { store.change(switches.registry) { $0.forget() } }
            }
            do throws(GraphQLRequestFault) {
                return response(to: try outcome(), type)
            } catch {
                return response(to: error, type)
            }
        }

        /// The first calls with this id fail when they are told to; nil otherwise.
        private func flakyFailure() -> Response? {
            let request = exchange.request
            guard request.parameter("flaky") != nil else { return nil }
            let times = request.integer("times", default: 1, in: 0...Int.max)
            let calls = exchange.state.countCall("graphql \(request.parameter("id") ?? "")")
            guard calls <= times else { return nil }
            let status = request.integer("flaky", default: 503, in: 200...599)
            return .failure(StatusText.phrase(for: status), status: status)
                .with("Retry-After", exchange.retryAfterValue)
        }

        private func outcome() throws(GraphQLRequestFault) -> GraphQLService.Outcome {
            try refuseSimpleRequest()
            let request = try GraphQLRequest(exchange.request)
            let document = try GraphQLDocumentFinder(switches: switches, store: store).document(for: request)
            let call = GraphQLService.Call(
                document: document, operationName: request.operationName, variables: request.variables,
                isGet: exchange.request.method != "POST", hasStrictRoot: switches.hasStrictRoot)
            return try GraphQLService(schema: .starWars, store: store).outcome(of: call)
        }

        /// Refuses a GET that a page of another site could have made a browser send, in the words of Apollo Server.
        private func refuseSimpleRequest() throws(GraphQLRequestFault) {
            let names = ["apollo-require-preflight", "x-apollo-operation-name"]
            guard switches.preventsCSRF, exchange.request.method != "POST",
                !names.contains(where: { exchange.request.headers[$0]?.contains { !$0.isEmpty } == true })
            else { return }
            throw .badRequest(
                "This operation has been blocked as a potential Cross-Site Request Forgery (CSRF). Please either specify a "
                    + "'content-type' header (with a type that is not one of application/x-www-form-urlencoded, "
                    + "multipart/form-data, text/plain) or provide a non-empty value for one of the following headers: "
                    + "x-apollo-operation-name, apollo-require-preflight\n")
        }

        private func response(to outcome: GraphQLService.Outcome, _ type: GraphQLMediaType) -> Response {
            var body: GraphQLObject = [:]
            // Errors come first, where people see them (GraphQL, 7.1).
            if !outcome.faults.isEmpty { body["errors"] = .array(outcome.faults.map(\.value)) }
            body["data"] = outcome.data
            let isPartial = !outcome.faults.isEmpty && outcome.data != .null
            return response(body, status: isPartial ? switches.partialStatus : 200, type)
        }

        private func response(to fault: GraphQLRequestFault, _ type: GraphQLMediaType) -> Response {
            var body: GraphQLObject = ["errors": .array(fault.faults.map(\.value))]
            if fault.hasNullData { body["data"] = .null }
            let usual = type == .graphql ? 400 : switches.legacyStatus
            return response(body, status: fault.status ?? usual, type).with("Allow", fault.allow)
        }

        private func response(_ body: GraphQLObject, status: Int, _ type: GraphQLMediaType) -> Response {
            let status = switches.status ?? status
            let response: Response =
                if let malformed = switches.malformed {
                    Response(
                        status: status,
                        type: malformed == .html ? "text/html; charset=utf-8" : type.contentType,
                        body: malformed.body(for: body, depth: switches.depth))
                } else {
                    .json(body.json, status: status, type: type.contentType)
                }
            return response.with("Retry-After", exchange.retryAfterValue)
        }
    }
#endif
