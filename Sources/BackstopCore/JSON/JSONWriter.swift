/// Writes the JSON of traces and reports without Foundation.
package enum JSONWriter {
    /// The text as a JSON string, quotes included.
    package static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            default:
                if scalar.value < 0x20 || scalar.value == 0x2028 || scalar.value == 0x2029 {
                    let hex = String(scalar.value, radix: 16)
                    out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
                } else {
                    out.unicodeScalars.append(scalar)
                }
            }
        }
        return out + "\""
    }

    /// The text as a JSON string, or `null`.
    package static func quoted(_ text: String?) -> String {
        text.map { quoted($0) } ?? "null"
    }

    /// A number with at most three decimals, from -10^15 to 10^15; 0 if it is not finite.
    package static func number(_ value: Double) -> String {
        guard value.isFinite else {
            return "0"
        }
        let rounded = (min(max(value, -1e15), 1e15) * 1000).rounded() / 1000
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    /// An object of members whose values are already JSON.
    package static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { quoted($0.0) + ":" + $0.1 }.joined(separator: ",") + "}"
    }
}
