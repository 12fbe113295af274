#if Demo
    import Foundation

    /// Answers whose status is asked for.
    enum StatusRoutes {
        static let all = [
            FaultServer.Route(
                "/status/", example: "/status/503?retryAfter=2",
                "Any status from 200 to 599; retryAfter=SECONDS, retryAfterDate=SECONDS, json=1, body=TEXT"
            ) { .response(status($0)) },
            FaultServer.Route(
                "/flaky/", example: "/flaky/503?times=2&id=a",
                "The first N calls with this id fail with the status, then 200; the other options as above"
            ) { .response(status($0, isFlaky: true)) },
            FaultServer.Route("/no-content", "204 without a body") { _ in
                .response(ServerResponse(status: 204, body: .init()))
            },
            FaultServer.Route("/headers", example: "/headers?bytes=8192", "200 with a header field of N bytes") {
                call in
                let size = call.request.integer("bytes", default: 1024, in: 0...Limits.responseHeader)
                return .response(.text("ok\n").with("X-Fill", String(repeating: "a", count: size)))
            },
        ]

        /// The status in the path; that of a flaky route only in the first calls with its id.
        private static func status(_ call: RouteCall, isFlaky: Bool = false) -> ServerResponse {
            guard let status = Int(call.rest), (200...599).contains(status) else {
                return .failure("\(call.rest) is not a status from 200 to 599", status: 400)
            }
            if isFlaky {
                let (calls, isEarly) = call.counted("flaky", times: 1)
                guard isEarly else { return .json("{\"ok\":true,\"calls\":\(calls)}") }
            }
            let phrase = StatusText.phrase(for: status)
            let response: ServerResponse =
                if call.request.flag("json") {
                    .failure(call.request.parameter("body") ?? phrase, status: status)
                } else {
                    .text(call.request.parameter("body") ?? "\(status) \(phrase)\n", status: status)
                }
            return response.with("Retry-After", call.retryAfterValue)
        }
    }
#endif
