/// An error body after RFC 9457, "Problem Details for HTTP APIs".
///
/// ```swift
/// func balance(_ failure: Failure) -> Int64? {
///     failure.error(as: ProblemDetails.self)?.extensions["balance"]?.int
/// }
/// ```
public struct ProblemDetails: APIError, Hashable {
    /// A URI that names the kind of problem. `about:blank` when the server gives none: then the status says it all.
    public let type: String
    /// The kind of problem in a few words; nil when the server gives none.
    public let title: String?
    /// The status as the origin server gave it; nil when the server gives none.
    public let status: Int?
    /// This occurrence of the problem in words for people; nil when the server gives none.
    public let detail: String?
    /// A URI that names this occurrence; nil when the server gives none.
    public let instance: String?
    /// All other members.
    public let extensions: [String: JSONValue]

    /// Reads the members; one of the wrong type is ignored, as RFC 9457, 3.1 demands.
    public init(from decoder: any Decoder) throws {
        self.init(try [String: JSONValue](from: decoder))
    }

    private init(_ all: [String: JSONValue]) {
        var members = all
        type = members.removeValue(forKey: "type")?.string ?? "about:blank"
        title = members.removeValue(forKey: "title")?.string
        status = members.removeValue(forKey: "status")?.int.flatMap { Int(exactly: $0) }
        detail = members.removeValue(forKey: "detail")?.string
        instance = members.removeValue(forKey: "instance")?.string
        extensions = members
    }

    /// None: the content type tells.
    public static var identifyingKeys: [String] { [] }

    /// Whether the content type is `application/problem+json`.
    public static func isCarried(by response: HTTP.Response) -> Bool {
        response.mediaType == "application/problem+json"
    }

    /// `problem`; ``type`` says which one.
    public var failureCode: String { "problem" }

    /// The detail, or else the title.
    public var failureMessage: String? { detail ?? title }
}

extension ProblemDetails: JSONValueReadable {
    package init(reading value: JSONValue) throws {
        self.init(try [String: JSONValue](reading: value))
    }
}
