extension RequestError {
    /// What is wrong with the request, and everything Backstop knows about it.
    public struct Code: FailureCode {
        let row: CodeRow

        /// The name: `encoding` of `request.encoding`.
        public var name: String { row.name }
        /// What is wrong, as a sentence for developers.
        public var explanation: String { row.explanation }
        /// What a developer can do about it, as a sentence.
        public var nextStep: String { row.nextStep ?? "" }
        /// Whether it is found before anything is sent.
        package var isBeforeSending: Bool { row.isBeforeSending }

        private init(row name: String, isBeforeSending: Bool = true, explanation: String, nextStep: String) {
            row = CodeRow(
                name, isBeforeSending: isBeforeSending, explanation: explanation, nextStep: nextStep, message: .request)
        }

        /// Creates a code of your own, for an error found before anything is sent.
        ///
        /// ```swift
        /// extension RequestError.Code {
        ///     nonisolated static let unsigned = Self(
        ///         "unsigned", explanation: "The request could not be signed.", nextStep: "Import the signing key.")
        /// }
        /// ```
        /// - Parameters:
        ///   - name: The name, in lower camel case; `failure.code` is `request.` followed by it. The name of a
        ///     ``builtIn`` code gives that code; the other arguments are then ignored.
        ///   - explanation: What is wrong, as a sentence for developers.
        ///   - nextStep: What a developer can do about it, as a sentence.
        public init(_ name: String, explanation: String, nextStep: String) {
            let own = Code(row: name, isBeforeSending: true, explanation: explanation, nextStep: nextStep)
            self = Self.builtIn.first { $0 == own } ?? own
        }
    }
}

extension RequestError {
    /// The step for developers: that of the code, or a better one if the detail is about the size of the head.
    var nextStep: String {
        code == .invalidHeader && detail.contains(Self.sizeLimit)
            ? "Send fewer or shorter header fields, cookies included: no option raises that limit." : code.nextStep
    }

    /// A part of the detail that says that the head of the request is too large.
    package static let sizeLimit = "SwiftNIO sends at most"
}

extension RequestError.Code {
    /// All built-in codes.
    public static let builtIn: [Self] = [
        invalidURL, invalidHeader, invalidMethod, encoding, bodyUnreadable, bodyLength, invalid,
    ]

    /// The URL is malformed, or requests cannot be sent to it.
    public static let invalidURL = Self(
        row: "invalidURL",
        explanation: "The URL is malformed, or requests cannot be sent to it.",
        nextStep: "Correct the URL, or what the endpoint puts into it.")

    /// A header's name or value has characters that would corrupt the message (RFC 9110, 5.5).
    public static let invalidHeader = Self(
        row: "invalidHeader",
        explanation: "The name or value of a header would corrupt the message.",
        nextStep: "Remove line breaks and control characters from the header's name and value.")

    /// The method is not a token (RFC 9110, 9.1).
    public static let invalidMethod = Self(
        row: "invalidMethod",
        explanation: "The method is not a valid HTTP token.",
        nextStep: "Use a method with letters only, such as GET or POST.")

    /// The content could not be encoded.
    public static let encoding = Self(
        row: "encoding",
        explanation: "The content could not be encoded.",
        nextStep: "Make the value encodable, or give the encoder a strategy for it.")

    /// The body, a file or a stream, could not be read.
    public static let bodyUnreadable = Self(
        row: "bodyUnreadable", isBeforeSending: false,
        explanation: "The body, a file or a stream, could not be read.",
        nextStep: "Check that the file or stream exists and can be read.")

    /// The body, a file or a stream, does not have the announced length; the request was aborted.
    public static let bodyLength = Self(
        row: "bodyLength", isBeforeSending: false,
        explanation: "The body does not have the announced length, so the request was aborted.",
        nextStep: "Announce a stream's actual length, or none, and leave a file as it is while it is sent.")

    /// Any other error that the endpoint threw while creating the request.
    public static let invalid = Self(
        row: "invalid",
        explanation: "The endpoint threw an error while creating the request.",
        nextStep: "Fix the error that was thrown while creating the request.")
}
