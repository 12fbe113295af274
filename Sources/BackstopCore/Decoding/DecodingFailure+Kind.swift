extension DecodingFailure {
    /// What was wrong, for code to branch on.
    public struct Kind: FailureCode {
        let row: CodeRow

        /// The name: `missingKey`.
        public var name: String { row.name }
        /// What was wrong, as a sentence for developers; ``DecodingFailure/explanation`` says it with the place.
        public var explanation: String { row.explanation }
        /// The text for people.
        package var message: MessageTemplate { row.message }

        private init(row name: String, explanation: String, message: MessageTemplate = .decoding, nextStep: String?) {
            row = CodeRow(name, explanation: explanation, nextStep: nextStep, message: message)
        }
    }
}

extension DecodingFailure.Kind {
    /// All kinds.
    public static let builtIn: [Self] = [
        empty, truncated, html, notJSON, tooDeep, missingKey, typeMismatch, missingValue, corrupted,
    ]

    /// The body was empty, or only white space.
    public static let empty = Self(
        row: "empty", explanation: "The body is empty, or only white space.",
        nextStep: "Make the content optional, or use an endpoint without content, if the response may be empty.")

    /// The body was JSON that ended too early.
    public static let truncated = Self(
        row: "truncated", explanation: "The JSON ends too early.", message: .incomplete,
        nextStep: "Check the server: its response ends in the middle of a value.")

    /// The body was a web page: a sign-in page, or an error page of a proxy.
    public static let html = Self(
        row: "html", explanation: "The body is a web page: a sign-in page, or an error page of a proxy.",
        message: .page,
        nextStep: "Open the address in a browser: the server, or a proxy in front of it, sends a web page.")

    /// The body was not JSON, or had a syntax error.
    public static let notJSON = Self(
        row: "notJSON", explanation: "The body is not JSON, or has a syntax error.",
        nextStep: "Check what the server sends: it is not valid JSON.")

    /// The body was nested deeper than ``DecodingFailure/depthLimit``.
    public static let tooDeep = Self(
        row: "tooDeep",
        explanation: "The body is nested deeper than \(DecodingFailure.depthLimit) levels, and was not decoded.",
        nextStep: "Have the server nest its response less deeply.")

    /// An object lacked a key.
    public static let missingKey = Self(
        row: "missingKey", explanation: "An object lacks a key.",
        nextStep: "Make the property optional, or have the server send the value.")

    /// A value had the wrong type.
    public static let typeMismatch = Self(
        row: "typeMismatch", explanation: "A value has the wrong type.", nextStep: nil)

    /// A value was null, or a list was too short, where a value was required.
    public static let missingValue = Self(
        row: "missingValue", explanation: "A value is null, or a list is too short, where a value is required.",
        nextStep: "Make it optional, or have the server send the value.")

    /// A value had the right type but was invalid: a date in another format, an unknown case, a number that does not
    /// fit.
    public static let corrupted = Self(
        row: "corrupted",
        explanation: "A value of the right type is invalid: a date in another format, an unknown case.",
        nextStep: "Make the type accept this value, or have the server send one that it knows.")
}

// What a kind means for a body, and what to do where a text of the diagnosis says more.
extension DecodingFailure {
    /// What was wrong in a body, as a sentence.
    var sentence: String {
        let unread = "\(line.map { "Line \($0) of the stream" } ?? "The content") could not be read: "
        switch kind {
        case .html:
            guard isSignIn else {
                return "The server sent \(found), where \(expected) was expected."
            }
            return "The server sent \(found.dropLast(HTMLPage.signIn.count)), probably a sign-in page, "
                + "where \(expected) was expected: the session may have ended, or a proxy may have answered."
        case .empty, .truncated, .notJSON, .tooDeep:
            let body = kind == .empty ? "empty" : found
            return "\(unread)\(expected) was expected, but the \(line == nil ? "body" : "line") is \(body)."
                + (kind == .truncated ? " The response may be truncated." : "")
        default:
            let says = kind == .corrupted && !detail.isEmpty ? " The decoder says: \(detail)" : ""
            return "\(unread)\(path) should \(verb) \(expected), but is \(foundWithArticle).\(says)"
        }
    }

    /// What the place should do with what was expected.
    var verb: String { kind == .missingKey ? "have" : "be" }

    private var isSignIn: Bool { found.hasSuffix(HTMLPage.signIn) }

    /// What a developer can do about it.
    var nextStep: String {
        let format = "the decoder's dateDecodingStrategy to the format that"
        switch kind {
        case _ where isOfApp:
            return "Look for what the app decodes during the call: in an operation, an interceptor or a transport."
        case .html where isSignIn:
            return "Check whether the session has ended, and whether the network requires a sign-in."
        case .missingKey where found.contains(" (similar: \""):
            return "Map the similar key in CodingKeys, if it is the one you mean."
        case .typeMismatch where expected == DecodingFailure.dateAsNumber:
            return "If it is a Date, set \(format) the server sends, such as .iso8601."
        case .typeMismatch where expected == "content of type text/event-stream":
            return "Check that the address is that of a stream of events: the request asked for one."
        case .typeMismatch where expected.hasPrefix("content of type multipart/mixed"):
            return "Check that the server sends results one by one at this address: the request asked for them."
        case .typeMismatch where expected.hasPrefix("content of type"):
            return "Accept this type in StatusValidation, or request the right one with Accept."
        case .corrupted where expected.contains("fits its type") || expected.contains("fit their types"):
            return "Declare the property with a type that has room for the server's numbers, such as Double."
        case .corrupted where expected.hasSuffix("in ISO 8601"):
            return "Have the server send dates such as 2026-01-31T10:00:00Z, or set \(format) it sends."
        case .corrupted where "\(detail) \(expected)".lowercased().contains("date"):
            return "Set \(format) the server sends, such as .iso8601."
        default:
            return kind.row.nextStep
                ?? "Declare it with the type that the server sends, or have the server send \(expected)."
        }
    }
}
