extension ObservedOutcome {
    /// The outcome in one word, for logs and metrics. Handlers are not named.
    package var label: String {
        switch self {
        case .thrown: "thrown"
        case .handled: "handled"
        case .replaced: "value"
        case .retried: "retried"
        case .unhandled: "unhandled"
        case .cancelled: "cancelled"
        }
    }

    /// The handler that decided; nil when none did.
    package var handler: String? {
        switch self {
        case .handled(let name), .replaced(let name), .retried(let name):
            Excerpt.cut(Excerpt.printable(name), to: 200)
        case .thrown, .unhandled, .cancelled: nil
        }
    }

    /// The outcome and the handler as fields of a log entry.
    package var logFields: [LogField] {
        [LogField(FieldName.outcome, label)] + (handler.map { [LogField(FieldName.handler, $0)] } ?? [])
    }
}
