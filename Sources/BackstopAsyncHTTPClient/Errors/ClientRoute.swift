#if AsyncHTTPClient
    internal import BackstopCore

    /// What is known about the way to a server, for the texts of errors.
    struct ClientRoute {
        /// Whether the server has asked for a client certificate and answered no request since; nil when that is
        /// unknown.
        var asksForCertificate: Bool? = false
        /// Whether the URL is one of `https`.
        var isSecure = true
        /// Whether the client's configuration has a proxy.
        var usesProxy = false

        /// The code and the detail of an error on this way.
        func explained(
            _ code: TransportError.Code, _ detail: String, _ phase: TransportError.Phase
        ) -> (TransportError.Code, String) {
            guard phase == .connecting else {
                return (code, detail)
            }
            // Content after the answer to CONNECT ends in an error of the pipeline (RFC 9110, 9.3.6).
            let code = usesProxy && code == .unknown ? .badResponse : code
            if usesProxy, Self.ofProxies.contains(code) {
                return (code, "\(detail), \(TransportError.throughProxy) that is set")
            }
            guard code == .lost, isSecure else {
                return (code, detail)
            }
            // While HTTP/2 begins, the library drops the alert that says why.
            return switch asksForCertificate {
            case true: (.clientCertificate, detail + ", after the server had asked for a client certificate")
            case nil: (code, detail + "; the server may also require a client certificate")
            default: (code, detail)
            }
        }

        /// What may be the proxy's fault, or that of the way to it.
        private static let ofProxies: Set<TransportError.Code> = [
            .dns, .refused, .unreachable, .lost, .badResponse, .notAllowed,
        ]
    }

    extension TimeoutError.Kind {
        /// The client's own limit on the time to connect, TLS included.
        static let connect = library(
            "the connect timeout of the HTTPClient's configuration",
            explanation: "There was no connection within the connect timeout of the HTTPClient's configuration.")

        /// The proxy took too long.
        static let proxyAnswer = library(
            "the connect timeout of the HTTPClient's configuration",
            explanation: "There was no connection through the proxy in time.",
            nextStep: "Check the transport's proxy setting, and that the proxy is running: it did not answer in time.")

        /// A limit of the app's client.
        static func ofClient(_ name: String) -> Self {
            library(
                "the \(name) timeout of the HTTPClient's configuration",
                explanation: "The \(name) timeout of the HTTPClient's configuration was reached.")
        }
    }
#endif
