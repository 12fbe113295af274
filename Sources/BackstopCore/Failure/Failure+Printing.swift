// What `print` and `dump` show of the values that a failure is made of. Their fields are for code, and hold what the
// server and the app put there; whoever prints them sees what the report would show. Without these conformances Swift
// prints every field.

extension Redaction {
    /// A text as an error shows it of itself.
    package static func shown(_ text: String) -> String {
        current.body(text, contentType: nil)
    }

    /// Any error as it is shown: bounded, on one line.
    package static func shown(error: any Error) -> String {
        Excerpt.cut(shown(Excerpt.printable(Excerpt.cut(String(describing: error), to: 4000))), to: 1000)
    }
}

extension Failure {
    /// What hides secrets in texts for others than the developer: the call's redaction, and never less than the
    /// standard.
    package var shownRedaction: Redaction { redaction.forOthers }
}

extension Failure.Reason: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The code, and what is known beyond it; secrets are redacted.
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
            case .other(let error): Redaction.shown(error: error)
            }
        return code + (detail.map { ": \($0)" } ?? "")
    }

    /// The same.
    public var debugDescription: String { description }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["reason": description], displayStyle: .enum)
    }
}

extension TransportError: CustomReflectable {
    /// What ``description`` says, and the type of the error behind it.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["error": description, "underlying": underlying.map { "\(type(of: $0))" } as Any],
            displayStyle: .struct)
    }
}

extension RequestError: CustomReflectable {
    /// Code and detail, and the type of the error behind it.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "code": code.rawValue, "detail": description, "underlying": underlying.map { "\(type(of: $0))" } as Any,
            ], displayStyle: .struct)
    }
}

extension RejectionError: CustomReflectable {
    /// What ``description`` says.
    public var customMirror: Mirror {
        Mirror(self, children: ["error": description, "isTransient": isTransient], displayStyle: .struct)
    }
}

extension DecodingFailure: CustomStringConvertible, CustomReflectable {
    /// The ``explanation``.
    public var description: String { explanation }

    /// All but the error behind it, whose texts may hold secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "kind": kind.rawValue, "path": path, "expected": expected, "found": found, "excerpt": excerpt as Any,
                "byteOffset": byteOffset as Any, "detail": detail,
                "underlying": underlying.map { "\(type(of: $0))" } as Any,
            ], displayStyle: .struct)
    }
}

extension CallValues: CustomStringConvertible, CustomReflectable {
    /// How many values there are; they are the app's own.
    public var description: String {
        count == 1 ? "1 value" : "\(count) values"
    }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["count": count], displayStyle: .struct)
    }
}

extension CallOptions {
    /// The name as others may see it.
    var shownName: String {
        redaction.forOthers.text(name)
    }
}

extension CallOptions: CustomStringConvertible, CustomReflectable {
    /// The name and the deadline.
    public var description: String {
        "options of " + (name.isEmpty ? "calls" : "\"\(shownName)\"")
            + (deadline.map { ", deadline \($0.text)" } ?? "")
    }

    /// All but the values, of which only the number is shown.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "name": shownName, "clock": "\(type(of: clock))", "random": "\(type(of: random))",
                "deadline": deadline as Any, "tracesInterceptors": tracesInterceptors,
                "failureBodyLimit": failureBodyLimit,
                "observers": observers.count, "values": values,
            ], displayStyle: .struct)
    }
}

extension CallContext: CustomStringConvertible, CustomReflectable {
    /// The call's number and name, and the attempt.
    public var description: String {
        "call #\(id)" + (name.isEmpty ? "" : " \(redaction.forOthers.text(name))") + ", attempt \(attempt)"
    }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["call": description], displayStyle: .class)
    }
}

extension FinishedCall: CustomStringConvertible, CustomReflectable {
    /// The call's number and name, and what came of it.
    public var description: String {
        "call #\(id)" + (name.isEmpty ? "" : " \(Redaction.shown(name))") + ": \(trace.outcome ?? "running")"
    }

    /// The same with one line each for request and response.
    public var customMirror: Mirror {
        let redaction = failure?.shownRedaction ?? .current
        return Mirror(
            self,
            children: [
                "call": description, "request": request.map { $0.summary(redaction) } as Any,
                "response": response.map { $0.summary(redaction) } as Any, "failure": failure as Any, "values": values,
            ], displayStyle: .struct)
    }
}
