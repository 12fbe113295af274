extension TransportError {
    /// What went wrong in transit, and everything Backstop knows about it.
    ///
    /// A transport of your own may need another code:
    ///
    /// ```swift
    /// extension TransportError.Code {
    ///     nonisolated static let proxy = Self(
    ///         "proxy", isTransient: false, explanation: "The proxy refused the connection.",
    ///         nextStep: "Check the address and the credentials of the proxy.")
    /// }
    /// ```
    public struct Code: FailureCode {
        let row: CodeRow

        /// The name: `dns` of `transport.dns`.
        public var name: String { row.name }
        /// Whether the cause is transient, so that a retry may help.
        public var isTransient: Bool { row.isTransient }
        /// What happened, as a sentence for developers.
        public var explanation: String { row.explanation }
        /// What a developer can do about it, as a sentence.
        public var nextStep: String { row.nextStep ?? "" }
        /// The usual phase of the exchange when this happens: with most codes, there is no connection yet.
        package let usualPhase: Phase

        private init(
            row name: String, isTransient: Bool, usually usualPhase: Phase = .connecting, leavesDoubt: Bool = false,
            explanation: String, nextStep: String, hints: [CodeRow.Hint] = [], message: MessageTemplate = .transport
        ) {
            row = CodeRow(
                name, isTransient: isTransient, leavesDoubt: leavesDoubt, explanation: explanation, nextStep: nextStep,
                hints: hints, message: message)
            self.usualPhase = usualPhase
        }

        /// Creates a code of your own.
        ///
        /// - Parameters:
        ///   - name: The name, in lower camel case; `failure.code` is `transport.` followed by it. The name of a
        ///     ``builtIn`` code gives that code; the other arguments are then ignored.
        ///   - isTransient: Whether the cause is transient. `Retry` then sends the request again, if that is safe.
        ///   - leavesDoubt: Whether the server may still have done its work. People are then told to check before they
        ///     try again. Default: false.
        ///   - explanation: What happened, as a sentence for developers.
        ///   - nextStep: What a developer can do about it, as a sentence.
        ///   - message: The text for people; its translation keys start with `transport.` and the name. Default: "This
        ///     could not be completed."
        public init(
            _ name: String, isTransient: Bool, leavesDoubt: Bool = false, explanation: String, nextStep: String,
            message: FailureMessage? = nil
        ) {
            let own = Code(
                row: name, isTransient: isTransient, usually: .unknown, leavesDoubt: leavesDoubt,
                explanation: explanation,
                nextStep: nextStep, message: message.map { MessageTemplate("transport.\(name)", $0) } ?? .transport)
            self = Self.builtIn.first { $0 == own } ?? own
        }
    }
}

extension CodeRow.Hint {
    /// A message of a WebSocket was too long.
    fileprivate static let longest = Self(
        words: ["graphql.socket.longest"], explanation: "",
        nextStep: "Raise GraphQL.Socket.longest, or have the server send less at once.")

    /// A server broke a rule of WebSockets, or of what it sends over them or a stream of events.
    fileprivate static let brokenRule = Self(
        words: ["websocket message", "over the socket", "subprotocol", "rfc 6455", "acknowledged the connection"],
        explanation: "What the server sent over the socket breaks the rules.",
        nextStep: "Check that the server speaks graphql-transport-ws at this URL, or graphql-sse for events.")

    /// The exchange ended on the way to the server, and a proxy is set.
    fileprivate static let proxy = Self(
        words: [TransportError.throughProxy, "invalid proxy response", "tunnel failed", "proxy connect aborted"],
        nextStep: "Check the transport's proxy setting, and that the proxy is running, speaks the protocol that is set "
            + "and may connect to the host.")

    /// The app's client cannot be used any more.
    fileprivate static let shutdown = Self(
        words: ["already shutdown", "shuts its httpclient down"],
        nextStep: "Shut the HTTPClient down after its last call, or let the transport make a client of its own.")
}

extension TransportError {
    /// A part of the detail that says that a proxy is set, and the exchange ended before the request could be sent.
    package static let throughProxy = "on the way through the proxy"
}

extension TransportError.Code {
    /// All built-in codes.
    public static let builtIn: [Self] = [
        offline, dns, refused, unreachable, lost, truncated, tls, certificate, clientCertificate, badResponse,
        redirects, redirectRefused, tooLarge, overrun, notAllowed, cellular, expensive, constrained, system, unknown,
    ]

    /// The device has no network connection.
    public static let offline = Self(
        row: "offline", isTransient: true,  // the connection may come back
        explanation: "There is no network connection.",
        nextStep: "Wait for a connection, then call again.",
        message: .offline)

    /// The host name could not be resolved.
    public static let dns = Self(
        row: "dns", isTransient: true,  // resolvers fail briefly; a wrong name costs a few attempts
        explanation: "The host name could not be resolved.",
        nextStep: "Check the host name for typos, and check the DNS resolver.",
        hints: [.proxy],
        message: .unreachable)

    /// The host is reachable, but nothing listens on the port.
    public static let refused = Self(
        row: "refused", isTransient: true,  // a restarting server refuses briefly
        explanation: "The host refused the connection.",
        nextStep: "Check that the server is running and listening on this address and port.",
        hints: [.proxy],
        message: .unreachable)

    /// The host cannot be reached.
    public static let unreachable = Self(
        row: "unreachable", isTransient: true,  // routes change
        explanation: "The host could not be reached.",
        nextStep: "Check the network, VPN and firewall between here and the host.",
        hints: [.proxy],
        message: .unreachable)

    /// The connection was lost before the response was complete.
    public static let lost = Self(
        row: "lost", isTransient: true,  // the next connection may hold
        usually: .waiting, leavesDoubt: true,
        explanation: "The connection was lost before the response was complete.",
        nextStep: "Check the server and any proxy in front of it: something closes connections early.",
        hints: [
            .proxy, .shutdown,
            .init(
                words: ["closed the websocket with the code"],
                nextStep: "Look in the server's log for why it closed the WebSocket."),
            .longest, .brokenRule,
        ],
        message: .lost)

    /// The response ended before its announced length.
    public static let truncated = Self(
        row: "truncated", isTransient: true,  // the next connection may hold
        usually: .receiving, leavesDoubt: true,
        explanation: "The response ended before it was complete.",
        nextStep: "Check the server and any proxy in front of it: something closes connections early.",
        message: .lost)

    /// The secure connection failed for a technical reason: handshake, protocol version.
    public static let tls = Self(
        row: "tls", isTransient: false,  // the versions and settings stay the same
        explanation: "The secure connection could not be established.",
        nextStep: "Check whether the port speaks TLS, which versions both sides accept, and whether the server "
            + "requires a client certificate: with TLS 1.2, a missing one looks like this.",
        message: .security)

    /// The server's certificate is not trusted: expired, wrong name, unknown issuer.
    public static let certificate = Self(
        row: "certificate", isTransient: false,  // a retry does not create trust
        explanation: "The server's certificate is not trusted.",
        nextStep: "Check the certificate's dates, names and issuer.",
        // Only the text says what is wrong with a certificate; not every system has separate codes.
        hints: [
            .init(
                words: ["expired", "-1201"],
                nextStep: "Renew the server's certificate, which has expired; or set this device's clock, if it is "
                    + "wrong."),
            .init(
                words: ["not yet valid", "-1204"],
                nextStep: "Set this device's clock: the certificate is not valid yet."),
            .init(
                words: ["self-signed", "self signed", "-1203", "unable to get local issuer"],
                nextStep: "Use a certificate from an issuer that this system trusts, and send the intermediate ones "
                    + "along."
            ),
            .init(
                words: ["subject name", "hostname", "host name"],
                nextStep: "Use a host name from the server's certificate, or add the name to the "
                    + "certificate."
            ),
        ],
        message: .security)

    /// The server requires a client certificate.
    public static let clientCertificate = Self(
        row: "clientCertificate", isTransient: false,  // one must be chosen first
        explanation: "The server requires a client certificate, or refused the one it received.",
        nextStep: "Give the transport a client certificate that the server accepts.",
        message: .security)

    /// The response is not HTTP, or its head or encoding is malformed.
    public static let badResponse = Self(
        row: "badResponse", isTransient: false,  // the peer does not speak HTTP
        usually: .receiving, leavesDoubt: true,
        explanation: "The response is not valid HTTP.",
        nextStep: "Check that the port speaks HTTP, and whether it uses TLS.",
        hints: [
            .proxy,
            .init(
                words: ["writing header"],
                nextStep: "Check the headers of the response: on Linux, one that is not valid UTF-8 cannot be read."),
            .init(
                words: ["the compressed content ended", "behind the end of the compressed content"],
                explanation: "The compressed body of the response is damaged.",
                nextStep: "Check the server and any proxy in front of it: what compresses the body, and what cuts it "
                    + "or adds to it."),
            .init(
                words: [
                    "content-encoding", "content encoding", "unencoding", "compressed content", "transfer-encoding",
                    "failed writing received data",
                ],
                nextStep:
                    "Check the response's Content-Encoding: it must name the encoding that the body is in, one that "
                    + "was asked for."),
            .init(
                words: ["closed the websocket with the code"],
                explanation: "The server did not accept what it received over the WebSocket.",
                nextStep: "Look in the server's log for what it does not accept."),
            .longest, .brokenRule,
            .init(
                words: ["websocket"],
                explanation: "The server did not answer as a WebSocket has it.",
                nextStep: "Check that the server speaks graphql-transport-ws at this URL."),
            .init(
                words: ["for a stream of events"],
                explanation: "The server did not answer as graphql-sse has it.",
                nextStep: "Check that the server has the single connection mode of graphql-sse at this URL."),
            .init(
                words: ["multipart response", "parts of the response", "part of the response"],
                explanation: "The parts of the response break the rules.",
                nextStep: "Check the server, and any proxy in front of it that changes or buffers responses."),
        ])

    /// More redirects than accepted, or a loop.
    public static let redirects = Self(
        row: "redirects", isTransient: false,  // the loop is still there
        usually: .receiving, leavesDoubt: true,
        explanation: "There were too many redirects.",
        nextStep: "Request the final address, or allow more redirects.",
        hints: [
            .init(
                words: ["in a loop"],
                nextStep: "Fix the server's redirects, which form a loop; a cookie that is not kept can "
                    + "be the "
                    + "cause.")
        ])

    /// A redirect that must not be followed: another scheme, or a body that cannot be sent again.
    public static let redirectRefused = Self(
        row: "redirectRefused", isTransient: false,  // the rule is still there
        usually: .receiving, leavesDoubt: true,
        explanation: "A redirect could not be followed.",
        nextStep: "Fix the server's redirect, or request the final address directly.",
        hints: [
            .init(
                words: ["asks for the body again"],
                nextStep: "Request the final address directly, with a body that can be sent again.")
        ])

    /// The response is larger than accepted; reading stopped at the limit.
    public static let tooLarge = Self(
        row: "tooLarge", isTransient: false,  // it will be just as large
        usually: .receiving, leavesDoubt: true,
        explanation: "The response is larger than the limit.",
        nextStep: "Request less, in pages or ranges, or raise the transport's responseLimit.",
        hints: [
            .init(
                words: ["a line of the stream"], explanation: "",
                nextStep: "Accept longer lines, with .lines(longest:) or .jsonLines(longest:), or have the server send "
                    + "shorter ones."),
            .init(
                words: ["an event of the stream"], explanation: "",
                nextStep: "Accept longer events, with .events(longest:), or have the server send shorter ones."),
            .init(
                words: ["headers too large", "response headers", "grew larger than allowed", "out of memory"],
                nextStep: "Send fewer or shorter headers from the server: on Linux, 300 KB in all is the limit, and no "
                    + "option raises it."),
            .init(
                words: ["too many header bytes", "excessively large header block"],
                nextStep: "Send fewer or shorter headers from the server: SwiftNIO reads at most 256, 80 KB in each "
                    + "and 2 MB in all, over HTTP/2 16 KB in all, and no option raises that."),
            .init(
                words: ["part of the response", "parts of the response"],
                nextStep: "Request less at once, such as shorter lists: no option raises this limit."),
            .init(
                words: ["the file has more than"],
                nextStep: "Raise DownloadOptions.limit if a file of this size is to be downloaded."),
        ])

    /// A stream arrived faster than it was read, over a transport that cannot make the server wait.
    public static let overrun = Self(
        row: "overrun", isTransient: false,  // the next one will be as fast
        usually: .receiving, leavesDoubt: true,
        explanation: "The stream arrived faster than it was read.",
        nextStep: "Read it faster, or use AsyncHTTPClientTransport: URLSession cannot make a server wait on Linux.",
        hints: [
            .init(
                words: ["that others share"],
                nextStep: "Read it faster: a connection that others share cannot make the server wait.")
        ])

    /// The system does not allow it: App Transport Security, a firewall, a proxy that wants credentials.
    public static let notAllowed = Self(
        row: "notAllowed", isTransient: false,  // a person has to change a setting
        explanation: "The system does not allow this connection.",
        nextStep: "Check the app's permissions and App Transport Security.",
        hints: [
            .init(
                words: ["proxy authentication required", "response 407"],
                nextStep: "Give the transport's proxy setting the credentials that the proxy accepts.")
        ],
        message: .notAllowed)

    /// Only a cellular network is there, and the request may not use one.
    public static let cellular = Self(
        row: "cellular", isTransient: false,  // a person has to change the network
        explanation: "Only a cellular network is available, and this request may not use one.",
        nextStep: "Wait for another network, or set allowsCellularAccess for what the person asked for.",
        message: .restricted)

    /// Only an expensive network is there, such as a cellular one or a personal hotspot, and the request may not use one.
    public static let expensive = Self(
        row: "expensive", isTransient: false,  // a person has to change the network
        explanation: "Only an expensive network is available, and this request may not use one.",
        nextStep: "Wait for another network, or set allowsExpensiveNetworkAccess for what the person asked for.",
        message: .restricted)

    /// The network is in Low Data Mode, and the request may not use such a one.
    public static let constrained = Self(
        row: "constrained", isTransient: false,  // a person has to change the setting
        explanation: "The network is in Low Data Mode, and this request may not use it then.",
        nextStep: "Ask for something smaller, or set allowsConstrainedNetworkAccess for what the person asked for.",
        message: .restricted)

    /// The system could not start the transfer: no background session, no file.
    public static let system = Self(
        row: "system", isTransient: false,  // the app has to change something
        leavesDoubt: true,
        explanation: "The system could not carry out the transfer.",
        nextStep: "Check the session's configuration, the free disk space and the limit of open files.",
        hints: [
            .shutdown,
            .init(
                words: ["invalid proxy configuration"],
                nextStep: "Correct the proxy of the HTTPClient's configuration."),
        ])

    /// Any other error of the transport; see ``TransportError/detail``.
    public static let unknown = Self(
        row: "unknown", isTransient: false,  // an unknown cause is not retried
        usually: .unknown, leavesDoubt: true,
        explanation: "The transfer failed.",
        nextStep: "Look at the underlying error.")
}

extension TransportError {
    /// The sentence for developers, with the known cause, marked as the system's message if it is.
    var explanation: String {
        guard !detail.isEmpty else {
            return code.explanation
        }
        let first = hint?.explanation ?? code.explanation
        let gap = first.isEmpty ? "" : " "
        return underlying == nil
            ? "\(first)\(gap)\(detail)\(detail.last.map { ".!?".contains($0) } == true ? "" : ".")"
            : "\(first)\(gap)The system says: \(detail)"
    }

    /// The step for developers: that of the code, or a better one if the error's text names the cause.
    var nextStep: String {
        if code == .unknown, !detail.isEmpty {
            return underlying == nil ? "See the transport's message above." : "See the system's message above."
        }
        return hint?.nextStep ?? code.nextStep
    }

    /// What fits better than the texts of the code; nil for nothing.
    private var hint: CodeRow.Hint? {
        guard !code.row.hints.isEmpty else {
            return nil
        }
        let text = "\(detail) \(underlying.map { String(describing: $0) } ?? "")".lowercased()
        return code.row.hints.first { $0.words.contains { text.contains($0) } }
    }
}
