/// An interceptor refused to send the request.
///
/// ```swift
/// func refuseWhenFull(_ running: Int) throws {
///     guard running < 100 else { throw RejectionError(.limit, "100 calls are already running") }
/// }
/// ```
public struct RejectionError: Error, Sendable, Equatable, FailureReasonConvertible, DescribedInDumps {
    /// What refused the request, or why, as a name for machines.
    public var code: Code { parts.value.code }
    /// Why it was rejected, in words.
    public var detail: String { parts.value.detail }
    /// Whether the same call may be accepted later.
    public var isTransient: Bool { parts.value.isTransient }
    /// How long until the same call may be accepted, from the moment of the rejection; nil when that is unknown.
    /// ``Failure/retryAfter`` has it too.
    public var retryAfter: Duration? { parts.value.retryAfter }

    private let parts: Shared<(code: Code, detail: String, isTransient: Bool, retryAfter: Duration?)>

    /// Makes the error.
    ///
    /// - Parameters:
    ///   - code: What refused the request, or why: a built-in code, such as `.limit`, or your own, such as `"quota"`.
    ///   - detail: Why, in words.
    ///   - isTransient: Whether the same call may be accepted later. Default: as the code says.
    ///   - retryAfter: How long until then; nil when that is unknown.
    public init(_ code: Code, _ detail: String, isTransient: Bool? = nil, retryAfter: Duration? = nil) {
        parts = Shared((code, detail, isTransient ?? code.isTransient, retryAfter))
    }

    /// Whether both have the same code, detail, transience and wait.
    public static func == (left: RejectionError, right: RejectionError) -> Bool {
        left.code == right.code && left.detail == right.detail && left.isTransient == right.isTransient
            && left.retryAfter == right.retryAfter
    }

    /// `.rejected` with this error.
    public var classifiedReason: Failure.Reason { .rejected(self) }

    /// The code and the detail, secrets redacted.
    public var description: String {
        "\(classifiedReason.code): \(Redaction.shown(detail))"
    }
}

extension RejectionError {
    /// What refused a request, or why, and everything Backstop knows about it.
    ///
    /// A string literal is a code too, because your own interceptors have their own reasons:
    ///
    /// ```swift
    /// let quick = RejectionError("quota", "The daily quota is used up.")
    ///
    /// extension RejectionError.Code {
    ///     nonisolated static let quota = Self("quota", explanation: "The daily quota is used up.")
    /// }
    /// ```
    public struct Code: FailureCode, ExpressibleByStringLiteral {
        let row: CodeRow

        /// The name: `limit` of `rejected.limit`.
        public var name: String { row.name }
        /// Whether the same call may be accepted later, unless the error says otherwise.
        public var isTransient: Bool { row.isTransient }
        /// Why requests are refused, as a sentence for developers.
        public var explanation: String { row.explanation }
        /// What a developer can do about it, as a sentence; nil to say only whether the call can be made again.
        public var nextStep: String? { row.nextStep }

        private init(
            row name: String, isTransient: Bool = false, explanation: String, nextStep: String? = nil,
            message: MessageTemplate = .rejected
        ) {
            row = CodeRow(
                name, isTransient: isTransient, explanation: explanation, nextStep: nextStep, message: message)
        }

        /// Creates a code of your own.
        ///
        /// - Parameters:
        ///   - name: The name, in lower camel case; `failure.code` is `rejected.` followed by it. The name of a
        ///     ``builtIn`` code gives that code; the other arguments are then ignored.
        ///   - isTransient: Whether the same call may be accepted later. Default: false.
        ///   - explanation: Why requests are refused, as a sentence for developers.
        ///   - nextStep: What a developer can do about it, as a sentence; nil to say only whether the call can be made
        ///     again.
        ///   - message: The text for people; its translation keys start with `rejected.` and the name. Default: "This
        ///     cannot be done at the moment."
        public init(
            _ name: String, isTransient: Bool = false, explanation: String = "An interceptor refused the request.",
            nextStep: String? = nil, message: FailureMessage? = nil
        ) {
            let own = Code(
                row: name, isTransient: isTransient, explanation: explanation, nextStep: nextStep,
                message: message.map { MessageTemplate("rejected.\(name)", $0) } ?? .rejected)
            self = Self.builtIn.first { $0 == own } ?? own
        }

        /// Creates a code from a string literal.
        public init(stringLiteral name: String) {
            self.init(name)
        }
    }
}

extension RejectionError.Code {
    /// The codes of the core. GraphQL adds `.noCache`, `BackstopTesting` adds `.script`.
    public static let builtIn: [Self] = [
        cacheMiss, idempotencyKey, breakerOpen, limit, rateLimit, tokenRefresh, tokenRefreshLimit, tokenStore,
        accountChanged,
    ]

    /// Only the cache was asked, and it has no response.
    public static let cacheMiss = Self(
        row: "cacheMiss",
        explanation: "Only the cache was asked, and it has no response.",
        nextStep: "Allow the network, or fill the cache first.",
        message: .cacheMiss)

    /// The request would have been sent as a second order, with a different idempotency key.
    public static let idempotencyKey = Self(
        row: "idempotencyKey",
        explanation: "The request would have been sent as a second order, with a different idempotency key.",
        nextStep: "Set the key in the endpoint, or in an interceptor outside Retry that keeps one that is there.",
        message: .request)

    /// A circuit breaker is open: the service has failed too often.
    public static let breakerOpen = Self(
        row: "breakerOpen", isTransient: true,
        explanation: "The circuit breaker is open because the service has failed too often.")

    /// Too many calls are running.
    public static let limit = Self(
        row: "limit", isTransient: true,
        explanation: "The limit of concurrent calls is reached.")

    /// More calls were made than the rate limiter allows.
    public static let rateLimit = Self(
        row: "rateLimit", isTransient: true,
        explanation: "More calls were made than the rate limiter allows.")

    /// The access token could not be refreshed.
    public static let tokenRefresh = Self(
        row: "tokenRefresh",
        explanation: "The access token could not be refreshed.",
        nextStep: "failure.error(as: TokenRefreshError.self) says why. The next call refreshes anew.")

    /// The access token was refreshed too often in a short time.
    public static let tokenRefreshLimit = Self(
        row: "tokenRefreshLimit",
        explanation: "The access token was refreshed too often in a short time.",
        nextStep:
            "Compare audience, scope, lifetime and clocks: what the server has just issued is refused or has expired.")

    /// The store of the tokens could not be read.
    public static let tokenStore = Self(
        row: "tokenStore",
        explanation: "The store of the tokens could not be read.",
        nextStep: "Look into the app's TokenStore, as a keychain cannot be read before the first unlock.")

    /// The call was made for an account that is no longer signed in.
    public static let accountChanged = Self(
        row: "accountChanged",
        explanation: "The call was made for an account that is no longer signed in.",
        nextStep: "Cancel the calls of an account when it signs out, and make new ones for the next account.")
}
