public import BackstopCore

/// Turns a response whose status is outside the accepted ones into an error.
///
/// ```swift
/// let validation = try StatusValidation(accepting: 200...399, contentTypes: ["application/json",
/// "application/*+json"])
/// ```
public struct StatusValidation: HTTP.Interceptor {
    /// Whether a status is accepted.
    public let accepts: @Sendable (Int) -> Bool
    /// The media types that are accepted, as they were given; nil for all.
    public let contentTypes: [String]?
    private let ranges: [MediaRange]

    /// `.statusValidation`
    public var role: Role { .statusValidation }

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - codes: The statuses that are accepted, such as `200...299` or `..<400`. Default: 200 to 299.
    public init(accepting codes: some RangeExpression<Int> & Sendable = 200..<300) {
        self.init { codes.contains($0) }
    }

    /// Makes the interceptor for some media types.
    ///
    /// - Parameters:
    ///   - codes: The statuses that are accepted, such as `200...299` or `..<400`. Default: 200 to 299.
    ///   - contentTypes: The media types that are accepted for a body that is not empty (RFC 9110, 12.5.1):
    ///     `application/json`, `text/*`, `*/*`, also `*/json` and `application/*+json`. One with parameters accepts
    ///     types that have the same; without, any are accepted. `*/*` accepts a body without a type as well.
    /// - Throws: `ConfigurationError` for a media type that cannot be read, and for an empty list.
    public init(
        accepting codes: some RangeExpression<Int> & Sendable = 200..<300, contentTypes: [String]
    ) throws(ConfigurationError) {
        try self.init(contentTypes: contentTypes) { codes.contains($0) }
    }

    /// Makes the interceptor with a rule of your own.
    public init(accepting accepts: @escaping @Sendable (Int) -> Bool) {
        self.accepts = accepts
        contentTypes = nil
        ranges = []
    }

    /// Makes the interceptor for some media types, with a rule of your own.
    ///
    /// - Throws: `ConfigurationError` for a media type that cannot be read, and for an empty list.
    public init(
        contentTypes: [String], accepting accepts: @escaping @Sendable (Int) -> Bool
    ) throws(ConfigurationError) {
        guard !contentTypes.isEmpty else {
            throw ConfigurationError(
                setting: "StatusValidation.contentTypes", problem: "must not be empty: nothing would be accepted",
                fix: "Leave it out to accept all types.")
        }
        var ranges: [MediaRange] = []
        for type in contentTypes {
            guard let range = MediaRange(type) else {
                throw ConfigurationError(
                    setting: "StatusValidation.contentTypes",
                    problem: "must be media types, but one is \"\(type.debugText)\"",
                    fix: "Write application/json, text/*, */* or application/*+json.")
            }
            ranges.append(range)
        }
        self.accepts = accepts
        self.contentTypes = contentTypes
        self.ranges = ranges
    }

    /// Judges the response.
    ///
    /// - Throws: `StatusError` for the status; `DecodingFailure` for the content type, because what is wrong is
    ///   what came and not whether it worked.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        let response = try await next(request)
        if let judge = context.values.judgesResponse {
            do {
                try context.redaction.whileInForce { try judge(response) }
            } catch {
                context.recordReceived(response)
                throw error
            }
        } else if !accepts(response.status) {
            throw StatusError(response.status, response: response)
        }
        if let contentTypes, !response.body.isEmpty, !isAccepted(response.headers[.contentType]) {
            context.recordReceived(response)
            throw context.redaction.whileInForce {
                DecodingFailure(contentType: response.mediaType, accepted: contentTypes, body: response.body)
            }
        }
        return response
    }

    private func isAccepted(_ contentType: String?) -> Bool {
        // What accepts anything accepts a type that nobody can read, and none.
        guard !ranges.contains(where: \.isAnything) else {
            return true
        }
        guard let type = contentType.flatMap({ MediaRange($0) }) else {
            return false
        }
        return ranges.contains { $0.includes(type) }
    }
}

extension Role {
    /// Turns a status outside the accepted ones into an error.
    public static let statusValidation: Role = Role(builtIn: "statusValidation") {
        [
            OrderRule(
                outer: .retry, inner: .statusValidation,
                reason: "Retry never sees a status failure: a 503 reaches it as a good response"),
            OrderRule(
                outer: .circuitBreaker, inner: .statusValidation,
                reason: "the breaker never sees a status failure and stays closed"),
            OrderRule(
                outer: .fallback, inner: .statusValidation,
                reason: "the fallback never sees a status failure"),
            OrderRule(
                outer: .cache, inner: .statusValidation,
                reason: "error responses would be stored and served again"),
            .once(.statusValidation, reason: "the inner one decides, and the outer one only sees what it accepted"),
        ]
    }
}

/// How a protocol above HTTP judges responses in the place of the status alone.
private enum ResponseJudge: CallKey {
    static let defaultValue: (@Sendable (HTTP.Response) throws -> Void)? = nil
}

extension CallValues {
    /// Lets a response through, or throws; nil for the status alone. GraphQL has rules of its own.
    package var judgesResponse: (@Sendable (HTTP.Response) throws -> Void)? {
        get { self[ResponseJudge.self] }
        set { self[ResponseJudge.self] = newValue }
    }
}
