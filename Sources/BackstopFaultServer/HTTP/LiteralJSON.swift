#if Demo
    /// Writes JSON to the letter: keys keep their order, which an encoder does not promise.
    enum LiteralJSON {
        /// A string with its quotes.
        static func string(_ text: String) -> String {
            var result = "\""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"": result += "\\\""
                case "\\": result += "\\\\"
                case "\n": result += "\\n"
                case "\r": result += "\\r"
                case "\t": result += "\\t"
                case _ where scalar.value < 0x20:
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                default: result.unicodeScalars.append(scalar)
                }
            }
            return result + "\""
        }

        /// `{"error":true,"reason":"..."}`
        static func failure(_ reason: String) -> String {
            "{\"error\":true,\"reason\":\(string(reason))}"
        }

        /// An array of strings.
        static func strings(_ values: [String]) -> String {
            list(values.map(string))
        }

        /// An array of JSON texts.
        static func list(_ values: [String]) -> String {
            "[" + values.joined(separator: ",") + "]"
        }

        /// An object whose values are JSON texts; members without a value are left out.
        static func object(_ members: [(name: String, json: String?)]) -> String {
            let written = members.compactMap { name, json in json.map { "\(string(name)):\($0)" } }
            return "{" + written.joined(separator: ",") + "}"
        }
    }
#endif
