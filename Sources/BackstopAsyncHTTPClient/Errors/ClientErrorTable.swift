#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import Backstop
    internal import BackstopCore
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOHTTP2
    internal import NIOHTTPCompression
    internal import NIOPosix
    internal import NIOSSL

    #if canImport(Network)
        internal import Darwin
        internal import Network
    #endif

    /// Turns an error of async-http-client, SwiftNIO and what they are built on into one of Backstop's.
    enum ClientErrorTable {
        /// What an error means.
        enum Meaning: Equatable {
            case timeout(TimeoutError.Kind)
            case request(RequestError.Code)
            /// The phase is that of the exchange, unless one is given.
            case transport(TransportError.Code, TransportError.Phase?)

            static func transport(_ code: TransportError.Code) -> Meaning {
                .transport(code, nil)
            }
        }

        /// The error of Backstop's.
        ///
        /// - Parameters:
        ///   - limit: How many bytes a response may have.
        ///   - route: The way to the server.
        static func error(
            for error: any Error, after progress: ClientProgress, limit: Int, route: ClientRoute
        ) -> any Error {
            if error is TransportError || error is TimeoutError || error is RequestError || error is CancellationError {
                return error
            }
            if let error = error as? NIOHTTPDecompression.DecompressionError, error == .limit {
                return tooLarge(limit: limit, received: progress.bytesReceived)
            }
            switch meaning(of: error, hasHead: progress.head != nil) {
            case .timeout(let kind):
                let waitsForProxy = route.usesProxy && progress.phase == .connecting && kind == .attempt
                return TimeoutError(waitsForProxy ? .proxyAnswer : kind)
            case .request(let code):
                return RequestError(code, text(of: error), underlying: error)
            case .transport(let code, let phase):
                let phase = phase ?? progress.phase
                let (shown, detail) = route.explained(code, text(of: error), phase)
                return TransportError(
                    shown, phase: phase, detail: detail,
                    bytesReceived: progress.head == nil ? nil : progress.bytesReceived, underlying: error)
            }
        }

        static func tooLarge(limit: Int, received: Int64) -> TransportError {
            TransportError(
                .tooLarge, phase: .receiving, detail: "The response has more than the \(limit) bytes accepted",
                bytesReceived: received)
        }

        /// The system's message, secrets removed.
        static func text(of error: any Error) -> String {
            Redaction.standard.body(ClientErrorText.text(of: error), contentType: "text/plain")
        }

        /// - Parameter hasHead: Whether the head of a response had arrived.
        static func meaning(of error: any Error, hasHead: Bool) -> Meaning {
            switch error {
            case let error as HTTPClientError: meaning(of: error)
            // A host with several addresses: the last reason counts, because all of them were tried.
            case let error as NIOConnectionError: meaning(ofAll: error.connectionErrors.map(\.error), hasHead: hasHead)
            case let error as IOError: meaning(ofErrno: error.errnoCode)
            case let error as ChannelError: meaning(of: error)
            case let error as HTTPParserError: meaning(of: error, hasHead: hasHead)
            // At most a part of the request was sent on a connection that the server was done with.
            case let error as KeptConnectionEnded: error.isSent ? .transport(.lost) : .transport(.lost, .connecting)
            case is NIOHTTPDecoderError: .transport(.lost)  // an answer to nothing: the server gave the connection up
            case let error as NIOSSLError: meaning(of: error, hasHead: hasHead)
            case let error as BoringSSLError: meaning(ofTLS: String(describing: error))
            case let error as NIOSSLExtraError: meaning(of: error)
            case is NIOSSLCloseTimedOutError: .transport(.lost)  // the end of TLS took too long
            case is SocketAddressError.UnknownHost: .transport(.dns, .connecting)  // the name has no address
            case is SocketAddressError: .transport(.unreachable, .connecting)  // no address that this system can use
            case let error as NIOHTTP2Errors.StreamError: meaning(of: error.baseError, hasHead: hasHead)
            case let error as NIOHTTP2Errors.StreamClosed: meaning(of: error)
            case is NIOHTTP2Errors.ContentLengthViolated: .transport(.truncated, .receiving)  // or longer
            case is NIOHTTP2Errors.IOOnClosedConnection: .transport(.lost)  // closed under the stream
            case is NIOHTTP2Errors.NoSuchStream: .transport(.lost)  // the server ended it before
            case is NIOHTTP2Errors.CreatedStreamAfterGoaway: .transport(.lost)  // it was about to close
            case is NIOHTTP2Errors.NoStreamIDAvailable: .transport(.lost)  // a connection has 2^30 streams
            case is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock: .transport(.tooLarge, .receiving)  // 16 KB of fields
            case is any NIOHTTP2Error: .transport(.badResponse, .receiving)  // the server broke a rule of HTTP/2
            case is NIOHTTPDecompression.DecompressionError: .transport(.badResponse, .receiving)  // not gzip, deflate
            case let error as NIOHTTPDecompression.ExtraDecompressionError:
                .transport(error == .truncatedData ? .truncated : .badResponse, .receiving)  // or more than its end
            case is EventLoopError: .transport(.system)  // the event loops were shut down
            #if canImport(Network)
                // From a client of the app.
                case let error as HTTPClient.NWPOSIXError: meaning(ofErrno: error.errorCode.rawValue)
                case NWError.posix(let code): meaning(ofErrno: code.rawValue)
                case is HTTPClient.NWTLSError, NWError.tls: .transport(.tls, .connecting)
                case NWError.dns: .transport(.dns, .connecting)
            #endif
            default:
                hiddenTypes.first { String(reflecting: type(of: error)).contains($0.part) }?.meaning
                    ?? .transport(.unknown)
            }
        }

        /// Parts of their names; the first match counts.
        private static let hiddenTypes: [(part: String, meaning: Meaning)] = [
            ("NoResult", .transport(.lost, .connecting)),  // closed before TLS or the proxy's tunnel was there
            ("SOCKSError.ConnectionFailed", .transport(.unreachable, .connecting)),  // the proxy could not connect
            ("SOCKSError.NoValidAuthenticationMethod", .transport(.notAllowed, .connecting)),  // it wants credentials
            ("SOCKSError", .transport(.badResponse, .connecting)),  // the proxy does not speak SOCKS 5
        ]

        private static func meaning(of error: HTTPClientError) -> Meaning {
            clientErrors.first { $0.error.shortDescription == error.shortDescription }?.meaning ?? .transport(.unknown)
        }

        /// What the library itself reports.
        static let clientErrors: [(error: HTTPClientError, meaning: Meaning)] = [
            (.invalidURL, .request(.invalidURL)),  // it could not be read as a URL
            (.emptyHost, .request(.invalidURL)),  // nowhere to connect to
            (.missingSocketPath, .request(.invalidURL)),  // a socket without a path
            (.emptyScheme, .request(.invalidURL)),  // neither http nor https
            (.unsupportedScheme(""), .request(.invalidURL)),  // neither http nor https
            (.alreadyShutdown, .transport(.system, .connecting)),  // the app has shut its client down
            (.readTimeout, .timeout(.ofClient("read"))),  // the app's client waited for a byte
            (.writeTimeout, .timeout(.ofClient("write"))),  // the same while sending
            (.connectTimeout, .timeout(.connect)),  // nobody answered at all
            (.socksHandshakeTimeout, .timeout(.proxyAnswer)),  // the proxy did not answer
            (.httpProxyHandshakeTimeout, .timeout(.proxyAnswer)),  // the proxy did not answer
            (.tlsHandshakeTimeout, .timeout(.connect)),  // there was a connection, but no TLS
            (.deadlineExceeded, .timeout(.attempt)),  // only with a deadline of the library, which is never set here
            (.getConnectionFromPoolTimeout, .timeout(.connection)),  // other calls used all connections of the pool
            (.remoteConnectionClosed, .transport(.lost)),  // there was a connection, and it ended
            (.cancelled, .transport(.lost)),  // not by the caller: the connection, or the app's client, is ending
            (.requestStreamCancelled, .transport(.lost)),  // answered before the request was complete
            (.uncleanShutdown, .transport(.truncated, .receiving)),  // TLS ended without its farewell
            (.invalidProxyResponse, .transport(.unreachable, .connecting)),  // it makes no connection to the host
            (.proxyAuthenticationRequired, .transport(.notAllowed, .connecting)),  // it wants other credentials
            (.redirectLimitReached, .transport(.redirects, .receiving)),  // the library's own; not used here
            (.redirectCycleDetected, .transport(.redirects, .receiving)),  // the library's own; not used here
            (.serverOfferedUnsupportedApplicationProtocol(""), .transport(.tls, .connecting)),  // neither h2 nor 1.1
            (.identityCodingIncorrectlyPresent, .request(.invalid)),  // a transfer coding that is none
            (.contentLengthMissing, .request(.invalid)),  // a body without framing
            (.traceRequestWithBody, .request(.invalid)),  // TRACE has no content (RFC 9110, 9.3.8)
            (.invalidHeaderFieldNames([]), .request(.invalidHeader)),  // not a token
            (.invalidHeaderFieldValues([]), .request(.invalidHeader)),  // a control character
            (.bodyLengthMismatch, .request(.bodyLength)),  // the body is longer or shorter than announced
            (.writeAfterRequestSent, .request(.bodyLength)),  // the body goes on after its end
            (.shutdownUnsupported, .transport(.system)),  // the settings of the app's client
            (.invalidRedirectConfiguration, .transport(.system)),  // the settings of the app's client
            (.invalidHTTPVersionConfiguration, .transport(.system)),  // the settings of the app's client
            (.invalidDNSOverridesConfiguration, .transport(.system)),  // the settings of the app's client
            (.invalidLocalAddress, .transport(.system, .connecting)),  // the address to connect from is not one
            (.invalidProxyConfiguration, .transport(.system, .connecting)),  // the settings of the app's client
            (.internalStateFailure(), .transport(.unknown)),  // a defect of the library
        ]

        static func meaning(ofAll reasons: [any Error], hasHead: Bool) -> Meaning {
            reasons.last.map { meaning(of: $0, hasHead: hasHead) }
                ?? .transport(.dns, .connecting)  // there was no address to try
        }

        private static func meaning(of error: ChannelError) -> Meaning {
            switch error {
            case .connectTimeout: .timeout(.connect)  // nobody answered at all
            case .ioOnClosedChannel, .alreadyClosed, .outputClosed, .inputClosed, .eof: .transport(.lost)  // it ended
            case .writeHostUnreachable: .transport(.unreachable)  // no route
            case .unknownLocalAddress: .transport(.system, .connecting)  // the address to connect from
            default: .transport(.unknown)  // those of datagrams, and defects
            }
        }

        private static func meaning(of error: HTTPParserError, hasHead: Bool) -> Meaning {
            switch error {
            case .invalidEOFState, .closedConnection:
                hasHead ? .transport(.truncated, .receiving) : .transport(.lost, .waiting)  // closed in the middle
            case .headerOverflow: .transport(.tooLarge, .receiving)  // 256 fields, 80 KB in one, or 2 MB in all
            default: .transport(.badResponse, .receiving)  // not HTTP
            }
        }

        private static func meaning(of error: NIOSSLError, hasHead: Bool) -> Meaning {
            switch error {
            case .uncleanShutdown: hasHead ? .transport(.truncated, .receiving) : .transport(.lost)  // no farewell
            case .handshakeFailed(let cause): meaning(ofTLS: String(describing: cause))
            case .shutdownFailed, .writeDuringTLSShutdown, .readInInvalidTLSState: .transport(.lost)  // already closing
            case .noCertificateToValidate, .unableToValidateCertificate, .cannotMatchULabel, .cannotFindPeerIP:
                .transport(.certificate, .connecting)  // the server has none, or one for another host
            case .noSuchFilesystemObject, .failedToLoadCertificate, .failedToLoadPrivateKey:
                .transport(.system, .connecting)  // the files of the configuration
            default: .transport(.tls, .connecting)  // anything else of TLS
            }
        }

        private static func meaning(of error: NIOSSLExtraError) -> Meaning {
            switch error {
            case .failedToValidateHostname, .serverHostnameImpossibleToMatch:
                .transport(.certificate, .connecting)  // a certificate for another host
            default: .transport(.tls, .connecting)  // a name that TLS cannot send, a key of an unknown kind
            }
        }

        private static func meaning(of error: NIOHTTP2Errors.StreamClosed) -> Meaning {
            switch error.errorCode {
            case .noError, .cancel, .refusedStream, .internalError, .enhanceYourCalm, .streamClosed:
                .transport(.lost)  // the server gave the stream up
            case let code where code.networkCode > HTTP2ErrorCode.http11Required.networkCode:
                .transport(.lost)  // the same as an internal error (RFC 9113, 7)
            default: .transport(.badResponse)  // the two do not understand each other
            }
        }

        /// BoringSSL says why only in its text.
        private static func meaning(ofTLS text: String) -> Meaning {
            tlsTexts.first { text.contains($0.part) }?.meaning ?? .transport(.tls, .connecting)
        }

        /// Parts of its texts; the first match counts.
        private static let tlsTexts: [(part: String, meaning: Meaning)] = [
            ("EOF during", .transport(.lost, .connecting)),  // closed while TLS began
            ("CERTIFICATE_VERIFY_FAILED", .transport(.certificate, .connecting)),  // expired, unknown issuer
            ("ALERT_CERTIFICATE_REQUIRED", .transport(.clientCertificate, .connecting)),  // TLS 1.3, and none was sent
            ("ALERT_BAD_CERTIFICATE", .transport(.clientCertificate, .connecting)),  // the server does not like ours
            ("ALERT_UNSUPPORTED_CERTIFICATE", .transport(.clientCertificate, .connecting)),  // of the wrong kind
            ("ALERT_CERTIFICATE_REVOKED", .transport(.clientCertificate, .connecting)),  // withdrawn
            ("ALERT_CERTIFICATE_EXPIRED", .transport(.clientCertificate, .connecting)),  // ours
            ("ALERT_CERTIFICATE_UNKNOWN", .transport(.clientCertificate, .connecting)),  // any other reason
            ("ALERT_UNKNOWN_CA", .transport(.clientCertificate, .connecting)),  // the server does not trust our issuer
            ("ALERT_ACCESS_DENIED", .transport(.clientCertificate, .connecting)),  // valid, but not for this
        ]

        private static func meaning(ofErrno code: CInt) -> Meaning {
            systemErrors.first { $0.code == code }?.meaning ?? .transport(.unknown)
        }
    }
#endif
