/// Describes Swift types in the terms of JSON.
enum ExpectedType {
    /// A whole body: `JSON (Book)`; `JSON` for a type that is not known.
    static func json(_ type: Any.Type) -> String {
        type == Any.self ? "JSON" : "JSON (\(TypeName.text(type)))"
    }

    /// A type as an expected JSON value: `a number (Double)`, `a string (String)`, `an object`.
    static func described(_ type: Any.Type) -> String {
        if let wrapped = (type as? any OptionalType.Type)?.wrapped {
            return described(wrapped)
        }
        let name = TypeName.text(type)
        switch name {
        case "String": return "a string (String)"
        case "Date": return "a date (Date)"
        case "URL", "UUID": return "a \(name)"
        case "Bool": return "true or false (Bool)"
        case "Double", "Float", "Float16", "Float80", "CGFloat", "Decimal": return "a number (\(name))"
        case "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
            "UInt128":
            return "a whole number (\(name))"
        default:
            // The decoder's own containers mean "an object" and "an array"; their element types say nothing.
            let plain = String(describing: type)
            if plain.hasPrefix("Dictionary<") { return "an object" }
            if plain.hasPrefix("Array<") { return "an array" }
            return "a value for \(name)"
        }
    }
}

/// An optional type, whatever it wraps.
private protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}
