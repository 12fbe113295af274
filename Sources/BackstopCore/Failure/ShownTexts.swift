/// What the app shows to people of errors that give them nothing by themselves.
private enum ShownTexts: CallKey {
    static let defaultValue: [@Sendable (any ServiceError) -> String?] = []
}

extension CallValues {
    /// Adds a text for people; it goes before those that are there.
    mutating func addShownText(_ text: @escaping @Sendable (any ServiceError) -> String?) {
        self[ShownTexts.self].append(text)
    }

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
