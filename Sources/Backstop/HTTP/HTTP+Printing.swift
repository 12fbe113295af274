internal import BackstopCore
internal import Foundation

// What `print` and `dump` show of values that may hold secrets.

extension HTTP.Body: CustomStringConvertible, CustomReflectable {
    /// What kind of body it is, and how long; not what is in it.
    public var description: String {
        switch self {
        case .none: "no body"
        case .data(let data): ByteCount.text(data.count)
        case .file(let url): "the file \(url.lastPathComponent)"
        case .stream(let stream): "a stream of " + (stream.length.map { ByteCount.text($0) } ?? "unknown length")
        }
    }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["body": description], displayStyle: .enum)
    }
}

extension HTTP.Query: CustomStringConvertible, CustomReflectable {
    /// The items, secrets redacted.
    public var description: String {
        items.map(\.description).joined(separator: "&")
    }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["query": description], displayStyle: .struct)
    }
}

extension HTTP.Query.Item: CustomStringConvertible, CustomReflectable {
    var description: String {
        let text = value.map { "\(name)=\($0)" } ?? name
        return String(Redaction.standard.url("?\(text)").dropFirst())
    }

    var customMirror: Mirror {
        Mirror(self, children: ["item": description], displayStyle: .struct)
    }
}

extension URLSessionTransport: CustomReflectable {
    /// What it was told; not the session, whose cookies are secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "responseLimit": responseLimit, "maximumRedirects": maximumRedirects,
                "allowsInsecureRedirects": allowsInsecureRedirects, "idleTimeout": idleTimeout,
                "connectionsPerHost": connectionsPerHost,
            ], displayStyle: .class)
    }
}

extension Client: CustomStringConvertible, CustomReflectable {
    /// The base URL, secrets redacted.
    public var description: String {
        "client of " + (baseURL.map { options.redaction.forOthers.url($0.absoluteString) } ?? "any URL")
    }

    /// The same with the interceptors and the options.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["client": description, "chain": chain.description, "options": options],
            displayStyle: .struct)
    }
}

extension ProblemDetails: CustomStringConvertible, CustomReflectable {
    /// The type, the title and the detail, secrets redacted.
    public var description: String {
        Redaction.shown([type, title, detail].compactMap { $0 }.joined(separator: ": "))
    }

    /// The same with the names of the other members: their values may be anything.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "problem": description, "status": status as Any,
                "instance": instance.map { Redaction.shown($0) } as Any,
                "extensions": extensions.keys.sorted(),
            ], displayStyle: .struct)
    }
}
