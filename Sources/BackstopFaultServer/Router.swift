#if Demo
    /// Finds the route for a request.
    struct Router: Sendable {
        /// All routes in the order of the listing. A new group of routes is added here, and nowhere else.
        let routes: [FaultServer.Route]
        /// Several may be for a path, each for another method.
        private let byPattern: [String: [FaultServer.Route]]

        /// The routes of every fault server.
        static let standard = Router(
            routes: ListingRoute.all + SignUpRoutes.all + StatusRoutes.all + DocumentRoutes.all + ErrorBodyRoutes.all
                + BrokenRoutes.all + SlowRoutes.all + StreamRoutes.all + RedirectRoutes.all + EchoRoutes.all
                + OrderRoutes.all
                + GraphQLRoutes.all + LiveRoutes.all + LiveStreamRoutes.all)

        init(routes: [FaultServer.Route]) {
            self.routes = routes
            byPattern = Dictionary(grouping: routes, by: \.pattern)
        }

        /// The answer to a request; 404 when there is no route, 405 when there is one for another method.
        func answer(
            to request: ReceivedRequest, state: ServerState, retryAfter: Int, otherOrigin: String
        ) -> Answer {
            guard let (routes, rest) = find(request.path), let first = routes.first else {
                return .response(.failure("No route \(request.path)", status: 404))
            }
            // A path for GET alone answers every method.
            let takesAll = routes.allSatisfy { $0.method == "GET" }
            guard let route = takesAll ? first : routes.first(where: { $0.method == request.method }) else {
                let methods = routes.map(\.method).joined(separator: ", ")
                let reason = "\(first.pattern) answers \(methods) only"
                return .response(.failure(reason, status: 405).with("Allow", methods))
            }
            return route.answer(
                RouteCall(
                    request: request, state: state, retryAfter: retryAfter, otherOrigin: otherOrigin, rest: rest))
        }

        private func find(_ path: String) -> (routes: [FaultServer.Route], rest: String)? {
            if let routes = byPattern[path] { return (routes, "") }
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
            let rest = path.index(after: slash)
            guard let routes = byPattern[String(path[..<rest])] else { return nil }
            return (routes, String(path[rest...]))
        }
    }
#endif
