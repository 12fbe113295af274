internal import BackstopGraphQLSyntax
internal import Foundation

/// The operations for a server to accept, in the format of Apollo's persisted query manifests.
struct Manifest: Sendable {
    /// The manifest as JSON, whose order and spacing depend only on the operations.
    let text: String

    /// Lists operations, sorted by name.
    ///
    /// - Throws: What the encoder throws for a text that it cannot write.
    init(operations: [PersistedOperation]) throws {
        let entries = try operations.sorted { $0.name < $1.name }.map { operation in
            """
                {
                  "id": "\(operation.hash)",
                  "body": \(try Self.string(operation.text)),
                  "name": \(try Self.string(operation.name)),
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
    private static func string(_ text: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: try encoder.encode(text), as: UTF8.self)
    }

    /// The operations of several targets as one list.
    ///
    /// An identical operation of two targets is listed once; two different operations with one name are an error,
    /// because a server identifies operations by name in its reports.
    static func merged(_ targets: [[PersistedOperation]]) -> (operations: [PersistedOperation], errors: [String]) {
        var first: [String: PersistedOperation] = [:]
        var errors: [String] = []
        for operation in targets.joined() {
            if let other = first[operation.name] {
                guard other.text != operation.text else { continue }
                let place = "\(other.file):\(other.location)"
                errors.append(operation.error("another operation \"\(operation.name)\" already exists, at \(place)"))
            } else {
                first[operation.name] = operation
            }
        }
        return (first.values.sorted { $0.name < $1.name }, errors)
    }
}
