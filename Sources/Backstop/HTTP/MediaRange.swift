/// A media type with its parameters, in which `*` matches anything (RFC 9110, 8.3.1 and 12.5.1).
struct MediaRange {
    private let type: String
    private let subtype: String
    private let parameters: [String: String]

    /// Reads a type; nil when it is malformed.
    init?(_ text: String) {
        guard text.utf8.count <= 1000 else {
            return nil
        }
        let parts = FieldText.parts(of: text.lowercased(), at: ";")
        let names = parts[0].split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        guard names.count == 2, FieldText.isToken(names[0]), FieldText.isToken(names[1]),
            names[0] == "*" || !names[0].contains("*"),
            !names[1].dropFirst().contains("*"), !names[1].hasPrefix("*") || names[1] == "*" || names[1].hasPrefix("*+")
        else {
            return nil
        }
        var parameters: [String: String] = [:]
        // An empty parameter, as after a trailing semicolon, is ignored.
        for part in parts.dropFirst() where !part.isEmpty {
            let name = String(part.prefix { $0 != "=" })
            let value = String(part.dropFirst(name.count + 1))
            let isQuoted = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
            guard FieldText.isToken(name), isQuoted || FieldText.isToken(value) else {
                return nil
            }
            parameters[name] = value.filter { $0 != "\"" && $0 != "\\" }
        }
        // The weight in `Accept` is not part of a type.
        parameters["q"] = nil
        type = names[0]
        subtype = names[1]
        self.parameters = parameters
    }

    private var isJSON: Bool {
        subtype == "json" || subtype.hasSuffix("+json")
    }

    /// How its characters are encoded, in lower case; nil if it does not say so.
    var charset: String? { parameters["charset"] }

    /// Whether it is `*/*`, which needs no type.
    var isAnything: Bool {
        type == "*" && subtype == "*" && parameters.isEmpty
    }

    /// Whether a type is in this range: it must have each parameter of the range. JSON without a charset is UTF-8
    /// (RFC 8259, 8.1).
    func includes(_ other: MediaRange) -> Bool {
        let fitsType = type == "*" || type == other.type
        let fitsSubtype =
            subtype == "*" || subtype == other.subtype
            || subtype.hasPrefix("*+") && other.subtype.hasSuffix(subtype.dropFirst())
                && other.subtype.utf8.count > subtype.utf8.count - 1
        return fitsType && fitsSubtype
            && parameters.allSatisfy { name, value in
                other.parameters[name] == value
                    || other.parameters[name] == nil && other.isJSON && name == "charset" && value == "utf-8"
            }
    }
}
