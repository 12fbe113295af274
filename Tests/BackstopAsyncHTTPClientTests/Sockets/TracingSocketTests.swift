#if AsyncHTTPClient && Demo && Observability
    import AsyncHTTPClient
    import BackstopAsyncHTTPClient
    import BackstopTestSupport
    import Foundation
    import InMemoryTracing
    import Testing

    @Suite("The tracing of async-http-client itself", .sockets)
    struct TracingSocketTests {
        enum Owner: CaseIterable {
            case transport, app, appUnhardened
        }

        @Test(
            "is off, because its spans hold whole URLs, except with a client of the app as it is",
            arguments: Owner.allCases)
        func spans(owner: Owner) async throws {
            // given: what a process that has bootstrapped a tracer gives each configuration
            let tracer = InMemoryTracer()
            var configuration = AsyncHTTPClientTransport.standardConfiguration
            configuration.tracing.tracer = tracer
            let server = try RawServer.start(sending: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            let target = "\(server.origin)/?token=s3cret"
            // when
            switch owner {
            case .transport:
                _ = try await fetch(target, by: AsyncHTTPClientTransport(configuration: configuration))
            case .app, .appUnhardened:
                let client = HTTPClient(
                    eventLoopGroupProvider: .singleton,
                    configuration: owner == .app ? AsyncHTTPClientTransport.hardened(configuration) : configuration)
                _ = try await fetch(target, by: AsyncHTTPClientTransport(client))
                try await client.shutdown()
            }
            // then
            let spans = tracer.finishedSpans.count + tracer.activeSpans.count
            #expect(spans == (owner == .appUnhardened ? 1 : 0))
        }
    }
#endif
