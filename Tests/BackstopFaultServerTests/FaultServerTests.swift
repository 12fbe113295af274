#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("The fault server", .sockets)
    struct FaultServerTests {
        @Test("every route of the listing has a path, a description and a handler")
        func routes() async throws {
            try await withServer { server in
                #expect(server.routes.count > 30)
                for route in server.routes {
                    #expect(route.path.hasPrefix("/"))
                    #expect(!route.description.isEmpty)
                    #expect(["GET", "POST", "PUT", "DELETE"].contains(route.method))
                }
            }
        }

        @Test("stopping closes a thousand hanging connections")
        func stopping() async throws {
            let server = try await FaultServer.start()
            var clients: [RawClient] = []
            for _ in 1...1000 {
                let client = try await RawClient(server.url)
                try await client.request("/hang")
                clients.append(client)
            }
            #expect(await server.waitForRequest(to: "/hang", count: 1000))

            await server.stop()
            await server.stop()

            for client in clients {
                #expect(try await client.readToEnd().text == "")
                await client.close()
            }
            #expect(server.disconnections(of: "/hang") == 0)
        }
    }
#endif
