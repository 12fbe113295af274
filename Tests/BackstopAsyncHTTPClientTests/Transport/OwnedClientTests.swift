#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOPosix
    import BackstopTestSupport
    import Testing

    @testable import BackstopAsyncHTTPClient

    @Suite("A client of the transport's own", .limited)
    struct OwnedClientTests {
        @Test("runs on sockets on every system, with the same TLS and the same errors")
        func sockets() {
            let owned = OwnedClient(HTTPClient.Configuration(), decodedLimit: 1, connectionsPerHost: 1)
            #expect(owned.client.eventLoopGroup === MultiThreadedEventLoopGroup.singleton)
        }

        @Test("tries to connect once, and so does a hardened one of the app: Retry decides when again")
        func once() {
            let settings = HTTPClient.Configuration()
            #expect(settings.connectionPool.retryConnectionEstablishment)
            #expect(!AsyncHTTPClientTransport.hardened(settings).connectionPool.retryConnectionEstablishment)
        }
    }
#endif
