#if Demo
    /// Redirects: here, to another origin, and in circles.
    enum RedirectRoutes {
        static let all = [
            Endpoint(
                "/redirect", example: "/redirect?to=/echo&status=302", "Redirects to a URL with the status; default 302"
            ) { redirect($0, to: $0.request.parameter("to") ?? "/echo") },
            Endpoint(
                "/redirect-other", example: "/redirect-other?status=307",
                "Redirects to /echo of another origin, where credentials must not follow"
            ) { redirect($0, to: $0.otherOrigin + "/echo") },
            Endpoint("/redirect-loop", "Redirects to itself") { redirect($0, to: "/redirect-loop") },
        ]

        private static func redirect(_ exchange: Exchange, to location: String) -> Answer {
            let status = exchange.request.integer("status", default: 302, in: 300...399)
            return .response(.text("See \(location)\n", status: status).with("Location", location))
        }
    }
#endif
