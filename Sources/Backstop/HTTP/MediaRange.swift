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
        let parts = Self.split(text)
        let names = parts[0].split(separator: "/", omittingEmptySubsequences: false).map { $0.lowercased() }
        guard names.count == 2, HTTP.Headers.isToken(names[0]), HTTP.Headers.isToken(names[1]),
            names[0] == "*" || !names[0].contains("*"),
            !names[1].dropFirst().contains("*"), !names[1].hasPrefix("*") || names[1] == "*" || names[1].hasPrefix("*+")
        else {
            return nil
        }
        var parameters: [String: String] = [:]
        // An empty parameter, as after a trailing semicolon, is ignored.
        for part in parts.dropFirst() where !part.isEmpty {
            guard let equals = part.firstIndex(of: "="), HTTP.Headers.isToken(String(part[..<equals])) else {
                return nil
            }
            let value = part[part.index(after: equals)...]
            guard value.hasPrefix("\"") ? value.count > 1 && value.hasSuffix("\"") : HTTP.Headers.isToken(String(value))
            else {
                return nil
            }
            parameters[part[..<equals].lowercased()] = value.filter { $0 != "\"" && $0 != "\\" }.lowercased()
        }
        // The weight in `Accept` is not part of a type.
        parameters["q"] = nil
        type = names[0]
        subtype = names[1]
        self.parameters = parameters
    }

    /// The parts between semicolons, trimmed; a semicolon in quotes does not count.
    private static func split(_ text: String) -> [String] {
        var parts: [[Character]] = [[]]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == ";", !isQuoted {
                parts.append([])
                continue
            }
            if character == "\"", !isEscaped {
                isQuoted.toggle()
            }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            parts[parts.count - 1].append(character)
        }
        return parts.map { part in
            let start = part.drop { $0 == " " || $0 == "\t" }
            return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
    }

    private var isJSON: Bool {
        subtype == "json" || subtype.hasSuffix("+json")
    }

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
