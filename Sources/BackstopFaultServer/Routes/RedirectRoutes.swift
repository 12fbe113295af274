#if Demo
    /// Redirects: here, to another origin, and in circles.
    enum RedirectRoutes {
        static let all = [
            FaultServer.Route(
                "/redirect", example: "/redirect?to=/echo&status=302", "Redirects to a URL with the status; default 302"
            ) { redirect($0, to: $0.request.parameter("to") ?? "/echo") },
            FaultServer.Route(
                "/redirect-other", example: "/redirect-other?status=307",
                "Redirects to /echo of another origin, where credentials must not follow"
            ) { redirect($0, to: $0.otherOrigin + "/echo") },
            FaultServer.Route("/redirect-loop", "Redirects to itself") { redirect($0, to: "/redirect-loop") },
        ]

        private static func redirect(_ call: RouteCall, to location: String) -> Answer {
            let status = call.request.integer("status", default: 302, in: 300...399)
            return .response(.text("See \(location)\n", status: status).with("Location", location))
        }
    }
#endif
