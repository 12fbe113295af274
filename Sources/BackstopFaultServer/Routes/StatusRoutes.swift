#if Demo
    import Foundation

    /// Answers whose status is asked for.
    enum StatusRoutes {
        static let all = [
            Endpoint(
                "/status/", example: "/status/503?retryAfter=2",
                "Any status from 200 to 599; retryAfter=SECONDS, retryAfterDate=SECONDS, json=1, body=TEXT"
            ) { .response(status($0)) },
            Endpoint(
                "/flaky/", example: "/flaky/503?times=2&id=a",
                "The first N calls with this id fail with the status, then 200; the other options as above"
            ) { .response(flaky($0)) },
            Endpoint("/no-content", "204 without a body") { _ in .response(Response(status: 204, body: .init())) },
            Endpoint("/headers", example: "/headers?bytes=8192", "200 with a header field of N bytes") { exchange in
                let size = exchange.request.integer("bytes", default: 1024, in: 0...Limits.responseHeader)
                return .response(.text("ok\n").with("X-Fill", String(repeating: "a", count: size)))
            },
        ]

        private static func status(_ exchange: Exchange) -> Response {
            guard let status = exchange.statusInPath else {
                return .failure("\(exchange.rest) is not a status from 200 to 599", status: 400)
            }
            return failure(exchange, status: status)
        }

        private static func failure(_ exchange: Exchange, status: Int) -> Response {
            let phrase = StatusText.phrase(for: status)
            let response: Response =
                if exchange.request.flag("json") {
                    .failure(exchange.request.parameter("body") ?? phrase, status: status)
                } else {
                    .text(exchange.request.parameter("body") ?? "\(status) \(phrase)\n", status: status)
                }
            return response.with("Retry-After", exchange.retryAfterValue)
        }

        private static func flaky(_ exchange: Exchange) -> Response {
            guard let status = exchange.statusInPath else {
                return .failure("\(exchange.rest) is not a status from 200 to 599", status: 400)
            }
            let times = exchange.request.integer("times", default: 1, in: 0...Int.max)
            let calls = exchange.state.countCall("flaky \(exchange.request.parameter("id") ?? "")")
            guard calls > times else {
                return failure(exchange, status: status)
            }
            return .json("{\"ok\":true,\"calls\":\(calls)}")
        }
    }
#endif
