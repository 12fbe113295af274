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
                ("502 Bad Gateway", .unreachable),
            ])
        func tunnel(status: String, code: TransportError.Code) async throws {
            let proxy = try RawServer.start(sending: "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
            let error = await #expect(throws: TransportError.self) {
                _ = try await fetch("http://example.com/a", by: transport(through: proxy.origin))
            }
            #expect(error?.code == code, "\(String(describing: error))")
            #expect(error?.phase == .connecting)
            #expect(error?.detail.contains("through the proxy") == true, "\(String(describing: error))")
            #expect(proxy.requests.first?.hasPrefix("CONNECT example.com:80 HTTP/1.1\r\n") == true)
        }

        @Test("that is not there is a refused connection")
        func absent() async throws {
            let port = try ClosedPort.refusing()
            let error = await #expect(throws: TransportError.self) {
                _ = try await fetch("http://example.com/a", by: transport(through: port.origin))
            }
            #expect(error?.code == .refused)
            #expect(error?.detail.contains("through the proxy") == true, "\(String(describing: error))")
        }

        @Test("that gives a tunnel content, which it cannot have, breaks the tunnel (RFC 9110, 9.3.6)")
        func content() async throws {
            let proxy = try RawServer.start(sending: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            let error = await #expect(throws: TransportError.self) {
                _ = try await fetch("http://example.com/a", by: transport(through: proxy.origin))
            }
            // Whichever is noticed first: what came in the tunnel, or that the server has closed it.
            let code = try #require(error?.code)
            #expect([.unreachable, .lost].contains(code), "\(String(describing: error))")
        }

        @Test("that closes, or does not speak HTTP, is named", arguments: ["", "SSH-2.0-OpenSSH\r\n"])
        func nonsense(answer: String) async throws {
            let proxy = try RawServer.start(sending: answer)
            let error = await #expect(throws: TransportError.self) {
                _ = try await fetch("https://example.com/a", by: transport(through: proxy.origin))
            }
            let report = Failure(try #require(error)).report
            #expect(report.contains("Check the transport's proxy setting"), "\(report)")
            #expect(!report.contains("certificate"), "\(report)")
        }

        private func transport(through origin: String) throws -> AsyncHTTPClientTransport {
            var configuration = AsyncHTTPClientTransport.standardConfiguration
            configuration.proxy = .server(
                host: "127.0.0.1", port: try #require(Int(origin.split(separator: ":").last ?? "")))
            return try AsyncHTTPClientTransport(configuration: configuration)
        }
    }
#endif
