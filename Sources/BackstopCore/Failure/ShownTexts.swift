/// The app's texts for people, for errors that have none themselves.
private enum ShownTexts: CallKey {
    static let defaultValue: [@Sendable (any ServiceError) -> String?] = []
}

extension CallValues {
    /// Adds a text for people, which takes precedence over earlier ones.
    mutating func addShownText(_ text: @escaping @Sendable (any ServiceError) -> String?) {
        self[ShownTexts.self].append(text)
    }

    /// The text for people of an error; nil for the neutral text.
    func textForPeople(of error: any ServiceError) -> String? {
        for shown in self[ShownTexts.self].reversed() {
            if let text = shown(error), !text.isEmpty {
                return text
            }
        }
        return error.failureMessage
    }
}
