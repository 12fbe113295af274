#if AsyncHTTPClient && Demo
    import AsyncHTTPClient
    import BackstopAsyncHTTPClient
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("A proxy of async-http-client", .sockets)
    struct ProxySocketTests {
        @Test(
            "is asked for a tunnel, and what it says is told apart from what a server says",
            arguments: [
                ("407 Proxy Authentication Required", TransportError.Code.notAllowed),
                ("502 Bad Gateway", .badResponse),
            ])
        func tunnel(status: String, code: TransportError.Code) async throws {
            let proxy = try RawServer.start(sending: "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
            let error = await #expect(throws: TransportError.self) {
                _ = try await fetch("http://example.com/a", by: transport(through: proxy.origin))
            }
            #expect(error?.code == code, "\(String(describing: error))")
            #expect(error?.phase == .connecting)
            #expect(proxy.requests.first?.hasPrefix("CONNECT example.com:80 HTTP/1.1\r\n") == true)
        }

        @Test("that is not there is a refused connection")
        func absent() async throws {
            let port = try ClosedPort.refusing()
            let error = await #expect(throws: TransportError.self) {
                _ = try await fetch("http://example.com/a", by: transport(through: port.origin))
            }
            #expect(error?.code == .refused)
        }

        private func transport(through origin: String) throws -> AsyncHTTPClientTransport {
            var configuration = AsyncHTTPClientTransport.standardConfiguration
            configuration.proxy = .server(
                host: "127.0.0.1", port: try #require(Int(origin.split(separator: ":").last ?? "")))
            return try AsyncHTTPClientTransport(configuration: configuration)
        }
    }
#endif
