#if Demo
    /// Calls that change something: one that must not be repeated, and one that may.
    enum OrderRoutes {
        static let all = [
            FaultServer.Route(
                "/orders", method: "POST", "Always 503; must not be retried, since it has no idempotency key"
            ) {
                _ in
                .response(.failure("The order may or may not have been placed", status: 503))
            },
            FaultServer.Route(
                "/payments", method: "POST",
                "503 at the first call with an Idempotency-Key, then 201, with the same payment each time"
            ) { .response(payment($0)) },
        ]

        private static func payment(_ call: RouteCall) -> ServerResponse {
            guard let key = call.request.headers["idempotency-key"]?.first, !key.isEmpty else {
                return .failure("Idempotency-Key missing", status: 400)
            }
            let number = call.state.paymentNumber(for: key)
            let calls = call.state.countCall("payment \(key)")
            guard calls > 1 else { return .failure("Try again with the same Idempotency-Key", status: 503) }
            return .json("{\"id\":\"payment-\(number)\",\"calls\":\(calls)}", status: 201)
        }
    }
#endif
