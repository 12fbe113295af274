internal import BackstopCore
package import Foundation

/// The state of a call that follows redirects.
package struct RedirectTrail: Sendable {
    /// The request to send now.
    package var request: HTTP.Request
    /// The number of redirects so far.
    package var count = 0
    /// The requests so far, as method and URL.
    var visited: Set<String> = []
    /// The changes of the last step, in brackets, for the trace; empty for none.
    var remark = ""

    package init(_ request: HTTP.Request) {
        self.request = request
    }

    static func key(_ request: HTTP.Request) -> String {
        "\(request.method) \(request.url.absoluteString)"
    }
}

/// Which redirects are followed, and how (RFC 9110, 15.4; method and headers as in browsers, Fetch 4.4).
package struct RedirectRule: Sendable {
    /// How many to follow; 0 for none.
    let maximum: Int
    /// Whether to follow one from https to http.
    let allowsInsecure: Bool
    /// Whether the same request a second time counts as a loop.
    let detectsLoops: Bool
    /// Why the transport cannot send to an IPv6 address, to end a sentence with; nil when it can.
    let refusesIPv6: String?
    /// Whether the target is one that may be sent to.
    let isAllowed: @Sendable (URL) -> Bool

    package init(
        maximum: Int, allowsInsecure: Bool, detectsLoops: Bool, refusesIPv6: String? = nil,
        isAllowed: @escaping @Sendable (URL) -> Bool = { _ in true }
    ) {
        self.maximum = maximum
        self.allowsInsecure = allowsInsecure
        self.detectsLoops = detectsLoops
        self.refusesIPv6 = refusesIPv6
        self.isAllowed = isAllowed
    }

    /// The next step.
    ///
    /// - Returns: Nil when the response is not a redirect, or redirects are not followed.
    /// - Parameter redaction: Names that the call redacts count as credentials, in addition to those of
    ///   ``isCredential(_:_:)``.
    /// - Throws: ``TransportError`` with `.redirects` or `.redirectRefused`.
    func next(
        after response: HTTP.Response, on trail: RedirectTrail, redaction: Redaction = .standard
    ) throws(TransportError) -> RedirectTrail? {
        guard maximum > 0, Self.statuses.contains(response.status), let location = response.headers[.location] else {
            return nil
        }
        let request = trail.request
        let target = try Self.target(location, from: request.url)
        if let problem = problem(of: target, from: request.url) {
            let shown = Redaction.standard.url(target.absoluteString).debugText
            throw Self.error(.redirectRefused, "A redirect leads to \(shown), \(problem)")
        }
        var next = trail
        next.visited.insert(RedirectTrail.key(request))
        next.count += 1
        guard next.count <= maximum else {
            throw Self.error(.redirects, "More than the \(maximum) redirects allowed")
        }
        var remarks: [String] = []
        next.request.url = target
        if Self.turnsIntoGet(request.method, status: response.status) {
            next.request.method = .get
            next.request.body = .none
            for name in Self.contentHeaders {
                next.request.headers.remove(name)
            }
            remarks.append("now GET")
        } else if !request.body.isReplayable {
            throw Self.error(
                .redirectRefused,
                "A redirect with status \(response.status) asks for the body again, which can be read only once")
        }
        if RequestURL.origin(of: target) != request.destination,
            !Self.isUpgrade(from: request.url, to: target, status: response.status),
            Self.removeCredentials(from: &next.request.headers, redaction)
        {
            remarks.append("credentials dropped")
        }
        next.remark = remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))"
        guard next.visited.insert(RedirectTrail.key(next.request)).inserted || !detectsLoops else {
            throw Self.error(
                .redirects, "The redirects lead in a loop, back to " + Redaction.standard.url(target.absoluteString))
        }
        return next
    }

    /// Whether a response leads elsewhere, unless that is refused.
    package func leadsOn(_ response: HTTP.Response) -> Bool {
        maximum > 0 && Self.statuses.contains(response.status) && response.headers[.location] != nil
    }

    /// 300 leaves the choice to a person, 304 is not a redirect, 305 and 306 are obsolete (RFC 9110, 15.4).
    package static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// Headers that describe a body, and are dropped with it (Fetch, "request-body-header name").
    private static let contentHeaders: [HTTP.Headers.Name] = [
        "Content-Encoding", "Content-Language", "Content-Location", .contentType, .contentLength,
    ]

    /// Whether the next request is a GET: after 303 always, except HEAD; after 301 and 302 for POST.
    static func turnsIntoGet(_ method: HTTP.Method, status: Int) -> Bool {
        switch status {
        case 303: method != .get && method != .head
        case 301, 302: method == .post
        default: false
        }
    }

    /// Whether a redirect leads to the same host over TLS, on the usual ports: what Apple's systems make of a host that
    /// asks for HSTS (RFC 6797, 8.3), before anything is sent.
    static func isUpgrade(from url: URL, to target: URL, status: Int) -> Bool {
        status == 307 && url.scheme?.lowercased() == "http" && target.scheme == "https" && (url.port ?? 80) == 80
            && (target.port ?? 443) == 443 && url.host?.lowercased() == target.host?.lowercased()
    }

    /// The target, resolved against the previous URL (RFC 3986, 5), without any user and password.
    ///
    /// - Throws: ``TransportError`` with `.redirectRefused` for a text that cannot be read as a URL. Its authority follows
    ///   the rules of ``RequestURL``: `URL` takes a port that no integer holds for none.
    static func target(_ location: String, from url: URL) throws(TransportError) -> URL {
        guard !location.unicodeScalars.contains("\u{FFFD}") else {
            throw error(
                .redirectRefused,
                "The target of a redirect is not UTF-8, so its path is not known; servers percent-encode it")
        }
        let location = encoded(location)
        guard let relative = URL(string: location, relativeTo: url),
            var parts = URLComponents(
                url: relative.absoluteURL, resolvingAgainstBaseURL: true),
            hasUsableAuthority(location, relative)
        else {
            throw error(.redirectRefused, "The target of a redirect cannot be read as a URL")
        }
        if URL(string: location)?.host != nil {
            parts.user = nil
            parts.password = nil
        }
        parts.scheme = parts.scheme?.lowercased()
        return parts.url ?? relative.absoluteURL
    }

    /// The target with what no URL has percent-encoded as UTF-8, except in its authority: before iOS 17 and macOS 14,
    /// `URL` does not do so, and is nil (https://developer.apple.com/documentation/foundation/url/init(string:)).
    static func encoded(_ location: String) -> String {
        let parts = URLParts(location)
        let start = parts.scheme.map { $0 + ":" } ?? ""
        let authority = parts.authority.map { "//" + String(decoding: $0, as: UTF8.self) } ?? ""
        let query = parts.query.map { "?" + URLText.query.encoded($0) } ?? ""
        let fragment = parts.fragment.map { "#" + URLText.query.encoded($0) } ?? ""
        return start + authority + URLText.path.encoded(parts.path) + query + fragment
    }

    /// Whether the authority of a target is one, or is not there.
    ///
    /// The text as it was sent is asked for a backslash alone: `URL` encodes it, and browsers take it for a slash, so
    /// that the two see different hosts. Everything else is asked of the URL, which encodes other letters.
    private static func hasUsableAuthority(_ location: String, _ target: URL) -> Bool {
        URLParts(location).authority?.contains(UInt8(ascii: "\\")) != true
            && URLParts(target.absoluteString).authority.map { URLText.authority($0) != nil } ?? true
    }

    /// Why a URL is unusable, to end a sentence with; nil when it is usable.
    private func problem(of target: URL, from url: URL) -> String? {
        guard let scheme = target.scheme, scheme == "http" || scheme == "https", let host = target.host, !host.isEmpty
        else {
            return "which is not an http or https URL with a host"
        }
        // An encoded colon makes no address of a name.
        let isIPv6 = URLParts(target.absoluteString).authority?.contains(UInt8(ascii: "[")) == true
        if let refusesIPv6, isIPv6 {
            return refusesIPv6
        }
        guard isIPv6 || !host.utf8.contains(where: Self.isInNoHost) else {
            return "whose host is malformed"
        }
        guard allowsInsecure || scheme == "https" || url.scheme?.lowercased() != "https" else {
            return "which is not encrypted, unlike the URL before it: ask the server for an https target, or set "
                + "allowsInsecureRedirects"
        }
        return isAllowed(target) ? nil : "where this client does not go"
    }

    private static func error(_ code: TransportError.Code, _ detail: String) -> TransportError {
        TransportError(code, phase: .receiving, detail: detail)
    }

    /// The ASCII characters invalid in a host (RFC 3986, 3.2.2); others are encoded before it is sent.
    private static func isInNoHost(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "\"#%/:<>?@[\\]^`{|}\u{7F}".utf8.contains(byte)
    }

    /// Removes what another origin must not see, and `Host`, which names the old one; true when there was a secret.
    static func removeCredentials(from headers: inout HTTP.Headers, _ redaction: Redaction) -> Bool {
        headers.remove(.host)
        let secrets = headers.fields.map(\.name).filter { isCredential($0, redaction) }
        for name in secrets {
            headers.remove(name)
        }
        return !secrets.isEmpty
    }

    /// Whether a header identifies the caller: one that redaction hides, except for names that it hides only as a
    /// precaution.
    package static func isCredential(_ name: HTTP.Headers.Name, _ redaction: Redaction) -> Bool {
        guard !correlation.contains(name) else {
            return false
        }
        return Redaction.standard.isSensitive(name.text) || redaction.isSensitive(name.text)
    }

    /// Names that sound like secrets but prove nothing: useful to the other origin, useless to a thief.
    private static let correlation: [HTTP.Headers.Name] = [
        .idempotencyKey,  // without it, the other origin cannot tell a repetition (draft-ietf-httpapi-idempotency-key)
        "X-Idempotency-Key",  // the same, as it was called before
        "Idempotency-Token",  // the same, as some services call it
        "X-Idempotency-Token",  // the same
        "Access-Control-Allow-Credentials",  // true or nothing (Fetch, 3.3.3)
        "Access-Control-Request-Headers",  // names of headers, no values (Fetch, 3.3.2)
        "Sec-WebSocket-Key",  // a random number for one handshake (RFC 6455, 11.3.1)
        "Surrogate-Key",  // names of what a cache keeps
        "Cache-Key",  // the same
        "X-Cache-Key",  // the same
    ]
}
