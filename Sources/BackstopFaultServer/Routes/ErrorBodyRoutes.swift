#if Demo
    /// Answers whose body describes an error.
    enum ErrorBodyRoutes {
        static let all = [
            FaultServer.Route(
                "/api-error", example: "/api-error?status=401",
                "{\"error\":true,\"reason\":...} with the status; also with 200"
            ) { call in
                let status = call.status(default: 401)
                return .response(
                    .failure(reasons[status] ?? "The request failed with status \(status)", status: status))
            },
            FaultServer.Route(
                "/problem", example: "/problem?status=404",
                "Problem details (RFC 9457) with the extension member balance"
            ) { call in
                let status = call.status(default: 404)
                return .response(.json(problem(status), status: status, type: "application/problem+json"))
            },
        ]

        private static let reasons = [
            200: "The request was understood, and failed all the same",
            401: "The token has expired",
            403: "You may not do this",
            404: "There is no such book",
        ]

        private static func problem(_ status: Int) -> String {
            "{\"type\":\"https://example.com/problems/out-of-credit\","
                + "\"title\":\"You do not have enough credit.\",\"status\":\(status),"
                + "\"detail\":\"Your current balance is 30, but that costs 50.\","
                + "\"instance\":\"/account/12345/messages/abc\",\"balance\":30}"
        }
    }
#endif
