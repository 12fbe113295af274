#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import BackstopCore
    internal import NIOCore
    internal import NIOSSL

    /// Notes which servers asked for a client certificate while TLS began.
    ///
    /// With TLS 1.3, a server says only after the handshake that it requires another certificate, or one at all. Over
    /// HTTP/2, the library drops that alert and reports a lost connection. So a connection that is lost before its first
    /// request, to a server that has asked, is taken for such an alert, until that server answers a request: many ask
    /// and do not insist.
    final class CertificateRequests: Sendable {
        /// How many servers are noted: redirects lead to any number of them.
        private static let capacity = 256

        /// Whether each server that asked has answered since, by its name in TLS; guarded by the lock.
        private let servers = Lock<[String: Bool]>([:])

        /// Adds the note to the TLS settings of a client; a callback of the app is called as well.
        func install(in configuration: inout HTTPClient.Configuration) {
            var tls = configuration.tlsConfiguration ?? AsyncHTTPClientTransport.standardTLS
            let own = tls.sslContextCallback
            // BoringSSL calls it on a client when the server asks for a certificate, and not otherwise.
            tls.sslContextCallback = { [self] values, promise in
                note(values.serverHostname)
                if let own {
                    own(values, promise)
                } else {
                    promise.succeed(.noChanges)
                }
            }
            configuration.tlsConfiguration = tls
        }

        /// A server has asked.
        ///
        /// - Parameter name: Its name in TLS; nil for an address.
        func note(_ name: String?) {
            let name = name?.lowercased() ?? Self.address
            servers.withLock { servers in
                guard servers[name] == nil else {
                    return
                }
                if servers.count == Self.capacity {
                    servers.removeAll()
                }
                servers[name] = false
            }
        }

        /// A server has answered a request.
        func answered(_ host: @autoclosure () -> String?) {
            // Most servers do not ask.
            guard servers.withLock({ $0.values.contains(false) }) else {
                return
            }
            let name = host()?.lowercased() ?? Self.address
            servers.withLock { servers in
                if servers[name] == false {
                    servers[name] = true
                }
            }
        }

        /// Whether a server has asked, and answered nothing since; nil for an address, if any has asked.
        func isUnanswered(_ host: String?) -> Bool? {
            let name = host?.lowercased() ?? Self.address
            let isAddress = name.contains(":") || (try? SocketAddress(ipAddress: name, port: 0)) != nil
            return servers.withLock { isAddress && $0[Self.address] != nil ? nil : $0[name] == false }
        }

        /// What stands for all addresses: TLS does not carry them.
        private static let address = ""
    }
#endif
