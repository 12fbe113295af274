#if Demo
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("backstop get --transport", .sockets)
    struct TransportOptionTests {
        #if AsyncHTTPClient
            @Test("asynchttpclient sends to an IPv6 address, and -i shows the version and the order of the fields")
            func ipv6() async throws {
                let server = try RawServer.start(
                    sending: "HTTP/1.1 200 OK\r\nZ: 1\r\nA: 2\r\nContent-Length: 2\r\n\r\nok", address: .ipv6)
                let command = try await Command.run("get", server.origin + "/", "--transport", "asynchttpclient", "-i")
                #expect(command.status == 0)
                #expect(command.output == "HTTP/1.1 200 OK\nZ: 1\nA: 2\nContent-Length: 2\n\nok")
            }

            @Test("asynchttpclient reads what ends the process with URLSession on Linux")
            func trailers() async throws {
                let server = try RawServer.start(
                    sending: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n")
                let command = try await Command.run("get", server.origin + "/", "--transport", "asynchttpclient")
                #expect(command.status == 0)
                #expect(command.output == "ok")
            }

            @Test("asynchttpclient sends an operation of GraphQL as well")
            func graphQL() async throws {
                let server = try await FaultServer.start()
                let command = try await Command.run(
                    "graphql", "\(server.url)/graphql", "--query", "{ __typename }", "--transport", "asynchttpclient",
                    "--json")
                let count = server.requestCount(of: "/graphql")
                await server.stop()
                #expect(command.status != 2)
                #expect(count == 1)
            }
        #else
            @Test("asynchttpclient says which trait it needs")
            func absent() async throws {
                let command = try await Command.run("get", "http://127.0.0.1:1/", "--transport", "asynchttpclient")
                #expect(command.status == 2)
                #expect(command.errors.contains("--traits Demo,AsyncHTTPClient"))
            }
        #endif

        @Test("takes no other name")
        func unknown() async throws {
            let command = try await Command.run("get", "http://127.0.0.1:1/", "--transport", "carrier-pigeon")
            #expect(command.status == 2)
            #expect(command.errors.contains("asynchttpclient"))
        }
    }
#endif
