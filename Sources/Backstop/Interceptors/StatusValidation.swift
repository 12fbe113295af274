public import BackstopCore

/// Turns a response whose status is outside the accepted ones into an error.
///
/// ```swift
/// let validation = StatusValidation(accepting: 200..<400, contentTypes: ["application/json"])
/// ```
public struct StatusValidation: HTTP.Interceptor {
    /// Whether a status is accepted.
    public let accepts: @Sendable (Int) -> Bool
    /// The media types that are accepted, in lower case; nil for all. A `*` after the slash stands for any subtype.
    public let contentTypes: [String]?

    /// `.statusValidation`
    public var role: Role { .statusValidation }

    /// Makes the link.
    ///
    /// - Parameters:
    ///   - codes: The statuses that are accepted. Default: 200 to 299.
    ///   - contentTypes: The media types that are accepted for a body that is not empty; nil for all.
    public init(accepting codes: Range<Int> = 200..<300, contentTypes: [String]? = nil) {
        self.init(contentTypes: contentTypes) { codes.contains($0) }
    }

    /// Makes the link with a rule of your own.
    public init(contentTypes: [String]? = nil, accepting accepts: @escaping @Sendable (Int) -> Bool) {
        self.accepts = accepts
        self.contentTypes = contentTypes?.map { $0.lowercased() }
    }

    /// Judges the response.
    ///
    /// - Throws: ``StatusError`` for the status; ``DecodingFailure`` for the content type, because what is wrong is
    ///   what came and not whether it worked.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        let response = try await next(request)
        if let judge = context.values.judgesResponse {
            do {
                try judge(response)
            } catch {
                context.recordReceived(response)
                throw error
            }
        } else if !accepts(response.status) {
            throw StatusError(response.status, response: response)
        }
        if let contentTypes, !response.body.isEmpty, !Self.matches(response.mediaType, contentTypes) {
            context.recordReceived(response)
            throw context.redaction.whileInForce {
                DecodingFailure(contentType: response.mediaType, accepted: contentTypes, body: response.body)
            }
        }
        return response
    }

    private static func matches(_ type: String?, _ accepted: [String]) -> Bool {
        guard let type else {
            return false
        }
        return accepted.contains { $0 == type || $0.hasSuffix("/*") && type.hasPrefix($0.dropLast()) }
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
