internal import Backstop
internal import Foundation

/// A host that gets a request in the place of another one.
struct OtherHost: Sendable {
    private let text: String
    private let authority: (name: String, port: Int?)?

    init(_ text: String) {
        self.text = text
        authority = Self.authority(text)
    }

    func invalid(as setting: String) -> [ConfigurationError] {
        var invalid: [ConfigurationError] = []
        invalid.require(
            authority != nil, setting, "must be a host, but is \"\(text)\"",
            fix: "Set the name of the host, with a port if need be: backup.example.com:8443")
        return invalid
    }

    /// The request for this host, without the caller's credentials.
    func request(for request: HTTP.Request, _ context: CallContext) -> HTTP.Request? {
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
}

extension HTTP.Request {
    /// The request without the credentials that it shares with a request to another origin.
    func withoutCredentials(of request: HTTP.Request, redaction: Redaction) -> HTTP.Request {
        guard destination != request.destination else {
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
