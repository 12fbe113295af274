#if Demo
    /// Finds the endpoint for a request.
    struct Router: Sendable {
        /// All endpoints in the order of the listing.
        let endpoints: [Endpoint]
        private let byPath: [String: Endpoint]

        /// The routes of every fault server.
        static let standard = Router(
            endpoints: ListingRoute.all + SignUpRoutes.all + StatusRoutes.all + DocumentRoutes.all + ErrorBodyRoutes.all
                + BrokenRoutes.all + SlowRoutes.all + RedirectRoutes.all + EchoRoutes.all + OrderRoutes.all
                + GraphQLRoutes.all)

        init(endpoints: [Endpoint]) {
            self.endpoints = endpoints
            byPath = Dictionary(endpoints.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// The answer to a request; 404 when there is no route, 405 when there is one for another method.
        func answer(
            to request: Request, state: ServerState, retryAfter: Int, otherOrigin: String
        ) -> Answer {
            guard let (endpoint, rest) = find(request.path) else {
                return .response(.failure("No route \(request.path)", status: 404))
            }
            if let method = endpoint.method, method != request.method {
                let reason = "\(endpoint.path) answers \(method) only"
                return .response(.failure(reason, status: 405).with("Allow", method))
            }
            return endpoint.answer(
                Exchange(
                    request: request, state: state, retryAfter: retryAfter, otherOrigin: otherOrigin, rest: rest))
        }

        private func find(_ path: String) -> (endpoint: Endpoint, rest: String)? {
            if let endpoint = byPath[path] { return (endpoint, "") }
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
            let rest = path.index(after: slash)
            guard let endpoint = byPath[String(path[..<rest])] else { return nil }
            return (endpoint, String(path[rest...]))
        }
    }
#endif
