#if Demo
    /// The auth server of the sign-up demo.
    enum SignUpRoutes {
        static let all = [
            FaultServer.Route(
                "/isUserNameAvailable", example: "/isUserNameAvailable?userName=ada.lovelace",
                "Whether a user name is free; admin, servererror, maintenance, maintenance! and illegalresponse fail"
            ) { .response(answer($0)) }
        ]

        private static let forbidden: Set<String> = ["admin", "superuser"]
        private static let taken: Set<String> = ["peterfriese", "johnnyappleseed", "page", "johndoe"]

        /// The checks in their order.
        private static func answer(_ call: RouteCall) -> ServerResponse {
            guard let name = call.request.parameter("userName") else {
                return .failure("Username parameter missing", status: 400)
            }
            if name.isEmpty { return .failure("Username must not be empty", status: 400) }
            if name.count <= 3 { return .failure("Username is too short.", status: 400) }
            if forbidden.contains(name) { return .failure("Username is not valid: \(name).", status: 400) }
            switch name {
            case "servererror":
                return .failure("The database is corrupted", status: 500)
            case "maintenance":
                // Two of every three calls fail, so that a client that retries twice gets through.
                guard call.state.countCall("maintenance").isMultiple(of: 3) else { return maintenance(call) }
            case "maintenance!":
                return maintenance(call)
            case "illegalresponse":
                return .json("{\"isAvailable\":false}")
            default:
                break
            }
            return .json("{\"isAvailable\":\(!taken.contains(name)),\"userName\":\(LiteralJSON.string(name))}")
        }

        private static func maintenance(_ call: RouteCall) -> ServerResponse {
            .failure("Temporarily unavailable for maintenance", status: 500)
                .with("Retry-After", String(call.retryAfter))
        }
    }
#endif
