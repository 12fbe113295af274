extension DecodingFailure {
    /// What was wrong, for code to branch on.
    public struct Kind: FailureCode {
        /// The name: `missingKey`.
        public let name: String
        /// What was wrong, as a sentence for developers; ``DecodingFailure/explanation`` says it with the place.
        public let explanation: String
        /// The text for people.
        package let message: MessageTemplate
        /// What was wrong in a body, as a sentence.
        let sentence: @Sendable (DecodingFailure) -> String
        /// What a developer can do about it.
        let nextStep: @Sendable (DecodingFailure) -> String

        private init(
            row name: String, explanation: String, message: MessageTemplate = .decoding,
            sentence: @escaping @Sendable (DecodingFailure) -> String,
            nextStep: @escaping @Sendable (DecodingFailure) -> String
        ) {
            self.name = name
            self.explanation = explanation
            self.message = message
            self.sentence = sentence
            self.nextStep = nextStep
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
        row: "empty",
        explanation: "The body has no bytes, or white space only.",
        message: .incomplete,
        sentence: { "\(unread)\($0.expected) was expected, but the body is empty." },
        nextStep: { _ in "Make the content optional, or use an endpoint without content, where an answer may be empty."
        })

    /// The body was JSON that ended too early.
    public static let truncated = Self(
        row: "truncated",
        explanation: "The JSON ends too early.",
        message: .incomplete,
        sentence: { "\(unread)\($0.expected) was expected, but the body is \($0.found). The answer may be cut." },
        nextStep: { _ in "Look at the server: it ends its answer in the middle of a value." })

    /// The body was a web page: a sign-in page, or an error page of a proxy.
    public static let html = Self(
        row: "html",
        explanation: "The body is a web page: a sign-in page, or an error page of a proxy.",
        message: .page,
        sentence: { failure in
            guard failure.found.hasSuffix(HTMLPage.signIn) else {
                return "The server answered with \(failure.found), where \(failure.expected) was expected."
            }
            return
                "The server answered with \(failure.found.dropLast(HTMLPage.signIn.count)), probably a sign-in page, "
                + "where \(failure.expected) was expected: the session may have ended, or a proxy stands between."
        },
        nextStep: { failure in
            failure.found.hasSuffix(HTMLPage.signIn)
                ? "Check whether the session has ended, and whether a network asks for a sign-in."
                : "Open the address in a browser: the server, or a proxy before it, answers with a page."
        })

    /// The body was not JSON, or had a syntax error.
    public static let notJSON = Self(
        row: "notJSON",
        explanation: "The body is no JSON at all, or has an error of syntax.",
        sentence: { "\(unread)\($0.expected) was expected, but the body is \($0.found)." },
        nextStep: { _ in "Look at what the server sends; it is not the JSON it should be." })

    /// The body was nested deeper than ``DecodingFailure/depthLimit``.
    public static let tooDeep = Self(
        row: "tooDeep",
        explanation: "The body nests deeper than \(DecodingFailure.depthLimit) levels, and was not decoded.",
        sentence: { "\(unread)\($0.expected) was expected, but the body is \($0.found)." },
        nextStep: { _ in "Ask the server for an answer that is nested less deeply." })

    /// An object lacked a key.
    public static let missingKey = Self(
        row: "missingKey",
        explanation: "An object lacks a key.",
        sentence: { "\(unread)\($0.path) should have \($0.expected), but is \($0.foundWithArticle)." },
        nextStep: { failure in
            failure.found.contains(": there is \"")
                ? "Name the key that is there in CodingKeys, if it is the one that is meant."
                : "Make the property optional, or ask the server for the value."
        })

    /// A value had the wrong type.
    public static let typeMismatch = Self(
        row: "typeMismatch",
        explanation: "A value is of another type.",
        sentence: { "\(unread)\($0.path) should be \($0.expected), but is \($0.foundWithArticle)." },
        nextStep: { failure in
            failure.expected.hasPrefix("content of type")
                ? "Accept this type in StatusValidation, or ask for the right one with Accept."
                : "Declare the property as what the server sends, or ask the server for \(failure.expected)."
        })

    /// A value was null, or a list was too short, where a value was required.
    public static let missingValue = Self(
        row: "missingValue",
        explanation: "A value is null, or a list too short, where a value is needed.",
        sentence: { "\(unread)\($0.path) should be \($0.expected), but is \($0.foundWithArticle)." },
        nextStep: { _ in "Make the property optional, or ask the server for the value." })

    /// A value had the right type but was invalid: a date in another format, an unknown case.
    public static let corrupted = Self(
        row: "corrupted",
        explanation: "A value of the right type makes no sense: a date in another format, an unknown case.",
        sentence: { failure in
            "\(unread)\(failure.path) should be \(failure.expected), but is \(failure.foundWithArticle)."
                + (failure.detail.isEmpty ? "" : " The decoder says: \(failure.detail)")
        },
        nextStep: { failure in
            "\(failure.detail) \(failure.expected)".lowercased().contains("date")
                ? "Set the decoder's dateDecodingStrategy to the format that the server sends."
                : "Teach the type to read this value, or ask the server for one that it knows."
        })

    private static let unread = "The content could not be read: "
}
