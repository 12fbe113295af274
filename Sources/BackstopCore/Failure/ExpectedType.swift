/// Puts Swift types into words that fit JSON.
enum ExpectedType {
    /// The name of a type, bounded.
    static func name(_ type: Any.Type) -> String {
        Excerpt.cut(String(describing: type), to: 80)
    }

    /// A type as what should stand in JSON: `a number (Double)`, `a string (String)`, `an object`.
    static func described(_ type: Any.Type) -> String {
        let name = name(type)
        switch name {
        case "String": return "a string (String)"
        case "Bool": return "true or false (Bool)"
        case "Double", "Float", "Float16", "Float80", "CGFloat", "Decimal": return "a number (\(name))"
        case "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
            "UInt128":
            return "a whole number (\(name))"
        default:
            // The decoder's own containers stand for "an object" and "an array"; their element types say nothing.
            if name.hasPrefix("Dictionary<") { return "an object" }
            if name.hasPrefix("Array<") { return "an array" }
            return "a value for \(name)"
        }
    }
}
