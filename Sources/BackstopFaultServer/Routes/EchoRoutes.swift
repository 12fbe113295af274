#if Demo
    /// Says what has arrived, and gives out what is to come back.
    enum EchoRoutes {
        static let all = [
            Endpoint("/echo", example: "/echo?a=1", "The request as JSON: method, path, query, headers, body") {
                .response(.json(description(of: $0.request)))
            },
            Endpoint("/cookie", example: "/cookie?name=session&value=1", "Sets a cookie for all paths") {
                let name = $0.request.parameter("name") ?? "session"
                let value = $0.request.parameter("value") ?? "1"
                return .response(.text("Set \(name)\n").with("Set-Cookie", "\(name)=\(value); Path=/"))
            },
        ]

        private static func description(of request: Request) -> String {
            let headers = request.headers.sorted { $0.key < $1.key }.map { name, values in
                "\(JSONText.string(name)):\(JSONText.strings(values))"
            }
            return "{\"method\":\(JSONText.string(request.method)),\"path\":\(JSONText.string(request.path)),"
                + "\"query\":\(JSONText.string(request.query ?? "")),\"headers\":{\(headers.joined(separator: ","))},"
                + "\"body\":\(JSONText.string(String(decoding: request.body, as: UTF8.self)))}"
        }
    }
#endif
