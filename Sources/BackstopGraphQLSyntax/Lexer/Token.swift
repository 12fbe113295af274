/// A word of the language.
struct Token: Sendable, Hashable {
    /// What a token is.
    enum Kind: Sendable, Hashable {
        case name
        case int
        case float
        case string
        case punctuator
        case end
    }

    /// What the token is.
    let kind: Kind

    /// A name or a number as written, the contents of a string, or the punctuator; empty at the end.
    let text: String

    /// Where the token is written.
    let range: GraphQLRange

    /// Whether the token is this punctuator.
    func isPunctuator(_ punctuator: String) -> Bool {
        kind == .punctuator && text == punctuator
    }

    /// Whether the token is this name. Words such as `query` are names; only their position makes them special.
    func isName(_ name: String) -> Bool {
        kind == .name && text == name
    }

    /// What was found, for error messages: `"{"`, `the number 12`, `a string`, `the end of the document`.
    var found: String {
        switch kind {
        case .name, .punctuator: "\"\(abbreviated)\""
        case .int, .float: "the number \(abbreviated)"
        case .string: "a string"
        case .end: "the end of the document"
        }
    }

    private var abbreviated: String {
        text.utf8.count > 40 ? "\(text.prefix(40))..." : text
    }
}
