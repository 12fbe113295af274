#if AsyncHTTPClient
    import AsyncHTTPClient
    import BackstopTestSupport
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import NIOSSL
    import Testing

    @testable import BackstopAsyncHTTPClient

    @Suite("The table of errors of async-http-client", .limited)
    struct ClientErrorTableTests {
        @Test(
            "gives each error of the library a code of Backstop",
            arguments: [
                (HTTPClientError.invalidURL, "request.invalidURL"),
                (.emptyHost, "request.invalidURL"),
                (.emptyScheme, "request.invalidURL"),
                (.missingSocketPath, "request.invalidURL"),
                (.unsupportedScheme("ftp"), "request.invalidURL"),
                (.alreadyShutdown, "transport.system"),
                (.readTimeout, "timeout.attempt"),
                (.writeTimeout, "timeout.attempt"),
                (.connectTimeout, "timeout.attempt"),
                (.socksHandshakeTimeout, "timeout.attempt"),
                (.httpProxyHandshakeTimeout, "timeout.attempt"),
                (.tlsHandshakeTimeout, "timeout.attempt"),
                (.deadlineExceeded, "timeout.attempt"),
                (.getConnectionFromPoolTimeout, "timeout.connection"),
                (.remoteConnectionClosed, "transport.lost"),
                (.cancelled, "transport.lost"),
                (.requestStreamCancelled, "transport.lost"),
                (.uncleanShutdown, "transport.truncated"),
                (.invalidProxyResponse, "transport.unreachable"),
                (.proxyAuthenticationRequired, "transport.notAllowed"),
                (.redirectLimitReached, "transport.redirects"),
                (.redirectCycleDetected, "transport.redirects"),
                (.serverOfferedUnsupportedApplicationProtocol("h3"), "transport.tls"),
                (.identityCodingIncorrectlyPresent, "request.invalid"),
                (.contentLengthMissing, "request.invalid"),
                (.traceRequestWithBody, "request.invalid"),
                (.invalidHeaderFieldNames(["a b"]), "request.invalidHeader"),
                (.invalidHeaderFieldValues(["a\u{0}b"]), "request.invalidHeader"),
                (.bodyLengthMismatch, "request.bodyLength"),
                (.writeAfterRequestSent, "request.bodyLength"),
                (.shutdownUnsupported, "transport.system"),
                (.invalidRedirectConfiguration, "transport.system"),
                (.invalidHTTPVersionConfiguration, "transport.system"),
                (.invalidDNSOverridesConfiguration, "transport.system"),
                (.invalidLocalAddress, "transport.system"),
                (.invalidProxyConfiguration, "transport.system"),
                (.internalStateFailure(), "transport.unknown"),
            ])
        func library(error: HTTPClientError, code: String) {
            #expect(self.code(of: error) == code)
        }

        @Test(
            "gives each error of the system a code of Backstop",
            arguments: [
                (ECONNREFUSED, "transport.refused"), (ECONNRESET, "transport.lost"), (ECONNABORTED, "transport.lost"),
                (EPIPE, "transport.lost"), (ENOTCONN, "transport.lost"), (ETIMEDOUT, "timeout.attempt"),
                (EHOSTUNREACH, "transport.unreachable"), (ENETUNREACH, "transport.unreachable"),
                (ENETDOWN, "transport.offline"), (EADDRNOTAVAIL, "transport.unreachable"),
                (EACCES, "transport.notAllowed"), (EPERM, "transport.notAllowed"), (EMFILE, "transport.system"),
                (ENFILE, "transport.system"), (ENOBUFS, "transport.system"), (EILSEQ, "transport.unknown"),
            ])
        func system(number: CInt, code: String) {
            #expect(self.code(of: IOError(errnoCode: number, reason: "connect")) == code)
        }

        @Test("tells a response that was cut from a connection that gave none")
        func parser() {
            #expect(code(of: HTTPParserError.invalidEOFState) == "transport.lost")
            #expect(code(of: HTTPParserError.invalidEOFState, hasHead: true) == "transport.truncated")
            #expect(code(of: HTTPParserError.headerOverflow) == "transport.tooLarge")
            #expect(code(of: HTTPParserError.invalidStatus) == "transport.badResponse")
            #expect(code(of: NIOSSLError.uncleanShutdown) == "transport.lost")
            #expect(code(of: NIOSSLError.uncleanShutdown, hasHead: true) == "transport.truncated")
        }

        @Test("reads the rest of what TLS, sockets and names report")
        func others() {
            #expect(code(of: NIOSSLExtraError.failedToValidateHostname) == "transport.certificate")
            #expect(code(of: NIOSSLExtraError.cannotUseIPAddressInSNI) == "transport.tls")
            #expect(code(of: NIOSSLError.failedToLoadPrivateKey) == "transport.system")
            #expect(code(of: NIOSSLError.noCertificateToValidate) == "transport.certificate")
            #expect(code(of: NIOSSLError.handshakeFailed(.wantAccept)) == "transport.tls")
            #expect(code(of: ChannelError.connectTimeout(.seconds(1))) == "timeout.attempt")
            #expect(code(of: ChannelError.ioOnClosedChannel) == "transport.lost")
            #expect(code(of: SocketAddressError.unsupported) == "transport.unreachable")
            #expect(code(of: CocoaError(.fileNoSuchFile)) == "transport.unknown")
        }

        @Test("takes the last reason of several addresses, because all of them were tried")
        func addresses() {
            let reasons: [any Error] = [
                IOError(errnoCode: ENETUNREACH, reason: "connect"), IOError(errnoCode: ECONNREFUSED, reason: "connect"),
            ]
            #expect(ClientErrorTable.meaning(ofAll: reasons, hasHead: false) == .transport(.refused, .connecting))
            #expect(ClientErrorTable.meaning(ofAll: [], hasHead: false) == .transport(.dns, .connecting))
        }

        @Test("tells a kept connection that ended before the request from one that ended under it")
        func kept() {
            let unsent = ClientErrorTable.meaning(of: KeptConnectionEnded(isSent: false), hasHead: false)
            #expect(unsent == .transport(.lost, .connecting))
            #expect(code(of: KeptConnectionEnded(isSent: true)) == "transport.lost")
            let known = ClientErrorTable.error(
                for: KeptConnectionEnded(isSent: false), after: ClientProgress(), limit: 1, route: ClientRoute())
            #expect((known as? TransportError)?.phase == .connecting)
            let report = Failure(known, progress: TransferProgress(.connecting)).report
            #expect(report.contains("before anything was sent"), "\(report)")
            #expect(!report.contains("while connecting"), "\(report)")
        }

        @Test(
            "a stream that the server ends is lost, also with a code that is unknown, and one with too few bytes is cut"
        )
        func streams() {
            let codes = [
                HTTP2ErrorCode.noError, .cancel, HTTP2ErrorCode(networkCode: 14), .protocolError, .http11Required,
            ]
            #expect(
                codes.map { self.code(of: NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: $0)) } == [
                    "transport.lost", "transport.lost", "transport.lost", "transport.badResponse",
                    "transport.badResponse",
                ])
            #expect(self.code(of: NIOHTTP2Errors.contentLengthViolated()) == "transport.truncated")
        }

        @Test("says it in words")
        func words() {
            #expect(
                ClientErrorText.text(of: IOError(errnoCode: ECONNREFUSED, reason: "connection reset (error set)"))
                    == "Connection refused (errno: \(ECONNREFUSED))")
            #expect(ClientErrorText.text(of: NIOSSLExtraError.failedToValidateHostname).contains("another host name"))
            #expect(ClientErrorText.text(of: HTTPParserError.invalidVersion) == "invalid HTTP version")
            #expect(ClientErrorText.text(of: NIOHTTP2Errors.streamIDTooSmall()) == "HTTP/2: stream id too small")
            #expect(
                ClientErrorText.text(of: NIOHTTP2Errors.excessiveRSTFrames()) == "HTTP/2: excessive rst frames")
        }

        @Test("hardened settings without TLS settings get TLS 1.2 or later, and keep those they have")
        func hardenedTLS() {
            func minimum(_ tls: TLSConfiguration?) -> TLSVersion? {
                AsyncHTTPClientTransport.hardened(HTTPClient.Configuration(tlsConfiguration: tls)).tlsConfiguration?
                    .minimumTLSVersion
            }
            var own = TLSConfiguration.makeClientConfiguration()
            own.minimumTLSVersion = .tlsv13
            #expect(minimum(nil) == .tlsv12)
            #expect(minimum(own) == .tlsv13)
        }

        @Test("keeps the phase of the exchange, the text of the system without secrets, and the error itself")
        func details() throws {
            var progress = ClientProgress()
            progress.phase = .sending
            let known = ClientErrorTable.error(
                for: IOError(errnoCode: EPIPE, reason: "write token=hunter2"), after: progress, limit: 1,
                route: ClientRoute())
            let error = try #require(known as? TransportError)
            #expect(error.phase == .sending)
            #expect(error.underlying is IOError)
            #expect(error.detail.contains("errno: \(EPIPE)"))
            #expect(!error.detail.contains("hunter2"))
        }

        @Test(
            "explains a connection that was lost by a client certificate only where that is plausible",
            arguments: [
                (
                    ClientRoute(asksForCertificate: true), "transport.clientCertificate",
                    "asked for a client certificate"
                ),
                (ClientRoute(asksForCertificate: nil), "transport.lost", "may also require a client certificate"),
                (ClientRoute(asksForCertificate: false), "transport.lost", ""),
                (ClientRoute(asksForCertificate: nil, isSecure: false), "transport.lost", ""),
                (ClientRoute(asksForCertificate: nil, usesProxy: true), "transport.lost", "through the proxy"),
            ])
        func lost(route: ClientRoute, code: String, words: String) throws {
            let known = ClientErrorTable.error(
                for: HTTPClientError.remoteConnectionClosed, after: ClientProgress(), limit: 1, route: route)
            let error = try #require(known as? TransportError)
            #expect(Failure.Reason(classifying: error).code == code)
            #expect(error.detail.contains("certificate") == words.contains("certificate"), "\(error.detail)")
            #expect(words.isEmpty || error.detail.contains(words), "\(error.detail)")
            // Once something was sent, there was a connection.
            var progress = ClientProgress()
            progress.phase = .waiting
            let later = ClientErrorTable.error(
                for: HTTPClientError.remoteConnectionClosed, after: progress, limit: 1, route: route)
            #expect((later as? TransportError)?.detail == "Remote connection closed")
        }

        @Test(
            "names the setting behind each limit of the library",
            arguments: [
                (HTTPClientError.readTimeout, "raise the read timeout of the HTTPClient's configuration"),
                (.writeTimeout, "raise the write timeout of the HTTPClient's configuration"),
                (.httpProxyHandshakeTimeout, "Check the transport's proxy setting"),
                (.socksHandshakeTimeout, "Check the transport's proxy setting"),
            ])
        func limits(error: HTTPClientError, words: String) {
            var progress = ClientProgress()
            progress.phase = .waiting
            let known = ClientErrorTable.error(for: error, after: progress, limit: 1, route: ClientRoute())
            let report = Failure(known, progress: TransferProgress(.waiting)).report
            #expect(report.contains(words), "\(report)")
            #expect(!report.contains("AttemptTimeout"), "\(report)")
        }

        private func code(of error: any Error, hasHead: Bool = false) -> String {
            var progress = ClientProgress()
            progress.phase = .waiting
            if hasHead {
                progress.head = HTTPResponseHead(version: .http1_1, status: .ok)
            }
            let known = ClientErrorTable.error(for: error, after: progress, limit: 1, route: ClientRoute())
            return Failure.Reason(classifying: known).code
        }
    }
#endif
