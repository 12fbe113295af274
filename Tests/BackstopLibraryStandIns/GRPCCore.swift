// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// As in gRPC Swift 2.
public struct RPCError: Error, Sendable {
    public var code: Code
    public var message: String

    public init(code: Code, message: String) {
        (self.code, self.message) = (code, message)
    }

    /// Of the numbers that gRPC has, those that a recipe tells apart.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        public static let cancelled = Code(description: "cancelled")
        public static let invalidArgument = Code(description: "invalidArgument")
        public static let deadlineExceeded = Code(description: "deadlineExceeded")
        public static let notFound = Code(description: "notFound")
        public static let alreadyExists = Code(description: "alreadyExists")
        public static let permissionDenied = Code(description: "permissionDenied")
        public static let resourceExhausted = Code(description: "resourceExhausted")
        public static let failedPrecondition = Code(description: "failedPrecondition")
        public static let aborted = Code(description: "aborted")
        public static let outOfRange = Code(description: "outOfRange")
        public static let unimplemented = Code(description: "unimplemented")
        public static let internalError = Code(description: "internalError")
        public static let unavailable = Code(description: "unavailable")
        public static let unauthenticated = Code(description: "unauthenticated")
    }
}
