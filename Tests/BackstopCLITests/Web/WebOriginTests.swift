#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopCLI

    @Suite("The pages of the command", .sockets)
    struct WebOriginTests {
        private static let paths = [
            "/", "/playground/playground.js", "/playground/faults", "/playground/order",
            "/playground/run?target=/books",
        ]

        private func withPage(_ test: (Page) async throws -> Void) async throws {
            try await withServer(mounting: Playground().mounts) { try await test(Page(server: $0)) }
        }

        @Test("answer to their own names", arguments: paths)
        func ownNames(path: String) async throws {
            try await withPage { page in
                let port = page.server.url.port ?? 0
                for host in ["127.0.0.1:\(port)", "localhost:\(port)", "LOCALHOST:\(port)"] {
                    let reply = try await page.reply(to: path, headers: [.host: host])
                    #expect(reply.status == 200, "\(host)")
                }
            }
        }

        @Test(
            "answer to no other name, as one that somebody else has resolve to this machine",
            arguments: paths,
            ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example", "0.0.0.0", "[::1]"])
        func otherNames(path: String, host: String) async throws {
            try await withPage { page in
                let port = host == "localhost:1" || host == "127.0.0.1" ? "" : ":\(page.server.url.port ?? 0)"
                let reply = try await page.reply(to: path, headers: [.host: host + port])
                #expect(reply.status == 421)
                #expect(page.server.requestCount(of: "/books") == 0)
            }
        }

        @Test("cannot be used by a page of another origin", arguments: paths)
        func otherOrigins(path: String) async throws {
            try await withPage { page in
                let foreign: [HTTP.Headers] = [
                    ["Origin": "http://evil.example"], ["Origin": "null"], ["Origin": "https://\(page.host)"],
                    ["Origin": page.server.otherOrigin.absoluteString], ["Sec-Fetch-Site": "cross-site"],
                    ["Sec-Fetch-Site": "same-site"],
                    ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"],
                ]
                for headers in foreign {
                    let reply = try await page.reply(to: path, headers: headers)
                    #expect(reply.status == 403, "\(headers)")
                }
                #expect(page.server.requestCount(of: "/books") == 0)
                let own: [HTTP.Headers] = [
                    ["Origin": "http://\(page.host)", "Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"],
                ]
                for headers in own {
                    let reply = try await page.reply(to: path, headers: headers)
                    #expect(reply.status == 200, "\(headers)")
                }
            }
        }

        @Test("a link from anywhere leads to the page, and to the page only")
        func links() async throws {
            let headers: HTTP.Headers = [
                "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
            ]
            try await withPage { page in
                let linked = try await page.reply(to: "/?target=/books", headers: headers)
                #expect(linked.status == 200)
                for path in Self.paths.dropFirst() {
                    let reply = try await page.reply(to: path, headers: headers)
                    #expect(reply.status == 403, "\(path)")
                }
            }
        }

        @Test("allow nothing from elsewhere and nothing inline", arguments: paths)
        func policy(path: String) async throws {
            try await withPage { page in
                let headers = try await page.reply(to: path).response.headers
                let policy = try #require(headers["Content-Security-Policy"])
                #expect(policy.contains("default-src 'none'"))
                #expect(policy.contains("script-src 'self';"))
                #expect(policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(headers["X-Content-Type-Options"] == "nosniff")
            }
        }

        @Test("answer GET and HEAD only", arguments: ["POST", "PUT", "DELETE", "OPTIONS"])
        func methods(method: String) async throws {
            try await withPage { page in
                for path in Self.paths {
                    let reply = try await page.reply(to: path, method: HTTP.Method(method))
                    #expect(reply.status == 405, "\(path)")
                }
                #expect(page.server.requestCount(of: "/books") == 0)
            }
        }

        @Test("name nothing that is not there")
        func missing() async throws {
            try await withPage { page in
                let reply = try await page.reply(to: "/playground/nothing")
                #expect(reply.status == 404)
            }
        }
    }
#endif
