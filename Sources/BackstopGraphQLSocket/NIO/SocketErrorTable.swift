#if AsyncHTTPClient && !canImport(Darwin)
    internal import Backstop
    internal import BackstopCore
    internal import Foundation
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOPosix
    internal import NIOSSL

    #if canImport(Musl)
        internal import Musl
    #elseif canImport(Android)
        internal import Android
    #else
        internal import Glibc
    #endif

    /// Turns an error of SwiftNIO's into one of Backstop's.
    enum SocketErrorTable {
        /// The error of a connection that could not be opened; for one that was open, it is lost whatever the code.
        static func error(for error: any Error) -> TransportError {
            if let error = error as? TransportError {
                return error
            }
            return TransportError(code(of: error), phase: .connecting, detail: text(of: error), underlying: error)
        }

        private static func code(of error: any Error) -> TransportError.Code {
            switch error {
            // All addresses were tried, so the last reason counts.
            case let error as NIOConnectionError: error.connectionErrors.last.map { code(of: $0.error) } ?? .dns
            case is SocketAddressError.UnknownHost: .dns  // the name has no address
            case is NIOCore.SocketAddressError: .unreachable  // no address that this system can use
            case let error as IOError: systemErrors.first { $0.number == error.errnoCode }?.code ?? .unknown
            case is ChannelError: .lost  // it has ended
            case let error as NIOSSLError: code(of: error)
            case let error as BoringSSLError: code(ofTLS: String(describing: error))
            case is NIOSSLExtraError: .certificate  // for another host
            case is NIOSSLCloseTimedOutError: .lost  // the end of TLS took too long
            case let error as HTTPParserError: code(of: error)
            case is EventLoopError: .system  // the event loops were shut down
            default: .unknown
            }
        }

        private static func code(of error: HTTPParserError) -> TransportError.Code {
            switch error {
            case .invalidEOFState, .closedConnection: .lost  // closed in the middle
            case .headerOverflow: .tooLarge  // 80 KB in one field
            default: .badResponse  // not HTTP
            }
        }

        private static func code(of error: NIOSSLError) -> TransportError.Code {
            switch error {
            case .handshakeFailed(let cause): code(ofTLS: String(describing: cause))
            case .uncleanShutdown, .shutdownFailed, .writeDuringTLSShutdown, .readInInvalidTLSState: .lost  // it ended
            case .noCertificateToValidate, .unableToValidateCertificate, .cannotMatchULabel, .cannotFindPeerIP:
                .certificate  // the server has none, or one for another host
            case .noSuchFilesystemObject, .failedToLoadCertificate, .failedToLoadPrivateKey:
                .system  // the files of the settings
            default: .tls  // anything else of TLS
            }
        }

        /// BoringSSL says why only in its text.
        private static func code(ofTLS text: String) -> TransportError.Code {
            tlsTexts.first { text.contains($0.part) }?.code ?? .tls
        }

        /// Parts of its texts; the first match counts.
        private static let tlsTexts: [(part: String, code: TransportError.Code)] = [
            ("EOF during", .lost),  // closed while TLS began
            ("CERTIFICATE_VERIFY_FAILED", .certificate),  // expired, unknown issuer
            ("ALERT_CERTIFICATE", .clientCertificate),  // one is required, or the server does not like ours
            ("ALERT_BAD_CERTIFICATE", .clientCertificate),  // the server does not like ours
            ("ALERT_UNSUPPORTED_CERTIFICATE", .clientCertificate),  // of the wrong kind
            ("ALERT_UNKNOWN_CA", .clientCertificate),  // the server does not trust our issuer
            ("ALERT_ACCESS_DENIED", .clientCertificate),  // valid, but not for this
        ]

        /// What the system's calls report.
        private static let systemErrors: [(number: CInt, code: TransportError.Code)] = [
            (ECONNREFUSED, .refused),  // nothing listens there
            (ECONNRESET, .lost),  // the other side gave up
            (ECONNABORTED, .lost),  // this side gave up
            (EPIPE, .lost),  // closed while something was sent
            (ENOTCONN, .lost),  // closed before
            (ESHUTDOWN, .lost),  // closed before
            (ETIMEDOUT, .unreachable),  // the system has given up asking
            (EHOSTUNREACH, .unreachable),  // no route to the host
            (EHOSTDOWN, .unreachable),  // the next hop does not answer
            (ENETUNREACH, .unreachable),  // no route to the network
            (ENETRESET, .lost),  // the route was lost
            (ENETDOWN, .offline),  // the interface is down
            (EADDRNOTAVAIL, .unreachable),  // no address, or no free port, to connect from
            (EAFNOSUPPORT, .unreachable),  // no IPv6 on this machine
            (EINVAL, .unreachable),  // no address that one can connect to
            (EACCES, .notAllowed),  // a firewall of this machine
            (EPERM, .notAllowed),  // a firewall of this machine
            (EMFILE, .system),  // this process has too many files and sockets open
            (ENFILE, .system),  // this machine has
            (ENOBUFS, .system),  // the system has no memory for sockets
            (ENOMEM, .system),  // the system has no memory
        ]

        /// What the error says, secrets removed.
        private static func text(of error: any Error) -> String {
            Redaction.standard.body(words(of: error), contentType: "text/plain")
        }

        /// The same, without the names of types.
        private static func words(of error: any Error) -> String {
            switch error {
            case let error as NIOConnectionError:
                error.connectionErrors.last.map { words(of: $0.error) } ?? "The host name has no address"
            case is SocketAddressError.UnknownHost: "The host name has no address"
            case let error as IOError:
                "\(strerror(error.errnoCode).map { String(cString: $0) } ?? "System error") "
                    + "(errno: \(error.errnoCode))"
            case is NIOSSLExtraError: "The certificate is for another host name"
            case let error as NIOSSLError: tls(error)
            case let error as BoringSSLError: tls(error)
            case is ChannelError: "The connection had ended"
            case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection:
                "The server closed the connection in the middle of its answer"
            case HTTPParserError.headerOverflow: "The head of the server's answer is too long"
            case is HTTPParserError: "The server's answer is not HTTP"
            default: String(describing: error)
            }
        }

        /// The reasons that BoringSSL gives among codes and lines, such as `CERTIFICATE_VERIFY_FAILED`.
        private static func tls(_ error: any Error) -> String {
            let text = String(describing: error)
            if text.contains("EOF during") {
                return "The server closed the connection while TLS began"
            }
            let reasons = text.components(separatedBy: "OPENSSL_internal:").dropFirst().map { part in
                part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }.lowercased().replacing("_", with: " ")
            }
            return reasons.isEmpty ? "TLS failed" : "TLS: " + reasons.joined(separator: ", ")
        }
    }
#endif
