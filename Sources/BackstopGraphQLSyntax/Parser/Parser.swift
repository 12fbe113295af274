/// Reads the tokens of a document by descent, without recursion where documents nest.
struct Parser {
    private var lexer: Lexer
    private let limits: GraphQLLimits
    private var tokenCount = 0
    private var depth = 0

    /// The file that operations and fragments are told to come from.
    let file: String

    /// The next token.
    private(set) var token: Token

    /// Where the token before the next one ended.
    private(set) var previousEnd: GraphQLLocation

    /// A parser at the first token of a text, which is valid UTF-8.
    init(_ bytes: [UInt8], file: String, limits: GraphQLLimits) throws(GraphQLSyntaxError) {
        lexer = Lexer(bytes)
        self.file = file
        self.limits = limits
        previousEnd = lexer.location
        token = try lexer.next()
        try checkTokenCount()
    }

    // MARK: Tokens

    /// Steps to the next token and returns the one before.
    @discardableResult
    mutating func take() throws(GraphQLSyntaxError) -> Token {
        let taken = token
        previousEnd = taken.range.end
        token = try lexer.next()
        try checkTokenCount()
        return taken
    }

    private mutating func checkTokenCount() throws(GraphQLSyntaxError) {
        guard token.kind != .end else { return }
        tokenCount += 1
        if tokenCount > limits.tokens {
            throw GraphQLSyntaxError(
                at: token.range.start, "the document has more than the \(limits.tokens) tokens allowed")
        }
    }

    /// Takes a punctuator if it comes next, and says whether it did.
    mutating func takeIf(_ punctuator: String) throws(GraphQLSyntaxError) -> Bool {
        guard token.isPunctuator(punctuator) else { return false }
        try take()
        return true
    }

    /// Takes a punctuator that must come next.
    mutating func take(_ punctuator: String, _ place: String) throws(GraphQLSyntaxError) {
        guard try takeIf(punctuator) else {
            throw unexpected("\"\(punctuator)\" \(place)")
        }
    }

    /// Takes a name that must come next.
    mutating func takeName(_ expected: String) throws(GraphQLSyntaxError) -> String {
        guard token.kind == .name else { throw unexpected(expected) }
        return try take().text
    }

    /// An error at the next token: what was expected, and what is there.
    func unexpected(_ expected: String) -> GraphQLSyntaxError {
        GraphQLSyntaxError(at: token.range.start, "expected \(expected), found \(token.found)")
    }

    /// The range from a place to the end of the token that was taken last.
    func range(from start: GraphQLLocation) -> GraphQLRange {
        GraphQLRange(start: start, end: previousEnd)
    }

    // MARK: Depth

    /// Counts one more level; each is left with ``leave()``.
    mutating func enter() throws(GraphQLSyntaxError) {
        depth += 1
        if depth > limits.depth {
            throw GraphQLSyntaxError(
                at: token.range.start, "the document nests deeper than the \(limits.depth) levels allowed")
        }
    }

    /// Ends a level.
    mutating func leave() {
        depth -= 1
    }

    // MARK: Text

    /// The text from a place to the end of the token that was taken last, with `\n` at the end of each line.
    func text(from start: GraphQLLocation) -> String {
        let bytes = lexer.bytes[start.offset..<max(start.offset, previousEnd.offset)]
        guard bytes.contains(carriageReturn) else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes.withNewlines, as: UTF8.self)
    }
}
