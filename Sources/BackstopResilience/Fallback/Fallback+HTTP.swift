public import Backstop
internal import Foundation

extension Fallback where Request == HTTP.Request, Response == HTTP.Response {
    /// Makes an interceptor that asks another host when a call has failed, if that is safe.
    ///
    /// The request goes there with the same scheme, path and method. Credentials do not: headers that identify the
    /// caller, user and password of the URL, and query items with the name of a secret are removed. An `Authentication`
    /// inside adds those of the other host.
    ///
    /// ```swift
    /// let client = try Client(baseURL: "https://api.example.com") {
    ///     Fallback(host: "backup.example.com")
    ///     Retry()
    ///     Decoding()
    ///     StatusValidation()
    /// }
    /// ```
    /// - Parameters:
    ///   - host: The other host, with a port if it is not that of the scheme: `backup.example.com:8443`.
    ///   - handles: Which failures it stands in for. Default: transient ones of requests that only read, without a
    ///     status from 400 to 499.
    ///   - log: Where it writes a warning; nil for nowhere.
    public init(
        host: String, when handles: @escaping @Sendable (RetryCandidate) -> Bool = { $0.mayFallBack },
        log: (any LogSink)? = SystemLog.shared
    ) {
        let authority = Self.authority(host)
        let invalid = [
            ConfigurationError(
                setting: "Fallback.host", problem: "must be a host, but is \"\(host)\"",
                fix: "Set the name of the host, with a port if need be: backup.example.com:8443")
        ]
        self.init(host, when: handles, log: log, invalid: authority == nil ? invalid : []) { request, context in
            guard let (name, port) = authority,
                var components = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
            else {
                return nil
            }
            components.host = name
            components.port = port
            guard let url = components.url else {
                return nil
            }
            var other = request
            other.url = url
            return other.withoutCredentials(of: request, redaction: context.redaction)
        }
    }

    /// Host and port of a text that is an authority and nothing else: no user, path, query or fragment.
    private static func authority(_ text: String) -> (name: String, port: Int?)? {
        guard let target = try? RequestURL.base("https://\(text)").url(), let host = target.host else {
            return nil
        }
        let suffix = target.port.map { ":\($0)" } ?? ""
        guard text.hasSuffix(suffix) else {
            return nil
        }
        let name = String(text.dropLast(suffix.count))
        return name == host || name == "[\(host)]" ? (name, target.port) : nil
    }

    /// Makes an interceptor that sends another request through the interceptors inside, if that is safe.
    ///
    /// To another origin, what identifies the caller is removed if it is still that of the failed request: headers, and
    /// query items with the name of a secret.
    ///
    /// - Parameters:
    ///   - name: The name in the trace and the log.
    ///   - handles: Which failures it stands in for. Default: transient ones of requests that only read, without a
    ///     status from 400 to 499.
    ///   - log: Where it writes a warning; nil for nowhere.
    ///   - request: Returns the request to send instead of one that failed; nil for none.
    public init(
        _ name: String = "request",
        when handles: @escaping @Sendable (RetryCandidate) -> Bool = { $0.mayFallBack },
        log: (any LogSink)? = SystemLog.shared,
        sending request: @escaping @Sendable (HTTP.Request) -> HTTP.Request?
    ) {
        self.init(name, when: handles, log: log) { failed, context in
            request(failed)?.withoutCredentials(of: failed, redaction: context.redaction)
        }
    }
}

extension HTTP.Request {
    /// The request without the credentials that it shares with a request to another origin.
    fileprivate func withoutCredentials(of request: HTTP.Request, redaction: Redaction) -> HTTP.Request {
        guard RequestURL.origin(of: url) != RequestURL.origin(of: request.url) else {
            return self
        }
        var copy = self
        copy.headers.remove(.host)
        // What the app has set anew is meant for the other origin.
        for field in headers.fields
        where RedirectRule.isCredential(field.name, redaction)
            && headers[values: field.name] == request.headers[values: field.name]
        {
            copy.headers.remove(field.name)
        }
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return copy
        }
        components.user = nil
        components.password = nil
        let known = Set(URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.percentEncodedQueryItems ?? [])
        let items = components.percentEncodedQueryItems?.filter { item in
            let name = item.name.removingPercentEncoding ?? item.name
            return !known.contains(item) || !(Redaction.standard.isSensitive(name) || redaction.isSensitive(name))
        }
        components.percentEncodedQueryItems = items?.isEmpty == true ? nil : items
        copy.url = components.url ?? url
        return copy
    }
}
