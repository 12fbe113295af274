public import BackstopCore

/// Throws an error for a response whose status is not accepted.
///
/// ```swift
/// let validation = StatusValidation(accepting: 200...399, contentTypes: ["application/json", "application/*+json"])
/// ```
public struct StatusValidation: HTTP.Interceptor {
    /// Whether a status is accepted.
    public let accepts: @Sendable (Int) -> Bool
    /// The accepted media types, as passed; nil for all.
    public let contentTypes: [String]?
    private let ranges: [MediaRange]
    private let invalid: [ConfigurationError]

    /// `.statusValidation`
    public var role: Role { .statusValidation }

    /// What is invalid.
    public var settings: [InterceptorSetting] { invalid.map { .invalid($0) } }

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - codes: The accepted statuses, such as `200...299` or `..<400`. Default: 200 to 299.
    ///   - contentTypes: The accepted media types of a non-empty body (RFC 9110, 12.5.1): `application/json`, `text/*`,
    ///     `*/*`, also `*/json` and `application/*+json`. One with parameters accepts types that have them too, and
    ///     JSON without a charset as UTF-8; one without accepts any. `*/*` also accepts a body without a type.
    ///     Default: nil, all types. A malformed one is refused, and so is an empty list.
    public init(
        accepting codes: some RangeExpression<Int> & Sendable = 200..<300, contentTypes: [String]? = nil
    ) {
        self.init(contentTypes: contentTypes) { codes.contains($0) }
    }

    /// Makes the interceptor with a rule of your own.
    public init(contentTypes: [String]? = nil, accepting accepts: @escaping @Sendable (Int) -> Bool) {
        func error(_ problem: String, fix: String) -> ConfigurationError {
            ConfigurationError(setting: "StatusValidation.contentTypes", problem: problem, fix: fix)
        }
        let types = contentTypes ?? []
        ranges = types.compactMap { MediaRange($0) }
        invalid =
            contentTypes?.isEmpty == true
            ? [error("must not be empty: nothing would be accepted", fix: "Leave it out to accept all types")]
            : types.filter { MediaRange($0) == nil }.map { type in
                error(
                    "must be media types, but one is \"\(type.debugText)\"",
                    fix: "Write application/json, text/*, */* or application/*+json")
            }
        self.accepts = accepts
        self.contentTypes = contentTypes
    }

    /// Checks the response.
    ///
    /// - Throws: `StatusError` for the status; `DecodingFailure` for the content type, because the call worked but its
    ///   content is wrong.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        if let intake = context.responseIntake {
            // What would be refused is no stream: it is collected, and judged below.
            intake.accept(by: role.name) { head in
                accepts(head.status) && (contentTypes == nil || isAccepted(head.headers[.contentType]))
            }
        }
        let response = try await next(request)
        try check(response, context)
        return response
    }

    /// Apart, because what a response needs would stay in memory for as long as the call waits for it.
    @inline(never)
    private func check(_ response: HTTP.Response, _ context: CallContext) throws {
        if !response.isSuccess {
            context.knownStatus = response.status
        }
        try judge(response, context)
        if let contentTypes, !response.body.isEmpty, !isAccepted(response.headers[.contentType]) {
            context.recordReceived(response)
            throw context.redaction.whileExplaining {
                DecodingFailure(contentType: response.mediaType, accepted: contentTypes, body: response.body)
            }
        }
    }

    /// Checks the status.
    fileprivate func judge(_ response: HTTP.Response, _ context: CallContext) throws {
        if let judge = context.values.judgesResponse {
            do {
                try context.redaction.whileInForce { try judge.check(response) }
            } catch {
                context.recordReceived(response)
                throw error
            }
        } else if !accepts(response.status) {
            throw StatusError(response.status, response: response)
        }
    }

    private func isAccepted(_ contentType: String?) -> Bool {
        // `*/*` also accepts a malformed type, and none.
        guard !ranges.contains(where: \.isAnything) else {
            return true
        }
        guard let type = contentType.flatMap({ MediaRange($0) }) else {
            return false
        }
        return ranges.contains { $0.includes(type) }
    }
}

extension HTTP.Response {
    /// Refuses a status that an interceptor outside of `StatusValidation` made up.
    ///
    /// - Returns: Whether it is that of a failure, and no interceptor judges any.
    @inline(never) @discardableResult
    func requireAccepted(by interceptors: [any HTTP.Interceptor], _ context: CallContext) throws -> Bool {
        guard !isSuccess else {
            return false
        }
        if context.knownStatus != status {
            for case let validation as StatusValidation in interceptors {
                try validation.judge(self, context)
            }
        }
        return status >= 400 && !interceptors.contains { $0.role == .statusValidation }
    }
}

extension Role {
    /// Throws an error for a status that is not accepted.
    public static let statusValidation: Role = Role(builtIn: "statusValidation") {
        OrderRule.rules(
            .statusValidation,
            inside: [
                .retry: "Retry never sees a status failure: a 503 reaches it as a successful response",
                .authentication: "the credentials are not renewed after a 401, which never comes as a failure",
                .cache: "error responses would be stored and served again",
            ], severity: .error)
            + [.once(.statusValidation, reason: "the inner one decides, and the outer one only sees what it accepted")]
    }
}

/// How a protocol above HTTP judges responses, instead of by status alone.
package struct ResponseJudge: Sendable, CallKey {
    package static let defaultValue: ResponseJudge? = nil

    /// Accepts a response, or throws.
    let check: @Sendable (HTTP.Response) throws -> Void
    /// Whether a response is the protocol's own, whatever its status.
    let isOwn: @Sendable (HTTP.Response) -> Bool
    /// Whether a response says that the request was executed, in part at least.
    let isExecuted: @Sendable (HTTP.Response) -> Bool

    package init(
        check: @escaping @Sendable (HTTP.Response) throws -> Void, isOwn: @escaping @Sendable (HTTP.Response) -> Bool,
        isExecuted: @escaping @Sendable (HTTP.Response) -> Bool
    ) {
        self.check = check
        self.isOwn = isOwn
        self.isExecuted = isExecuted
    }
}

extension CallValues {
    /// Who judges responses; nil for the status alone. GraphQL has rules of its own.
    package var judgesResponse: ResponseJudge? {
        get { self[ResponseJudge.self] }
        set { self[ResponseJudge.self] = newValue }
    }
}
