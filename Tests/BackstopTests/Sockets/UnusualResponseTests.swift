#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("A response out of the ordinary", .sockets)
    struct UnusualResponseTests {
        @Test("may have a header of 90 KB")
        func longHeader() async throws {
            try await withServer { server in
                let response = try await server.client().get("/headers", query: ["bytes": "90000"])
                #expect(response.headers["X-Fill"]?.utf8.count == 90_000)
                #expect(response.body == Data("ok\n".utf8))
            }
        }

        @Test("may have no content, with 204")
        func noContent() async throws {
            try await withServer { server in
                let response = try await server.client().get("/no-content")
                #expect(response.status == 204)
                #expect(response.body.isEmpty)
            }
        }

        @Test("to HEAD has the headers of GET and no body, whatever length they announce")
        func head() async throws {
            try await withServer { server in
                let transport = try URLSessionTransport(responseLimit: 1000)
                let call = WholeResponse(method: .head, target: "/json?bytes=4096")
                let response = try await server.client(transport: transport).send(call)
                #expect(response.status == 200)
                #expect(response.headers[.contentType] == "application/json")
                let length = try #require(response.headers[.contentLength].flatMap { Int($0) })
                #expect(length > 3000)
                #expect(response.body.isEmpty)
            }
        }

        @Test("may be empty where nothing was expected")
        func empty() async throws {
            try await withServer { server in
                let response = try await server.client().get("/empty")
                #expect(response.status == 200)
                #expect(response.body.isEmpty)
            }
        }

        @Test("is called empty where JSON was expected")
        func emptyJSON() async throws {
            try await withServer { server in
                let client = try server.client()
                let failure = try await failed { try await client.get("/empty", as: [String].self) }
                guard case .decoding(let decoding) = failure.reason else {
                    Issue.record(failure)
                    return
                }
                #expect(decoding.kind == .empty)
            }
        }

        @Test("is decoded where it came compressed")
        func compressed() async throws {
            try await withServer { server in
                let answer = try await server.client().get("/gzip", as: [String: Bool].self)
                #expect(answer == ["ok": true])
            }
        }

        @Test("counts against the limit with its decoded bytes")
        func compressedBeyondLimit() async throws {
            try await withServer { server in
                let client = try server.client(transport: try URLSessionTransport(responseLimit: 1000))
                let failure = try await failed { try await client.get("/gzip") }
                #expect(failure.code == "transport.tooLarge")
            }
        }

        @Test("with a status that nobody knows is a failure with its number")
        func unknownStatus() async throws {
            try await withServer { server in
                let client = try server.client()
                let failure = try await failed { try await client.get("/status/599") }
                #expect(failure.code == "status.599")
            }
        }
    }
#endif
