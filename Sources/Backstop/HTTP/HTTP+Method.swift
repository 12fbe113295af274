public import BackstopCore

extension HTTP {
    /// A request method (RFC 9110, 9).
    ///
    /// ```swift
    /// let method: HTTP.Method = .post
    /// ```
    public struct Method: Sendable, Hashable, CustomStringConvertible {
        /// The name as sent; methods are case-sensitive.
        public let name: String

        private init(known name: String) {
            self.name = name
        }

        /// Makes a method from its name.
        ///
        /// - Throws: `RequestError` with `.invalidMethod` when the name is not a token (RFC 9110, 5.6.2).
        public init(_ name: String) throws(RequestError) {
            guard FieldText.isToken(name) else {
                throw RequestError(
                    .invalidMethod, "\"\(name.debugText)\" is not a method: use letters, digits and !#$%&'*+-.^_`|~")
            }
            self.name = name
        }

        /// Reads a resource.
        public static let get = Method(known: "GET")
        /// Reads only the head of a response.
        public static let head = Method(known: "HEAD")
        /// Processes the content.
        public static let post = Method(known: "POST")
        /// Replaces a resource.
        public static let put = Method(known: "PUT")
        /// Removes a resource.
        public static let delete = Method(known: "DELETE")
        /// Changes part of a resource (RFC 5789).
        public static let patch = Method(known: "PATCH")
        /// Describes the communication options.
        public static let options = Method(known: "OPTIONS")
        /// Echoes the request.
        public static let trace = Method(known: "TRACE")

        /// Whether it only reads: its sender asks for no change (RFC 9110, 9.2.1).
        public var isSafe: Bool {
            ["GET", "HEAD", "OPTIONS", "TRACE"].contains(name)
        }

        /// Whether sending it twice has the effect of sending it once (RFC 9110, 9.2.2).
        public var isIdempotent: Bool {
            isSafe || self == .put || self == .delete
        }

        /// The name.
        public var description: String {
            name
        }
    }
}

extension String {
    /// The first 60 characters of the text with unprintable ones made visible, for error messages.
    package var debugText: String {
        String(debugDescription.dropFirst().dropLast().prefix(60))
    }
}
