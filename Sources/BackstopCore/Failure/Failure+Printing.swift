// What `print` and `dump` show of the parts of a failure. Their fields are for code and contain what the server and the
// app put there; printing them shows what the report would. Without these conformances Swift prints every field.

extension Redaction {
    /// The name of a call or an operation as others may see it: on one line, and bounded.
    package func shown(name: String) -> String {
        Excerpt.cut(forOthers.text(Excerpt.printable(Excerpt.cut(name, to: 1000))), to: 200)
    }

    /// A failure's code as others may see it: a service may repeat in its own what it was sent.
    package func shown(code: String) -> String {
        code.hasPrefix("service.") ? forOthers.withoutValues(code) : code
    }

    /// The first word of a call's name, if it is the same for all calls of its kind: the name of an endpoint's type or of
    /// an operation. A one-liner is named by method and path, which may contain anything; of it, the method is left.
    package func kind(ofCall name: String) -> String {
        label(String(name.prefix { $0 != " " && $0 != "/" && $0 != "?" }))
    }

    /// A text of the app's or of an interceptor's in a label, on one line and cut.
    package func label(_ text: String) -> String {
        Excerpt.cut(Excerpt.printable(forOthers.ofNames.text(Excerpt.cut(text, to: 1000))), to: 100)
    }

    /// A text as an error shows it.
    @inline(never)
    package static func shown(_ text: String) -> String {
        // Some secrets are only seen on several lines, others only without invisible signs.
        current.body(Excerpt.printable(current.body(text, contentType: nil)), contentType: nil)
    }

    /// What the app or a server says, as an error shows it, cut to a limit. More than that is read, so that a secret is
    /// recognized before it is cut.
    package static func shown(_ text: String, upTo limit: Int, of length: Int = 1000) -> String {
        Excerpt.cut(shown(Excerpt.cut(text, to: length)), to: limit)
    }

    /// The same in quotes, so that none of it passes for ours: as much as the reason of a socket's close may have in bytes
    /// (RFC 6455, 5.5).
    package static func quoted(_ text: String, upTo limit: Int = 123) -> String {
        shown(text, upTo: limit).debugDescription
    }

    /// The description of an error, of a system's error without secrets; other texts are redacted where they are shown.
    package func description(of error: any Error) -> String {
        (isOn ? Failure.system(error)?.description(self) : nil) ?? String(describing: error)
    }

    /// Any error as shown: bounded, on one line.
    package static func shown(error: any Error) -> String {
        shown(current.description(of: error), upTo: 1000, of: 4000)
    }
}

/// An error of the system: its description is that of objects whose secrets only their names and types tell.
package protocol SystemError: Error {
    /// The description without secrets, bounded.
    func description(_ redaction: Redaction) -> String
}

extension Failure {
    /// An error if it is one of the system's. The type is asked, because a cast may make an `NSError` of others.
    package static func system(_ error: any Error) -> (any SystemError)? {
        type(of: error) is any SystemError.Type ? error as? any SystemError : nil
    }

    /// The redaction for texts that leave the developer's hands: the call's, and never less than the standard.
    package var shownRedaction: Redaction { redaction.forOthers }
}

extension Failure.Reason: CustomDebugStringConvertible, DescribedInDumps {
    /// The code and the details; secrets are redacted.
    public var description: String {
        let detail: String? =
            switch self {
            case .cancelled, .timeout: nil
            case .request(let error): error.description
            case .transport(let error): error.detail.isEmpty ? nil : Redaction.shown(error.detail)
            case .status(let error): error.detail.map { Redaction.shown($0) }
            case .service(let error): error.failureMessage.map { Redaction.shown($0) }
            case .decoding(let error): error.explanation
            case .rejected(let error): Redaction.shown(error.detail)
            case .storage(let error): error.description
            case .other(let error): Redaction.shown(error: error)
            }
        return code + (detail.map { ": \($0)" } ?? "")
    }

    /// The same.
    public var debugDescription: String { description }
}

extension DecodingFailure: DescribedInDumps {
    /// The ``explanation``.
    public var description: String { explanation }
}
