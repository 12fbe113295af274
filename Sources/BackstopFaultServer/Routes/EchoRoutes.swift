#if Demo
    /// Says what has arrived.
    enum EchoRoutes {
        static let all = [
            Endpoint("/echo", example: "/echo?a=1", "The request as JSON: method, path, query, headers, body") {
                .response(.json(description(of: $0.request)))
            }
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
