/// The name of a type as written in code.
package enum TypeName {
    /// How many characters a name has.
    package static let limit = 120

    /// The name alone, without module and generic arguments: `Retry`.
    package static func short(_ type: Any.Type) -> String {
        String(String(describing: type).prefix { $0 != "<" })
    }

    /// The name with the types around it, without modules: `Shelf.Content`, `[Book]`, `[String: Book]`, `Book?`,
    /// `Page<Book>`; inside of another type, arrays and the like have their names, `Page<Array<Book>>`. Bounded.
    package static func text(_ type: Any.Type) -> String {
        if let type = type as? any Sugared.Type { return Excerpt.cut(type.name, to: limit) }
        // Longer names are cut before they are read.
        var rest = Substring(String(reflecting: type).unicodeScalars.prefix(4000))
        var result = ""
        // Whether a name that others follow is a module.
        var isFirst = true
        while let sign = rest.first {
            if rest.hasPrefix("(unknown context at ") || rest.hasPrefix("(extension in ") {
                // What a private or local type is in, or where its outer type is extended.
                rest = rest.drop { $0 != ")" }.dropFirst(2)
                continue
            }
            let name = rest.prefix { !".<>,()[]&?: ".contains($0) }
            rest = rest.dropFirst(max(1, name.count))
            if name.isEmpty {
                result.append(sign)
                isFirst = sign != "."
            } else if isFirst, rest.first == "." {
                rest.removeFirst()
                isFirst = false
            } else {
                result += name
            }
        }
        return Excerpt.cut(Excerpt.printable(result), to: limit)
    }
}

/// A type whose name is written in another way.
private protocol Sugared {
    static var name: String { get }
}

extension Array: Sugared {
    fileprivate static var name: String { "[\(TypeName.text(Element.self))]" }
}

extension Dictionary: Sugared {
    fileprivate static var name: String { "[\(TypeName.text(Key.self)): \(TypeName.text(Value.self))]" }
}

extension Optional: Sugared {
    fileprivate static var name: String {
        let name = TypeName.text(Wrapped.self)
        return name.contains(" ") && !name.hasPrefix("[") ? "(\(name))?" : "\(name)?"
    }
}
