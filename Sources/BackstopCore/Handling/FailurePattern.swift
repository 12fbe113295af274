/// A set of failures, for handlers.
///
/// ```swift
/// let pattern: FailurePattern = .status(500...599).or(.offline)
/// ```
public struct FailurePattern: Sendable, CustomStringConvertible {
    /// The pattern's name in `handledBy` and in matrices.
    public let description: String
    private let test: @Sendable (Failure) -> Bool

    /// Makes a pattern from a closure.
    public init(_ description: String, matches test: @escaping @Sendable (Failure) -> Bool) {
        self.description = description
        self.test = test
    }

    /// Whether a failure matches.
    public func matches(_ failure: Failure) -> Bool {
        test(failure)
    }

    /// Whether a failure matches, for `catch` after typed throws, and for `case`.
    ///
    /// ```swift
    /// func show(_ load: () async throws(Failure) -> String) async {
    ///     do {
    ///         print(try await load())
    ///     } catch .offline {
    ///         print("You are offline.")
    ///     } catch 404 {
    ///         print("There is none.")
    ///     } catch {
    ///         print(error.message.title)
    ///     }
    /// }
    /// ```
    public static func ~= (pattern: FailurePattern, failure: Failure) -> Bool {
        pattern.matches(failure)
    }

    /// The same where the type of the error is not known: in the closure of a `Task`, or where something else throws.
    public static func ~= (pattern: FailurePattern, error: any Error) -> Bool {
        (error as? Failure).map(pattern.matches) ?? false
    }

    /// Every failure.
    public static let any = FailurePattern("any") { _ in true }
    /// No network connection.
    public static let offline = FailurePattern("offline") { $0.isOffline }
    /// No complete response, for any cause, offline included.
    public static let transport = kind("transport")
    /// No complete response, for one cause.
    public static func transport(_ code: TransportError.Code) -> FailurePattern {
        .code("transport.\(code)")
    }
    /// A time limit of an attempt or of the call was reached.
    public static let timeout = kind("timeout")
    /// A status that is not accepted, without a decoded error body.
    public static let status = kind("status")
    /// One status of the response, with or without a decoded error body: `status.404`, and any `service.…` with status
    /// 404. Use ``code(_:)`` to match only the failure code.
    public static func status(_ code: Int) -> FailurePattern {
        FailurePattern("status.\(code)") { failedStatus(of: $0) == code }
    }
    /// A range of statuses of the response, with or without a decoded error body.
    public static func status(_ codes: some RangeExpression<Int> & Sendable) -> FailurePattern {
        FailurePattern("status(\(text(of: codes)))") { failure in
            failedStatus(of: failure).map(codes.contains) ?? false
        }
    }
    /// Status 404.
    public static let notFound = status(404)
    /// Status 401.
    public static let unauthorized = status(401)
    /// Several statuses.
    package static func statuses(_ first: Int, _ others: [Int]) -> FailurePattern {
        FailurePattern.status(first).or(others.map { .status($0) })
    }
    /// An error that the service reported: a decoded API error, GraphQL errors.
    public static let service = kind("service")
    /// The content could not be decoded.
    public static let decoding = kind("decoding")
    /// The request could not be built.
    public static let request = kind("request")
    /// An interceptor rejected the request.
    public static let rejected = kind("rejected")
    /// Any other error.
    public static let other = kind("other")
    /// An error of the app: a decoded API error, or one that an interceptor threw.
    public static func error<E: Error>(_ type: E.Type) -> FailurePattern {
        FailurePattern(TypeName.short(type)) { $0.error(as: type) != nil }
    }
    /// Failures that a retry may fix.
    public static let transient = FailurePattern("transient") { $0.isTransient }

    /// A failure code: `status.404`, `transport.dns`. With `.*` at the end, or without a dot, also all codes below it:
    /// `service.graphQL.*`, `transport`.
    public static func code(_ code: String) -> FailurePattern {
        let whole = code.hasSuffix(".*") ? String(code.dropLast(2)) : code
        let hasBelow = whole != code || !code.contains(".")
        return FailurePattern(code) { $0.code == whole || hasBelow && $0.code.hasPrefix(whole + ".") }
    }

    /// Matches failures of either pattern.
    public func or(_ other: FailurePattern) -> FailurePattern {
        FailurePattern("\(description) or \(other.description)") { matches($0) || other.matches($0) }
    }

    /// Matches failures of any of these patterns.
    @inline(never)
    func or(_ others: [FailurePattern]) -> FailurePattern {
        others.reduce(self) { $0.or($1) }
    }

    /// Matches failures of both patterns.
    public func and(_ other: FailurePattern) -> FailurePattern {
        FailurePattern("\(description) and \(other.description)") { matches($0) && other.matches($0) }
    }

    /// The status that made the call fail; nil when it was something else.
    private static func failedStatus(of failure: Failure) -> Int? {
        switch failure.reason {
        case .status, .service: failure.statusCode
        default: nil
        }
    }

    /// A range as written in code.
    private static func text(of codes: some RangeExpression<Int>) -> String {
        switch codes {
        case let codes as PartialRangeFrom<Int>: "\(codes.lowerBound)..."
        case let codes as PartialRangeUpTo<Int>: "..<\(codes.upperBound)"
        case let codes as PartialRangeThrough<Int>: "...\(codes.upperBound)"
        default: "\(codes)"
        }
    }

    private static func kind(_ kind: String) -> FailurePattern {
        FailurePattern(kind) { $0.reason.kind == kind }
    }
}

extension FailurePattern: ExpressibleByIntegerLiteral {
    /// One status: `On(404)`.
    public init(integerLiteral status: Int) {
        self = .status(status)
    }
}

extension FailurePattern: ExpressibleByArrayLiteral {
    /// Any of several: `On([404, 410])`.
    public init(arrayLiteral patterns: FailurePattern...) {
        self = (patterns.first ?? FailurePattern("none") { _ in false }).or(Array(patterns.dropFirst()))
    }
}
