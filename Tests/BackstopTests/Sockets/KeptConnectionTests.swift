#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    /// libcurl sends a request again by itself when a connection that was used before ends without a byte of an answer.
    @Suite("A request on a connection that was used before and is reset", .sockets)
    struct KeptConnectionTests {
        enum Content: CaseIterable, Sendable {
            case none, data, file, stream
        }

        @Test("arrives once when it may be done only once", arguments: [HTTP.Method.post, .patch], Content.allCases)
        func once(method: HTTP.Method, content: Content) async throws {
            try await withServer { server in
                try await withFile(of: sampleBytes(1000)) { file in
                    let client = try server.client(retry: .quick())
                    let call = WholeResponse(method: method, target: "/reset", body: body(content, file: file))
                    for count in 1...5 {
                        _ = try await client.get("/no-content")
                        let failure = try await failed { try await client.send(call) }
                        #expect(failure.code == "transport.lost")
                        #expect(failure.stopReason == .notIdempotent)
                        // The server had all of it.
                        #expect(content == .stream || !failure.report.contains("while sending"))
                        #expect(content != .data || failure.report.contains("closed before a response came"))
                        #expect(server.requestCount(of: "/reset") == count)
                    }
                }
            }
        }

        @Test("arrives once when the call says that it must not be repeated, whatever its method")
        func notRepeatable() async throws {
            try await withServer { server in
                let transport = URLSessionTransport()
                var request = try HTTP.Request(.get, server.target("/reset"))
                request.isRepeatable = false
                for count in 1...5 {
                    let other = try HTTP.Request(.get, server.target("/no-content"))
                    _ = try await transport.send(other, context: CallContext())
                    await #expect(throws: TransportError.self) {
                        try await transport.send(request, context: CallContext())
                    }
                    #expect(server.requestCount(of: "/reset") == count)
                }
            }
        }

        @Test("ends with a loss, be it sent again or not", arguments: Content.allCases)
        func idempotent(content: Content) async throws {
            try await withServer { server in
                try await withFile(of: sampleBytes(1000)) { file in
                    let client = try server.client()
                    _ = try await client.get("/no-content")
                    let call = WholeResponse(method: .put, target: "/reset", body: body(content, file: file))
                    let failure = try await failed { try await client.send(call) }
                    #expect(failure.code == "transport.lost")
                    #expect(failure.isRetryable)
                }
            }
        }

        private func body(_ content: Content, file: URL) -> HTTP.Body {
            switch content {
            case .none: .none
            case .data: .data(sampleBytes(1000))
            case .file: .file(file)
            case .stream: .stream { pieces(of: sampleBytes(1000)) }
            }
        }
    }
#endif
