/// The name of a type as written in code.
package enum TypeName {
    /// How many characters a name has.
    package static let limit = 120

    /// The name alone, without module and generic arguments: `Retry`.
    package static func short(_ type: Any.Type) -> String {
        String(String(describing: type).prefix { $0 != "<" })
    }

    /// The name with the types around it, without modules: `Shelf.Content`, `[Book]`, `[String: Book]`, `Book?`,
    /// `Page<Book>`. Bounded.
    package static func text(_ type: Any.Type) -> String {
        // Longer names are cut before they are parsed.
        var reader = Reader(rest: Substring(String(reflecting: type).unicodeScalars.prefix(4000)))
        let text = reader.type(depth: 0)
        let whole = reader.rest.isEmpty ? text : text + String(reader.rest)
        return Excerpt.cut(Excerpt.printable(whole), to: limit)
    }

    /// Parses the output of `String(reflecting:)`: names with modules, and generic types in full.
    private struct Reader {
        var rest: Substring

        /// The next type; anything unknown is left unchanged.
        mutating func type(depth: Int) -> String {
            guard depth < 32 else {
                defer { rest = "" }
                return "…"
            }
            if take("any ") { return "any " + type(depth: depth + 1) }
            if rest.hasPrefix("(extension in ") {
                rest = rest.drop { $0 != ":" }.dropFirst()
            }
            if rest.hasPrefix("("), !rest.hasPrefix("(unknown context at ") {
                rest.removeFirst()
                let parts = list(until: ")", depth: depth)
                return "(" + parts.joined(separator: ", ") + ")" + suffix(depth: depth)
            }
            var names: [String] = []
            repeat {
                if rest.hasPrefix("(") {
                    // A private or local type has a context without a name.
                    rest = rest.drop { $0 != ")" }.dropFirst()
                    continue
                }
                let name = rest.prefix { !".<>,()[]&? ".contains($0) }
                rest = rest.dropFirst(name.count)
                var text = String(name)
                if take("<") {
                    text = Self.generic(text, list(until: ">", depth: depth))
                }
                names.append(text)
            } while take(".")
            // The first of several names is the module.
            let text = names.dropFirst(names.count > 1 ? 1 : 0).joined(separator: ".")
            return text + suffix(depth: depth)
        }

        /// What may follow a type: `.Type`, another protocol of a composition, a result.
        private mutating func suffix(depth: Int) -> String {
            for mark in [" & ", " -> ", " async -> ", " throws -> ", " async throws -> "] where take(mark) {
                return mark + type(depth: depth + 1)
            }
            return ""
        }

        private mutating func list(until end: String, depth: Int) -> [String] {
            var parts: [String] = []
            while !rest.isEmpty, !take(end) {
                let before = rest.utf8.count
                // The name of an element of a tuple.
                let label = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                if rest.dropFirst(label.count).hasPrefix(": ") {
                    rest = rest.dropFirst(label.count + 2)
                    parts.append("\(label): " + type(depth: depth + 1))
                } else {
                    parts.append(type(depth: depth + 1))
                }
                _ = take(", ")
                if rest.utf8.count == before { rest = rest.dropFirst() }
            }
            return parts
        }

        private static func generic(_ name: String, _ arguments: [String]) -> String {
            switch (name, arguments.count) {
            case ("Array", 1): "[\(arguments[0])]"
            case ("Dictionary", 2): "[\(arguments[0]): \(arguments[1])]"
            case ("Optional", 1):
                arguments[0].contains(" ") && !arguments[0].hasPrefix("[") ? "(\(arguments[0]))?" : "\(arguments[0])?"
            default: "\(name)<\(arguments.joined(separator: ", "))>"
            }
        }

        private mutating func take(_ prefix: String) -> Bool {
            guard rest.hasPrefix(prefix) else { return false }
            rest = rest.dropFirst(prefix.count)
            return true
        }
    }
}
