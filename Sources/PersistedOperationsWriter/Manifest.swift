import BackstopGraphQLSyntax

/// The list of operations that a server shall know, in the format of Apollo's persisted query manifests.
struct Manifest: Sendable {
    /// The manifest as JSON, whose order and spaces depend on nothing but the operations.
    let text: String

    /// Lists operations, sorted by name.
    init(operations: [PersistedOperation]) {
        let entries = operations.sorted { $0.name < $1.name }.map { operation in
            """
                {
                  "id": "\(operation.hash)",
                  "body": \(Self.string(operation.text)),
                  "name": \(Self.string(operation.name)),
                  "type": "\(operation.kind.rawValue)"
                }
            """
        }
        let list = entries.isEmpty ? "[]" : "[\n\(entries.joined(separator: ",\n"))\n  ]"
        text = """
            {
              "format": "apollo-persisted-query-manifest",
              "version": 1,
              "operations": \(list)
            }

            """
    }

    /// A string of JSON with its quotation marks.
    private static func string(_ text: String) -> String {
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

    /// The operations of several targets as one list.
    ///
    /// An operation that two targets have word for word is listed once; two different operations of one name are an
    /// error, because a server tells operations apart by name in its reports.
    static func merged(_ targets: [[PersistedOperation]]) -> (operations: [PersistedOperation], errors: [String]) {
        var first: [String: PersistedOperation] = [:]
        var errors: [String] = []
        for operation in targets.joined() {
            if let other = first[operation.name] {
                guard other.text != operation.text else { continue }
                let place = "\(other.file):\(other.location)"
                errors.append(operation.error("another operation \"\(operation.name)\" exists already, at \(place)"))
            } else {
                first[operation.name] = operation
            }
        }
        return (first.values.sorted { $0.name < $1.name }, errors)
    }
}
