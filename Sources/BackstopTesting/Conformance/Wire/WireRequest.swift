internal import Foundation

/// A request as a server received it, byte for byte.
struct WireRequest: Sendable {
    /// The number of the connection that it came on, from 1.
    let connection: Int
    /// The first line.
    let line: String
    /// The header fields as sent, names and order included.
    let fields: [(name: String, value: String)]
    /// The bytes of the body that have come, without the framing of chunks.
    var body: [UInt8] = []
    /// Whether the whole body has come.
    var isComplete = false

    /// Reads a head, without the empty line at its end.
    init(head: [UInt8], connection: Int) {
        self.connection = connection
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        line = lines.first ?? ""
        fields = lines.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            let value = line.dropFirst(name.count + 1)
            return (String(name), value.trimmingCharacters(in: .whitespaces))
        }
    }

    /// The method of the first line.
    var method: String { word(0) }

    /// The target of the first line.
    var target: String { word(1) }

    private func word(_ index: Int) -> String {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        return words.indices.contains(index) ? String(words[index]) : ""
    }

    /// All values of a field, whatever the case of its name.
    func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The length that the head announces; nil when it announces none.
    var length: Int? {
        values(of: "Content-Length").first.flatMap { Int($0) }
    }

    /// Whether the body comes in chunks.
    var isChunked: Bool {
        values(of: "Transfer-Encoding").last?.lowercased() == "chunked"
    }
}
