#if Demo
    /// Says what has arrived, and gives out what is to come back.
    enum EchoRoutes {
        static let all = [
            FaultServer.Route("/echo", example: "/echo?a=1", "The request as JSON: method, path, query, headers, body")
            {
                .response(.json(description(of: $0.request)))
            },
            FaultServer.Route("/cookie", example: "/cookie?name=session&value=1", "Sets a cookie for all paths") {
                // A link on a page of another site could otherwise leave a cookie for all that listens on 127.0.0.1.
                guard Set($0.request.headers["sec-fetch-site"] ?? []).isSubset(of: ["same-origin", "none"]) else {
                    return .response(.text("A page of another site cannot set a cookie here\n", status: 403))
                }
                let name = $0.request.parameter("name") ?? "session"
                let value = $0.request.parameter("value") ?? "1"
                return .response(.text("Set \(name)\n").with("Set-Cookie", "\(name)=\(value); Path=/"))
            },
        ]

        private static func description(of request: ReceivedRequest) -> String {
            let headers = request.headers.sorted { $0.key < $1.key }.map { name, values in
                "\(LiteralJSON.string(name)):\(LiteralJSON.strings(values))"
            }
            return "{\"method\":\(LiteralJSON.string(request.method)),\"path\":\(LiteralJSON.string(request.path)),"
                + "\"query\":\(LiteralJSON.string(request.query ?? "")),\"headers\":{\(headers.joined(separator: ","))},"
                + "\"body\":\(LiteralJSON.string(String(decoding: request.body, as: UTF8.self)))}"
        }
    }
#endif
