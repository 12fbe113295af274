public import Foundation

/// An error body as defined by RFC 9457, "Problem Details for HTTP APIs".
///
/// Developers see all of it; people see neutral texts, because most servers write the detail for developers. If yours
/// writes it for people, say so:
///
/// ```swift
/// let client = try Client.standard(baseURL: "https://api.example.com").withOptions { options in
///     options.showToPeople(ProblemDetails.self) { $0.detail }
/// }
/// ```
/// Use its members to handle a problem type:
///
/// ```swift
/// func balance(_ failure: Failure) -> Int64? {
///     failure.error(as: ProblemDetails.self)?.extensions["balance"]?.int
/// }
/// ```
public struct ProblemDetails: APIError, Hashable {
    /// A URI that identifies the problem type. `about:blank` when the server sends none: then the status says it all.
    public let type: String
    /// The problem type in a few words; nil when the server sends none.
    public let title: String?
    /// The status sent by the origin server; nil when it sends none.
    public let status: Int?
    /// An explanation of this occurrence; nil when the server sends none.
    public let detail: String?
    /// A URI that identifies this occurrence; nil when the server sends none.
    public let instance: String?
    /// All other members.
    public let extensions: [String: JSONValue]

    /// Reads the members; one of the wrong type is ignored, as RFC 9457, 3.1 requires.
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

    /// One with the default settings, whatever the client's: the members have the names of the RFC.
    public static var decoder: JSONDecoder { JSONDecoder() }

    /// None: the content type identifies it.
    public static var identifyingKeys: [String] { [] }

    /// Always read: no good answer has its content type.
    public static var comesWithSuccess: Bool { true }

    /// Whether the content type is `application/problem+json`.
    public static func isCarried(by response: HTTP.Response) -> Bool {
        response.mediaType == "application/problem+json"
    }

    /// `problem`; ``type`` says which.
    public var failureCode: String { "problem" }

    /// Title, detail, type, occurrence and all other members: everything the server sent.
    public var failureExplanation: String {
        var words = [title, detail].compactMap { $0 }.filter { !$0.isEmpty }.map(Self.sentence)
        if words.count == 2, words[0] == words[1] {
            words.removeLast()
        }
        var text = words.isEmpty ? "The server sent problem details without a title or detail." : "The server says: "
        text += words.joined(separator: " ")
        var more = type == "about:blank" ? [] : ["type: \(type)"]
        more += instance.map { ["instance: \($0)"] } ?? []
        more += status.map { ["status: \($0)"] } ?? []
        more += extensions.ordered { $0.key < $1.key }.prefix(20).map { "\"\($0.key)\": \(Self.text(of: $0.value))" }
        return more.isEmpty ? text : "\(text) (\(more.joined(separator: ", ")))"
    }

    /// Advice to look up the problem's type, which clients should rely on (RFC 9457, 3.1.1); nil when there is none.
    public var failureNextStep: String? {
        type.isEmpty || type == "about:blank" ? nil : "Look up this problem type: \(type)"
    }

    private static func text(of value: JSONValue) -> String {
        let text = (try? JSONEncoder().encode(value)).map { String(decoding: $0.prefix(2000), as: UTF8.self) } ?? "?"
        return text.count > 300 ? "\(text.prefix(300))…" : text
    }

    private static func sentence(_ text: String) -> String {
        text.last.map { ".!?…".contains($0) } == true ? text : text + "."
    }
}

extension ProblemDetails: StatusMeaning {
    /// The status of the origin server, which an intermediary may have replaced with 200.
    package var meantStatus: Int? { status }

    /// It is advisory (RFC 9457, 3.1.2): where the response's own status is one of a failure, that decides.
    package var meansMore: Bool { false }

    /// The problem type, which clients should rely on (RFC 9457, 3.1.1).
    package var serviceCode: String? { type == "about:blank" ? nil : type }
}

extension ProblemDetails: JSONValueReadable {
    package init(reading value: JSONValue) throws {
        self.init(try [String: JSONValue](reading: value))
    }
}

extension ProblemDetails: CustomStringConvertible, CustomReflectable {
    /// The type, the title and the detail, secrets redacted.
    public var description: String {
        Self.shown([type, title, detail].compactMap { $0 }.joined(separator: ": "))
    }

    /// On one line: what a service says must not pass for lines of a log.
    private static func shown(_ text: String) -> String {
        Redaction.shown(Excerpt.cut(text, to: 4000))
    }

    /// The same with only the names of the other members: their values may be anything.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "problem": description, "status": status as Any,
                "instance": instance.map(Self.shown) as Any,
                "extensions": extensions.keys.ordered(by: <),
            ], displayStyle: .struct)
    }
}
