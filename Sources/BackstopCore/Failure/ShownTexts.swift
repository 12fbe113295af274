/// What the app shows to people of errors that give them nothing by themselves.
private enum ShownTexts: CallKey {
    static let defaultValue: [@Sendable (any ServiceError) -> String?] = []
}

extension CallOptions {
    /// Says that a service's texts are meant for people, and which of them.
    ///
    /// Ready-made errors, such as `ProblemDetails` and `GraphQLFailure`, show nothing of what a server wrote, because
    /// most servers write for developers: people read neutral words. Where the service's texts are written for people,
    /// say so once, for the client:
    ///
    /// ```swift
    /// struct QuotaError: ServiceError { let hint: String? }
    ///
    /// var options = CallOptions()
    /// options.showToPeople(QuotaError.self) { $0.hint }
    /// ```
    /// The text is shown redacted, on one line, and up to 500 characters. Of several for one type the last that gives a
    /// text counts; it goes before the error's own ``ServiceError/failureMessage``.
    ///
    /// - Parameters:
    ///   - type: The type of the error.
    ///   - text: Gives a whole sentence; nil for neutral words.
    public mutating func showToPeople<E: ServiceError>(_ type: E.Type, text: @escaping @Sendable (E) -> String?) {
        values[ShownTexts.self].append { error in
            (error as? E).flatMap(text)
        }
    }
}

extension CallValues {
    /// What people read of an error; nil for neutral words.
    func textForPeople(of error: any ServiceError) -> String? {
        for shown in self[ShownTexts.self].reversed() {
            if let text = shown(error), !text.isEmpty {
                return text
            }
        }
        return error.failureMessage
    }
}
