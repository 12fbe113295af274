#if AsyncHTTPClient && Demo
    import AsyncHTTPClient
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import NIOCore
    import NIOSSL
    import Testing

    @testable import BackstopAsyncHTTPClient

    @Suite("TLS and HTTP/2 by async-http-client", .sockets)
    struct TLSSocketTests {
        @Test("speaks HTTP/2 where the server offers it, and reads its trailers")
        func http2() async throws {
            try await TLSServer.run { server in
                let context = CallContext()
                let response = try await fetch(server.origin + "/", by: .trusting(), context: context)
                #expect(response.httpVersion == "2")
                #expect(context.networkNotes.first?.hasPrefix("h2, connection ") == true)
                #expect(response.body == Data("ok".utf8))
                #expect(response.trailers["X-Sum"] == "7")
            }
        }

        @Test("speaks HTTP/1.1 where the server offers nothing else")
        func http1() async throws {
            try await TLSServer.run(protocols: ["http/1.1"]) { server in
                let response = try await fetch(server.origin + "/", by: .trusting())
                #expect(response.httpVersion == "1.1")
                #expect(response.trailers["X-Sum"] == "7")
            }
        }

        @Test("runs many requests at once on one connection")
        func multiplexed() async throws {
            try await TLSServer.run { server in
                let transport = try AsyncHTTPClientTransport.trusting()
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<200 {
                        group.addTask { try await fetch(server.origin + "/", by: transport).status }
                    }
                    for try await status in group {
                        #expect(status == 200)
                    }
                }
            }
        }

        @Test("shows a client certificate to a server that asks for one")
        func clientCertificate() async throws {
            try await TLSServer.run(asksForCertificate: true) { server in
                let response = try await fetch(server.origin + "/", by: .trusting(clientCertificate: true))
                #expect(response.status == 200)
            }
        }

        struct Case: Sendable, CustomTestStringConvertible {
            let testDescription: String
            var certificate = TestCertificates.good
            var key = TestCertificates.goodKey
            var asksForCertificate = false
            var protocols = ["h2", "http/1.1"]
            let code: TransportError.Code
        }

        @Test(
            "does not send a request over TLS that it cannot trust",
            arguments: [
                Case(
                    testDescription: "expired", certificate: TestCertificates.expired,
                    key: TestCertificates.expiredKey, code: .certificate),
                Case(
                    testDescription: "unknown issuer", certificate: TestCertificates.stranger,
                    key: TestCertificates.strangerKey, code: .certificate),
                Case(
                    testDescription: "another host", certificate: TestCertificates.other,
                    key: TestCertificates.otherKey, code: .certificate),
                Case(
                    testDescription: "a client certificate is missing", asksForCertificate: true,
                    protocols: ["http/1.1"], code: .clientCertificate),
                Case(
                    testDescription: "a client certificate is missing for HTTP/2", asksForCertificate: true,
                    code: .clientCertificate),
            ])
        func refused(_ one: Case) async throws {
            try await TLSServer.run(
                certificate: one.certificate, key: one.key, asksForCertificate: one.asksForCertificate,
                protocols: one.protocols
            ) { server in
                let error = await #expect(throws: TransportError.self) {
                    _ = try await fetch(server.origin + "/", by: .trusting())
                }
                #expect(error?.code == one.code, "\(error?.detail ?? "")")
                #expect(error?.phase == .connecting)
                let detail = error?.detail ?? ""
                #expect(!detail.isEmpty)
                #expect(
                    !["NIO", "BoringSSL", "<none>", ".cc", ".swift", "Error:"].contains { detail.contains($0) },
                    "\(detail)")
            }
        }

        @Test("asks the app for a client certificate where the app's own settings do", arguments: ["h2", "http/1.1"])
        func lateCertificate(version: String) async throws {
            try await TLSServer.run(asksForCertificate: true, protocols: [version]) { server in
                let names = Notes<String?>()
                let transport = try AsyncHTTPClientTransport.trusting { configuration in
                    configuration.tlsConfiguration?.sslContextCallback = { values, promise in
                        names.add(values.serverHostname)
                        promise.completeWithTask {
                            var change = NIOSSLContextConfigurationOverride()
                            change.certificateChain = try NIOSSLCertificate.fromPEMBytes(
                                Array(TestCertificates.client.utf8)
                            ).map { .certificate($0) }
                            change.privateKey = .privateKey(
                                try NIOSSLPrivateKey(bytes: Array(TestCertificates.clientKey.utf8), format: .pem))
                            return change
                        }
                    }
                }
                #expect(try await fetch(server.origin + "/", by: transport).status == 200)
                #expect(names.all == ["localhost"])
                // It has answered: connections that are lost from now on are that, and not a refused certificate.
                #expect(transport.client.certificateRequests?.isUnanswered("localhost") == false)
            }
        }

        @Test("follows a redirect from https to http only where it is allowed", arguments: [false, true])
        func downgrade(isAllowed: Bool) async throws {
            let plain = try RawServer.start(sending: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            try await TLSServer.run { server in
                let transport = try AsyncHTTPClientTransport.trusting(allowsInsecureRedirects: isAllowed)
                let target = server.origin + "/to?" + plain.origin + "/"
                if isAllowed {
                    let response = try await fetch(target, headers: ["Authorization": "Bearer hunter2"], by: transport)
                    #expect(response.body == Data("ok".utf8))
                    #expect(plain.requests.map { $0.contains("hunter2") } == [false])
                } else {
                    let error = await #expect(throws: TransportError.self) {
                        _ = try await fetch(target, by: transport)
                    }
                    #expect(error?.code == .redirectRefused)
                    #expect(plain.requests.isEmpty)
                }
            }
        }

        @Test("is lost when the server closes while TLS begins")
        func closedGreeting() async throws {
            let server = try WireServer { _ = try $0.readSome() }
            defer { server.stop() }
            let error = await #expect(throws: TransportError.self) {
                _ = try await fetch(server.origin.replacingOccurrences(of: "http:", with: "https:"))
            }
            #expect(error?.code == .lost)
            #expect(error?.phase == .connecting)
            #expect(error?.detail == "The server closed the connection while TLS began")
        }

        @Test("accepts TLS 1.2 and later, unless the app's settings say otherwise")
        func leastVersion() {
            #expect(AsyncHTTPClientTransport.standardConfiguration.tlsConfiguration?.minimumTLSVersion == .tlsv12)
        }

        @Test("says what it is when the other side speaks no TLS")
        func noTLS() async throws {
            let server = try RawServer.start(sending: "HTTP/1.1 400 Bad Request\r\n\r\n")
            let error = await #expect(throws: TransportError.self) {
                _ = try await fetch(server.origin.replacingOccurrences(of: "http:", with: "https:"))
            }
            #expect(error?.code == .tls)
            #expect(error?.phase == .connecting)
        }

        @Test(
            "reports a stream or a connection that ends early", arguments: ["h2", "http/1.1"],
            [("/reset", TransportError.Code.lost), ("/cut", .truncated)])
        func endsEarly(version: String, end: (path: String, code: TransportError.Code)) async throws {
            try await TLSServer.run(protocols: [version]) { server in
                let transport = try AsyncHTTPClientTransport.trusting()
                let error = await #expect(throws: TransportError.self) {
                    _ = try await fetch(server.origin + end.path, method: .post, by: transport)
                }
                #expect(
                    error?.code == end.code || version == "h2" && error?.code == .lost, "\(String(describing: error))")
                let count = try await fetch(server.origin + "/count", by: transport)
                #expect(count.body == Data("2".utf8))
            }
        }

        @Test("closes the stream of a cancelled call, and the connection serves the next one")
        func cancelled() async throws {
            try await TLSServer.run { server in
                let transport = try AsyncHTTPClientTransport.trusting()
                _ = try await fetch(server.origin + "/", by: transport)
                let call = Task { try await fetch(server.origin + "/silent", by: transport) }
                while try await fetch(server.origin + "/count", by: transport).body.first == 0x32 {}
                call.cancel()
                await #expect(throws: CancellationError.self) { _ = try await call.value }
                #expect(try await fetch(server.origin + "/", by: transport).status == 200)
            }
        }
    }
#endif
