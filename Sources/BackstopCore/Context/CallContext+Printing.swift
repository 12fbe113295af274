extension CallOptions: DescribedInDumps {
    /// The name and the deadline.
    public var description: String {
        "options of " + (name.isEmpty ? "calls" : "\"\(redaction.shown(name: name))\"")
            + (deadline.map { ", deadline \($0.text)" } ?? "")
    }
}

extension CallContext: DescribedInDumps {
    /// The call's number and name, and the attempt.
    public var description: String {
        "call #\(id)" + (name.isEmpty ? "" : " \(redaction.shown(name: name))") + ", attempt \(attempt)"
    }
}

extension FinishedCall: DescribedInDumps {
    /// The call's number and name, and its result.
    public var description: String {
        "call #\(id)" + (name.isEmpty ? "" : " \(Redaction.shown(name))") + ": \(trace.outcome ?? "running")"
    }
}
