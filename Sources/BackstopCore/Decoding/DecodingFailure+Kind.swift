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
        explanation: "The body is empty, or only white space.",
        sentence: { "\(unread)\($0.expected) was expected, but the body is empty." },
        nextStep: { _ in "Make the content optional, or use an endpoint without content, if the response may be empty."
        })

    /// The body was JSON that ended too early.
    public static let truncated = Self(
        row: "truncated",
        explanation: "The JSON ends too early.",
        message: .incomplete,
        sentence: {
            "\(unread)\($0.expected) was expected, but the body is \($0.found). The response may be truncated."
        },
        nextStep: { _ in "Check the server: its response ends in the middle of a value." })

    /// The body was a web page: a sign-in page, or an error page of a proxy.
    public static let html = Self(
        row: "html",
        explanation: "The body is a web page: a sign-in page, or an error page of a proxy.",
        message: .page,
        sentence: { failure in
            guard failure.found.hasSuffix(HTMLPage.signIn) else {
                return "The server sent \(failure.found), where \(failure.expected) was expected."
            }
            return
                "The server sent \(failure.found.dropLast(HTMLPage.signIn.count)), probably a sign-in page, "
                + "where \(failure.expected) was expected: the session may have ended, or a proxy may have answered."
        },
        nextStep: { failure in
            failure.found.hasSuffix(HTMLPage.signIn)
                ? "Check whether the session has ended, and whether the network requires a sign-in."
                : "Open the address in a browser: the server, or a proxy in front of it, sends a web page."
        })

    /// The body was not JSON, or had a syntax error.
    public static let notJSON = Self(
        row: "notJSON",
        explanation: "The body is not JSON, or has a syntax error.",
        sentence: { "\(unread)\($0.expected) was expected, but the body is \($0.found)." },
        nextStep: { _ in "Check what the server sends: it is not valid JSON." })

    /// The body was nested deeper than ``DecodingFailure/depthLimit``.
    public static let tooDeep = Self(
        row: "tooDeep",
        explanation: "The body is nested deeper than \(DecodingFailure.depthLimit) levels, and was not decoded.",
        sentence: { "\(unread)\($0.expected) was expected, but the body is \($0.found)." },
        nextStep: { _ in "Have the server nest its response less deeply." })

    /// An object lacked a key.
    public static let missingKey = Self(
        row: "missingKey",
        explanation: "An object lacks a key.",
        sentence: { "\(unread)\($0.path) should have \($0.expected), but is \($0.foundWithArticle)." },
        nextStep: { failure in
            failure.found.contains(" (similar: \"")
                ? "Map the similar key in CodingKeys, if it is the one you mean."
                : "Make the property optional, or have the server send the value."
        })

    /// A value had the wrong type.
    public static let typeMismatch = Self(
        row: "typeMismatch",
        explanation: "A value has the wrong type.",
        sentence: { "\(unread)\($0.path) should be \($0.expected), but is \($0.foundWithArticle)." },
        nextStep: { failure in
            failure.expected == DecodingFailure.dateAsNumber
                ? "If it is a Date, set \(dateStrategy)"
                : failure.expected.hasPrefix("content of type")
                    ? "Accept this type in StatusValidation, or request the right one with Accept."
                    : "Declare it with the type that the server sends, or have the server send "
                        + "\(failure.expected)."
        })

    /// A value was null, or a list was too short, where a value was required.
    public static let missingValue = Self(
        row: "missingValue",
        explanation: "A value is null, or a list is too short, where a value is required.",
        sentence: { "\(unread)\($0.path) should be \($0.expected), but is \($0.foundWithArticle)." },
        nextStep: { _ in "Make it optional, or have the server send the value." })

    /// A value had the right type but was invalid: a date in another format, an unknown case, a number that does not
    /// fit.
    public static let corrupted = Self(
        row: "corrupted",
        explanation: "A value of the right type is invalid: a date in another format, an unknown case.",
        sentence: { failure in
            "\(unread)\(failure.path) should be \(failure.expected), but is \(failure.foundWithArticle)."
                + (failure.detail.isEmpty ? "" : " The decoder says: \(failure.detail)")
        },
        nextStep: { failure in
            if ["a number that fits its type", "JSON whose numbers fit their types"].contains(failure.expected) {
                return "Declare the property with a type that has room for the server's numbers, such as Double."
            }
            if failure.expected.hasSuffix("in ISO 8601") {
                return "Have the server send dates such as 2026-01-31T10:00:00Z, or set the decoder's "
                    + "dateDecodingStrategy to the format that it sends."
            }
            return "\(failure.detail) \(failure.expected)".lowercased().contains("date")
                ? "Set \(dateStrategy)"
                : "Make the type accept this value, or have the server send one that it knows."
        })

    private static let dateStrategy =
        "the decoder's dateDecodingStrategy to the format that the server sends, such as .iso8601."
    private static let unread = "The content could not be read: "
}
