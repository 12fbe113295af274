import BackstopGraphQLSyntax

/// Names of Swift for operations.
enum SwiftIdentifier {
    /// The name of the constant for an operation: lower camel case, in backticks where it is a keyword, and with the
    /// operation's kind behind it where it would hide a property of documents.
    ///
    /// `HeroQuery` becomes `heroQuery`, `URLQuery` becomes `urlQuery`, `get_hero` becomes `getHero`, `Default`
    /// becomes `` `default` ``, and the query `Text` becomes `textQuery`.
    static func constant(for operation: String, kind: GraphQLDocument.Operation.Kind) -> String {
        let words = operation.split(separator: "_")
        guard let first = words.first else {
            // Underscores only. One alone is no name in Swift.
            return operation.count > 1 ? operation : "__"
        }
        let name = lowerCamelCase(first) + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        if name.first?.isNumber == true { return "_" + name }
        if members.contains(name) { return name + kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst() }
        return keywords.contains(name) ? "`\(name)`" : name
    }

    /// Lowers the first letter, or the acronym that the word begins with but for the first letter of the next word.
    private static func lowerCamelCase(_ word: Substring) -> String {
        let capitals = word.prefix { $0.isUppercase }.count
        let next = word.dropFirst(capitals).first
        let lowered = capitals > 1 && next?.isLowercase == true ? capitals - 1 : capitals
        return word.prefix(lowered).lowercased() + word.dropFirst(lowered)
    }

    /// What already means something behind a document and a dot, or behind `GraphQL.Document` and a dot. A constant in
    /// a module of its own hides a property of that name, although the one belongs to the type and the other to values.
    static let members: Set<String> = [
        "name", "kind", "text", "hash", "hashValue", "description", "customMirror", "init", "self",
    ]

    /// The reserved words that a name could be (The Swift Programming Language, Lexical Structure).
    private static let keywords: Set<String> = [
        "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
        "private", "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript",
        "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
