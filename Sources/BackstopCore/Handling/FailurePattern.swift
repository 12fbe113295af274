/// Which failures a handler is for.
///
/// ```swift
/// let pattern: FailurePattern = .status(500...599).or(.offline)
/// ```
public struct FailurePattern: Sendable, CustomStringConvertible {
    /// How the pattern is named in `handledBy` and in matrices.
    public let description: String
    private let test: @Sendable (Failure) -> Bool

    /// Makes a pattern of your own.
    public init(_ description: String, matches test: @escaping @Sendable (Failure) -> Bool) {
        self.description = description
        self.test = test
    }

    /// Whether a failure is of this kind.
    public func matches(_ failure: Failure) -> Bool {
        test(failure)
    }

    /// Every failure.
    public static let any = FailurePattern("any") { _ in true }
    /// No connection to a network.
    public static let offline = FailurePattern("offline") { $0.isOffline }
    /// No complete response, for whatever cause; being offline is one of them.
    public static let transport = kind("transport")
    /// One cause for which there is no complete response.
    public static func transport(_ code: TransportError.Code) -> FailurePattern {
        .code("transport.\(code.rawValue)")
    }
    /// A time limit was reached, of an attempt or of the call.
    public static let timeout = kind("timeout")
    /// A status outside the accepted ones.
    public static let status = kind("status")
    /// One status of the response, with an error body of the service's or without: `status.404`, and `service.…` that
    /// came with 404. Use ``code(_:)`` for the failure code alone.
    public static func status(_ code: Int) -> FailurePattern {
        FailurePattern("status.\(code)") { failedStatus(of: $0) == code }
    }
    /// A range of statuses of the response, with an error body of the service's or without.
    public static func status(_ codes: some RangeExpression<Int> & Sendable) -> FailurePattern {
        FailurePattern("status(\(text(of: codes)))") { failure in
            failedStatus(of: failure).map(codes.contains) ?? false
        }
    }
    /// The service said what is wrong.
    public static let service = kind("service")
    /// The content could not be read.
    public static let decoding = kind("decoding")
    /// The request could not be made.
    public static let request = kind("request")
    /// An interceptor did not let the request through.
    public static let rejected = kind("rejected")
    /// An interceptor threw something that Backstop has no kind for.
    public static let other = kind("other")
    /// Whatever may pass by itself.
    public static let transient = FailurePattern("transient") { $0.isTransient }

    /// One failure code: `status.404`, `transport.dns`; a code that ends in `.*` stands for all below it.
    public static func code(_ code: String) -> FailurePattern {
        if code.hasSuffix(".*") {
            let prefix = String(code.dropLast())
            return FailurePattern(code) { $0.code.hasPrefix(prefix) || $0.code == prefix.dropLast() }
        }
        return FailurePattern(code) { $0.code == code }
    }

    /// Failures of either kind.
    public func or(_ other: FailurePattern) -> FailurePattern {
        FailurePattern("\(description) or \(other.description)") { matches($0) || other.matches($0) }
    }

    /// Failures of both kinds at once.
    public func and(_ other: FailurePattern) -> FailurePattern {
        FailurePattern("\(description) and \(other.description)") { matches($0) && other.matches($0) }
    }

    /// The status that made the call fail; nil when something else did.
    private static func failedStatus(of failure: Failure) -> Int? {
        switch failure.reason {
        case .status, .service: failure.statusCode
        default: nil
        }
    }

    /// A range as it is written in code.
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
