extension CallOptions {
    /// The name as others may see it.
    var shownName: String {
        redaction.shown(name: name)
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
                "isUserRetry": isUserRetry,
                "observers": observers.count, "values": values,
            ], displayStyle: .struct)
    }
}

extension CallContext: CustomStringConvertible, CustomReflectable {
    /// The call's number and name, and the attempt.
    public var description: String {
        "call #\(id)" + (name.isEmpty ? "" : " \(redaction.shown(name: name))")
            + ", attempt \(attempt)"
    }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["call": description], displayStyle: .class)
    }
}

extension FinishedCall: CustomStringConvertible, CustomReflectable {
    /// The call's number and name, and its result.
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
