#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import Foundation
    internal import NIOCore
    internal import NIOHTTP2
    internal import NIOHTTPCompression
    internal import NIOPosix
    internal import NIOSSL

    #if canImport(Darwin)
        internal import Darwin
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Android)
        internal import Android
    #else
        internal import Glibc
    #endif

    /// What an error of async-http-client, SwiftNIO and what they are built on says, without the names of their types,
    /// files and lines.
    enum ClientErrorText {
        static func text(of error: any Error) -> String {
            switch error {
            case let error as HTTPClientError: library(error)
            case let error as KeptConnectionEnded:
                error.isSent
                    ? "The kept connection ended before it brought an answer"
                    : "The kept connection had ended, and nothing was sent"
            case ChannelError.ioOnClosedChannel: "The connection had ended before the request could be sent"
            // All addresses were tried, so the last reason counts.
            case let error as NIOConnectionError:
                error.connectionErrors.last.map { text(of: $0.error) } ?? "The host name has no address"
            case is SocketAddressError.UnknownHost: "The host name has no address"
            case let error as IOError: system(error.errnoCode)
            case let error as NIOSSLExtraError where isOfHost(error): "The certificate is for another host name"
            case let error as NIOSSLError: tls(error)
            case let error as BoringSSLError: tls(error)
            case let error as NIOHTTP2Errors.StreamError: text(of: error.baseError)
            case let error as NIOHTTP2Errors.StreamClosed:
                "The stream was closed with the HTTP/2 code \(error.errorCode.networkCode)"
            case is any NIOHTTP2Error: "HTTP/2: \(words(String(describing: type(of: error))))"
            case let error as NIOHTTPDecompression.ExtraDecompressionError:
                error == .truncatedData
                    ? "The compressed content ended too early"
                    : "There are bytes behind the end of the compressed content"
            case is NIOHTTPDecompression.DecompressionError:
                "The content is not in the encoding that Content-Encoding says"
            default: words(String(describing: error))
            }
        }

        private static func library(_ error: HTTPClientError) -> String {
            switch error {
            case .alreadyShutdown: "Already shutdown: the app has shut its HTTPClient down"
            case .cancelled: "Cancelled, as when the app shuts its HTTPClient down"
            default: error.shortDescription
            }
        }

        private static func isOfHost(_ error: NIOSSLExtraError) -> Bool {
            error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch
        }

        private static func system(_ code: CInt) -> String {
            let text = strerror(code).map { String(cString: $0) } ?? "System error"
            return "\(text) (errno: \(code))"
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
            guard reasons.isEmpty else {
                return "TLS: " + reasons.joined(separator: ", ")
            }
            return "TLS: " + words(text.prefix { $0 != "(" }.split(separator: ".").last.map(String.init) ?? text)
        }

        /// The words of a name, such as `invalidVersion` or `StreamIDTooSmall`; any other text unchanged.
        private static func words(_ name: String) -> String {
            guard name.allSatisfy({ $0.isLetter || $0.isNumber }) else {
                return name
            }
            let letters = Array(name)
            var words = ""
            for (index, letter) in letters.enumerated() {
                let startsWord =
                    index > 0 && letters[index - 1].isLowercase
                    || index + 1 < letters.count && letters[index + 1].isLowercase
                if index > 0, letter.isUppercase, startsWord {
                    words += " "
                }
                words += letter.lowercased()
            }
            return words
        }
    }
#endif
