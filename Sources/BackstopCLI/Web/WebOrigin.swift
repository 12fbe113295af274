#if Demo
    internal import BackstopFaultServer
    internal import Foundation

    /// Keeps the pages of `backstop serve` and `proxy` to the browser of the person who started it.
    ///
    /// A page of another origin must not make calls here. It could reach a server on 127.0.0.1 under a name of its own
    /// that resolves to it (DNS rebinding), so only the server's own names count in `Host`; and it could send a request
    /// that needs no permission, so `Origin` and `Sec-Fetch-Site` are looked at, which browsers set and pages cannot.
    enum WebOrigin {
        /// - Parameters:
        ///   - isPage: Whether the response is a page, which a link of any other page may lead to.
        ///   - takesAddresses: Whether any address in `Host` counts as the server's own.
        static func check(
            _ call: FaultServer.Mount.Call, isPage: Bool, takesAddresses: Bool = false
        ) throws(WebRefusal) {
            let request = call.request
            let hosts = request.values(of: "Host").map { $0.lowercased() }
            let names = names(of: call.url) + hosts.prefix { takesAddresses && isAddress($0) }
            guard request.target.hasPrefix("/"), hosts.count == 1, names.contains(hosts[0]) else {
                throw WebRefusal(
                    status: 421, reason: "This server answers to its own names only: \(names.joined(separator: ", "))")
            }
            for origin in request.values(of: "Origin") {
                guard names.contains(where: { origin.lowercased() == "http://\($0)" }) else {
                    throw foreign
                }
            }
            let sites = request.values(of: "Sec-Fetch-Site")
            guard sites.allSatisfy({ ["same-origin", "none"].contains($0) }) || isPage && isNavigation(request) else {
                throw foreign
            }
        }

        /// Whether a value of `Host` is an address, or `localhost`, with any port: no name that a stranger could make lead
        /// here. Emulators and forwarded ports have others than the server's own.
        static func isAddress(_ host: String) -> Bool {
            host.wholeMatch(of: #/(localhost|[0-9]{1,3}(\.[0-9]{1,3}){3})(:[0-9]{1,5})?/#) != nil
        }

        private static let foreign = WebRefusal(
            status: 403, reason: "Pages of another origin cannot use this server")

        /// The values that `Host` may have.
        private static func names(of url: URL) -> [String] {
            let hosts = ["127.0.0.1", "localhost"]
            guard let port = url.port else {
                return hosts
            }
            return hosts.map { "\($0):\(port)" } + (port == 80 ? hosts : [])
        }

        /// Whether somebody followed a link, in a window of its own.
        private static func isNavigation(_ request: RecordedRequest) -> Bool {
            request.method == "GET" && request.values(of: "Sec-Fetch-Mode") == ["navigate"]
                && request.values(of: "Sec-Fetch-Dest") == ["document"]
        }
    }
#endif
