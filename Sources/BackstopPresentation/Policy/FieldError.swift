public import Backstop
public import BackstopCore
internal import Foundation

/// An error of a service that knows which fields of a form it is about.
///
/// It is presented inline, at those fields, without any rule of the app's, unless its status has nothing to do with the
/// input: 401, 403, 404, 407, 410, what may pass (408, 425, 429), and faults of the server from 500 on.
///
/// ```swift
/// struct NameError: APIError, FieldError {
///     static let identifyingKeys = ["error", "reason"]
///     let reason: String
///     var failureMessage: String? { reason }
///     var field: String? { "userName" }
/// }
/// ```
public protocol FieldError: ServiceError {
    /// The field's name in the app; nil when the error is about none, or about several.
    var field: String? { get }
    /// All fields that it is about, of which the first 20 count, with the service's words for each. Default: ``field``,
    /// without words.
    var fieldDetails: [FieldDetail] { get }
}

extension FieldError {
    /// The one field, without words.
    public var fieldDetails: [FieldDetail] {
        field.map { [FieldDetail($0)] } ?? []
    }
}

/// What a service says about one field of a form.
///
/// ```swift
/// struct Refusal: APIError, FieldError {  // {"message": "...", "errors": {"age": ["The age must be a number."]}}
///     static let identifyingKeys = ["message", "errors"]
///     let message: String
///     let errors: JSONValue
///     var field: String? { nil }
///     var fieldDetails: [FieldDetail] { FieldDetail.all(in: errors) }
/// }
/// ```
/// People see the words only where a rule says that they are for them:
/// `Present(error: Refusal.self, as: .inline(showsDetails: true))`.
public struct FieldDetail: Sendable, Hashable {
    /// The field's name, as the service writes it.
    public let field: String
    /// The service's words; nil for none.
    public let detail: String?

    /// Makes the detail of a field.
    public init(_ field: String, detail: String? = nil) {
        self.field = field
        self.detail = detail
    }

    /// How many fields of an error count, how many sentences about one, and how many characters of a name.
    static let limits = (fields: 100, sentences: 5, name: 1000)

    /// The entries of a member `errors`, at most 100: a list of objects with `pointer` and `detail` (RFC 9457, 3), or an
    /// object with a text or a list of texts for each field, as ASP.NET and Laravel send it. Of a pointer, `#/userName` is
    /// the field `userName`, and `#/address/street` is `address/street`, escapes resolved (RFC 6901, 4 and 6).
    ///
    /// - Returns: The fields, in the order of the list or by name. Entries about no field are left out, and members that
    ///   say nothing about theirs: null, false, and what is empty or blank.
    public static func all(in errors: JSONValue?) -> [FieldDetail] {
        switch errors {
        case .array(let entries):
            merged(
                entries.prefix(limits.fields).map { entry in
                    FieldDetail(name(of: bounded(entry["pointer"]?.string ?? "")), detail: entry["detail"]?.string)
                })
        case .object(let members):
            merged(
                members.sorted { $0.key < $1.key }.lazy.map { (name: bounded($0.key), texts: texts(in: $0.value)) }
                    .filter { !$0.texts.isEmpty }.prefix(limits.fields).flatMap { name, texts in
                        let name = name.hasPrefix("$") ? String(name.drop { $0 == "$" || $0 == "." }) : name
                        return texts.map { FieldDetail(name, detail: $0) }
                    })
        default:
            []
        }
    }

    /// One detail for each field, with all sentences about it, under its first name.
    static func merged(_ details: [FieldDetail]) -> [FieldDetail] {
        var names: [String] = []
        var texts: [String: [String]] = [:]
        for detail in details where !detail.field.isEmpty {
            let name = plain(detail.field)
            if texts[name] == nil {
                names.append(detail.field)
            }
            texts[name, default: []] += [detail.detail].compactMap { $0 }
        }
        return names.map { name in
            let text = Presentation.sentences(Array((texts[plain(name)] ?? []).prefix(limits.sentences)))
            return FieldDetail(name, detail: text.isEmpty ? nil : text)
        }
    }

    /// What the names of one field have in common: all but case, and slashes for dots.
    static func plain(_ name: String) -> String {
        String(name.lowercased().map { $0 == "." ? "/" : $0 })
    }

    /// As much of a name as counts: a server chooses it.
    static func bounded(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(limits.name)))
    }

    /// A text for each thing that a value says about a field, nil for one without words.
    private static func texts(in value: JSONValue) -> [String?] {
        guard case .array(let elements) = value else {
            return saysSomething(value) ? [value.string] : []
        }
        return elements.lazy.filter(saysSomething).prefix(limits.sentences).map(\.string)
    }

    private static func saysSomething(_ value: JSONValue) -> Bool {
        ![.null, false, [], [:]].contains(value) && value.string?.allSatisfy(\.isWhitespace) != true
    }

    private static func name(of pointer: String) -> String {
        // Only as the fragment of a URL it is percent-encoded; what cannot be decoded is taken as it stands.
        let path = pointer.hasPrefix("#") ? pointer.removingPercentEncoding ?? pointer : pointer
        return path.drop { $0 == "#" || $0 == "/" }.replacingOccurrences(of: "~1", with: "/")
            .replacingOccurrences(of: "~0", with: "~")
    }
}

extension ProblemDetails: FieldError {
    /// The field of the extension `errors`, if it is about one.
    public var field: String? {
        let details = fieldDetails
        return details.count == 1 ? details[0].field : nil
    }

    /// The fields of the extension `errors`.
    public var fieldDetails: [FieldDetail] {
        FieldDetail.all(in: extensions["errors"])
    }
}
