extension RequestError {
    /// What about the request is wrong, and everything that Backstop knows of it.
    public struct Code: FailureCode {
        /// The name: `encoding` of `request.encoding`.
        public let name: String
        /// What is wrong, as a sentence for developers.
        public let explanation: String
        /// What a developer can do about it, as a sentence.
        public let nextStep: String
        /// Whether it is found before anything was sent.
        package let isBeforeSending: Bool

        private init(row name: String, isBeforeSending: Bool = true, explanation: String, nextStep: String) {
            self.name = name
            self.isBeforeSending = isBeforeSending
            self.explanation = explanation
            self.nextStep = nextStep
        }

        /// Makes a code of your own, for something that is found before anything was sent.
        ///
        /// ```swift
        /// extension RequestError.Code {
        ///     nonisolated static let unsigned = Self(
        ///         "unsigned", explanation: "The request could not be signed.", nextStep: "Import the signing key.")
        /// }
        /// ```
        /// - Parameters:
        ///   - name: The name, in lower camel case; `failure.code` is `request.` and this. A name of ``builtIn`` gives that
        ///     code, whatever else is said.
        ///   - explanation: What is wrong, as a sentence for developers.
        ///   - nextStep: What a developer can do about it, as a sentence.
        public init(_ name: String, explanation: String, nextStep: String) {
            let own = Code(row: name, isBeforeSending: true, explanation: explanation, nextStep: nextStep)
            self = Self.builtIn.first { $0 == own } ?? own
        }
    }
}

extension RequestError.Code {
    /// All codes of Backstop.
    public static let builtIn: [Self] = [
        invalidURL, invalidHeader, invalidMethod, encoding, bodyUnreadable, bodyLength, invalid,
    ]

    /// The URL cannot be read, or is not one that can be sent to.
    public static let invalidURL = Self(
        row: "invalidURL",
        explanation: "The URL cannot be read, or is not one that can be sent to.",
        nextStep: "Correct the URL, or what the endpoint puts into it.")

    /// A header's name or value has characters that would break the message (RFC 9110, 5.5).
    public static let invalidHeader = Self(
        row: "invalidHeader",
        explanation: "The name or the value of a header would break the message.",
        nextStep: "Take line ends and control characters out of the header's name and value.")

    /// The method is not a token (RFC 9110, 9.1).
    public static let invalidMethod = Self(
        row: "invalidMethod",
        explanation: "The method is not a token.",
        nextStep: "Use a method of letters only, such as GET or POST.")

    /// The content could not be encoded.
    public static let encoding = Self(
        row: "encoding",
        explanation: "The content could not be encoded.",
        nextStep: "Make the value encodable, or give the encoder a strategy for it.")

    /// The body, a file or a stream, could not be read.
    public static let bodyUnreadable = Self(
        row: "bodyUnreadable", isBeforeSending: false,
        explanation: "The body, a file or a stream, could not be read.",
        nextStep: "Check that the file or the stream is there and can be read.")

    /// The body, a file or a stream, has another length than was announced; the request was broken off.
    public static let bodyLength = Self(
        row: "bodyLength", isBeforeSending: false,
        explanation: "The body has another length than was announced, so the request was broken off.",
        nextStep: "Announce the length that the body has, or none.")

    /// Anything else the endpoint threw while it made the request.
    public static let invalid = Self(
        row: "invalid",
        explanation: "The endpoint threw an error while it made the request.",
        nextStep: "Correct what makeRequest() of the endpoint threw.")
}
