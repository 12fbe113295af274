internal import Foundation

/// An error body after RFC 9457, "Problem Details for HTTP APIs".
///
/// Developers see all of it; people read neutral words, because most servers write a problem's detail for developers.
/// Where yours writes it for people, say so:
///
/// ```swift
/// let client = try Client.standard(baseURL: "https://api.example.com").withOptions { options in
///     options.showToPeople(ProblemDetails.self) { $0.detail }
/// }
/// ```
/// What a type of problem means to the app is told by its members:
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

    /// Title, detail, type, occurrence and all other members: everything that the server says.
    public var failureExplanation: String {
        var words = [title, detail].compactMap { $0 }.filter { !$0.isEmpty }.map(Self.sentence)
        if words.count == 2, words[0] == words[1] {
            words.removeLast()
        }
        var text = words.isEmpty ? "The server sent problem details without words." : "The server says: "
        text += words.joined(separator: " ")
        var more = type == "about:blank" ? [] : ["type: \(type)"]
        more += instance.map { ["instance: \($0)"] } ?? []
        more += status.map { ["status: \($0)"] } ?? []
        more += extensions.sorted { $0.key < $1.key }.prefix(20).map { "\"\($0.key)\": \(Self.text(of: $0.value))" }
        return more.isEmpty ? text : "\(text) (\(more.joined(separator: ", ")))"
    }

    /// To look up the problem's type, which is what clients are to go by (RFC 9457, 3.1.1); nil when there is none.
    public var failureNextStep: String? {
        type.isEmpty || type == "about:blank" ? nil : "Look up this type of problem: \(type)"
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
    /// The status of the origin server, which something on the way may have replaced by 200.
    package var meantStatus: Int? { status }
}

extension ProblemDetails: JSONValueReadable {
    package init(reading value: JSONValue) throws {
        self.init(try [String: JSONValue](reading: value))
    }
}

extension ProblemDetails: CustomStringConvertible, CustomReflectable {
    /// The type, the title and the detail, secrets redacted.
    public var description: String {
        Redaction.shown([type, title, detail].compactMap { $0 }.joined(separator: ": "))
    }

    /// The same with the names of the other members: their values may be anything.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "problem": description, "status": status as Any,
                "instance": instance.map { Redaction.shown($0) } as Any,
                "extensions": extensions.keys.sorted(),
            ], displayStyle: .struct)
    }
}
