#if Demo
    import Backstop
    import BackstopCore
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopCLI

    /// What a page, or a stranger, asks of the server.
    struct Page {
        let server: FaultServer

        struct Reply {
            let response: HTTP.Response

            var status: Int { response.status }
            var text: String { String(decoding: response.body, as: UTF8.self) }

            var object: [String: Any] {
                get throws {
                    try #require(JSONSerialization.jsonObject(with: response.body) as? [String: Any])
                }
            }

            /// The events of a stream, each with its name and its data.
            var events: [(name: String, data: [String: Any])] {
                get throws {
                    try text.components(separatedBy: "\n\n").filter { !$0.isEmpty }.map { block in
                        let lines = block.components(separatedBy: "\n")
                        let data = Data(lines[1].dropFirst("data: ".count).utf8)
                        return (
                            String(lines[0].dropFirst("event: ".count)),
                            try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
                        )
                    }
                }
            }
        }

        /// The own name of the server, with its port.
        var host: String {
            "127.0.0.1:\(server.url.port ?? 0)"
        }

        func reply(
            to path: String, _ parameters: KeyValuePairs<String, String> = [:], method: HTTP.Method = .get,
            headers: HTTP.Headers = [:], body: String? = nil, time: String? = nil
        ) async throws -> Reply {
            var items = parameters.map { URLQueryItem(name: $0.key, value: $0.value) }
            items += time.map { [URLQueryItem(name: "timeout", value: $0)] } ?? []
            var request = try HTTP.Request(
                method, server.url.absoluteString + path, queryItems: items, headers: headers)
            if let body {
                request.body = .data(Data(body.utf8))
            }
            return Reply(response: try await transport().send(request, context: CallContext()))
        }

        /// With time for a machine on which thousands of tests wait for their turn.
        private func transport() throws -> URLSessionTransport {
            try URLSessionTransport(idleTimeout: .seconds(600))
        }

        /// The object of `/playground/run`, with time for the same, unless the test says how much.
        func run(_ parameters: KeyValuePairs<String, String>) async throws -> [String: Any] {
            let hasTime = parameters.contains { $0.key == "timeout" }
            let reply = try await reply(to: "/playground/run", parameters, time: hasTime ? nil : "30")
            #expect(reply.status == 200, "\(reply.text)")
            return try reply.object
        }
    }

    /// Gives a test a playground with a server of its own.
    func withPage(
        _ playground: Playground = Playground(), _ test: (Page) async throws -> Void
    ) async throws {
        try await withServer(mounting: playground.mounts) { try await test(Page(server: $0)) }
    }
#endif
