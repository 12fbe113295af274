#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("The transport of Docs/Transports.md", .sockets)
    struct PlainTransportTests {
        @Test("stands there word for word") func shown() throws {
            let path = "Tests/GuideTests/Support/PlainTransport.swift"
            let file = try String(contentsOf: Guide.package.appendingPathComponent(path), encoding: .utf8)
            let blocks = try Guide("Docs/Transports.md").blocks.filter { $0.comment == "file: PlainTransport.swift" }
            #expect(blocks.map(\.text) == [file])
        }

        /// Bodies of every kind, whole or not at all.
        private static let bodies = TransportConformance.cases.filter {
            [
                "requests.data", "requests.file", "requests.emptyFile", "requests.sizedStream", "requests.longStream",
                "requests.shortStream", "requests.failingStream",
            ].contains($0.id)
        }

        @Test("sends bodies of every kind, and none in part", arguments: bodies)
        func body(rule: TransportConformance.Case) async throws {
            try #require(Self.bodies.count == 7)
            try await Turns.foundation.alone {
                try await rule.run { PlainTransport() }
            }
        }

        @Test("says what a body is whose request does not") func contentType() async throws {
            try await withServer { server in
                let client = try Client.standard(
                    baseURL: server.url.absoluteString, transport: PlainTransport(), logging: nil)

                try await Turns.foundation.alone {
                    for body in [HTTP.Body.text("a"), .data(Data("a".utf8)), .form(["a": "b"])] {
                        _ = try await client.post("echo", body: body)
                    }
                }

                #expect(
                    await server.requests(to: "/echo").map { $0.values(of: "Content-Type") } == [
                        ["text/plain; charset=utf-8"], ["application/octet-stream"],
                        ["application/x-www-form-urlencoded"],
                    ])
            }
        }
    }
#endif
