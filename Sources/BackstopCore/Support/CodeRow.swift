/// Everything about a code. Codes are references to their rows, because every error has one.
final class CodeRow: Sendable {
    let name: String
    /// Whether the cause is transient, so that a retry may help.
    let isTransient: Bool
    /// Whether nothing of the request, or of the next hop after a redirect, had been sent.
    let isBeforeSending: Bool
    /// Whether the server may still have done its work, so that a retry could repeat it.
    let leavesDoubt: Bool
    /// What happened, as a sentence for developers.
    let explanation: String
    /// What a developer can do about it, as a sentence; nil where that depends on more than the code.
    let nextStep: String?
    /// Better texts if the error's text contains certain words.
    let hints: [Hint]
    /// The text for people.
    let message: MessageTemplate

    /// What fits better if the error's text contains one of these words.
    struct Hint: Sendable {
        /// The words, in lower case.
        let words: [String]
        /// What happened, as a sentence; nil for that of the code.
        var explanation: String?
        /// The step, as a sentence.
        let nextStep: String
    }

    init(
        _ name: String, isTransient: Bool = false, isBeforeSending: Bool = false, leavesDoubt: Bool = false,
        explanation: String, nextStep: String?, hints: [Hint] = [], message: MessageTemplate
    ) {
        self.name = name
        self.isTransient = isTransient
        self.isBeforeSending = isBeforeSending
        self.leavesDoubt = leavesDoubt
        self.explanation = explanation
        self.nextStep = nextStep
        self.hints = hints
        self.message = message
    }
}
