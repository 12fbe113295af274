internal import Backstop
internal import BackstopCore
internal import Foundation

/// Splits bytes into lines, which end with LF or CRLF.
struct Lines: Sendable {
    /// How long a line may be, unless somebody says otherwise.
    static let standardLength = 1 << 20

    /// How many bytes a line may have.
    let longest: Int
    /// The beginning of a line whose end has not come.
    private var rest = Data()

    init(longest: Int) {
        self.longest = max(1, longest)
    }

    /// Takes some bytes.
    ///
    /// - Throws: `TransportError` with `.tooLarge` for a line that is too long; what is thrown for a line.
    mutating func parse(_ chunk: Data, _ put: (Data) throws -> Void) throws {
        var start = chunk.startIndex
        while let end = Self.end(of: chunk, from: start) {
            let part = chunk[start..<end]
            start = chunk.index(after: end)
            guard !rest.isEmpty else {
                try check(part.count, endsWithCR: part.last == 0x0D)
                try put(Self.withoutCR(part))
                continue
            }
            var line = rest
            rest = Data()
            line.append(part)
            try check(line.count, endsWithCR: line.last == 0x0D)
            try put(Self.withoutCR(line))
        }
        try check(rest.count + chunk.distance(from: start, to: chunk.endIndex), endsWithCR: chunk.last == 0x0D)
        rest.append(chunk[start...])
    }

    /// Takes the end: what is left is a line as well.
    mutating func end(_ put: (Data) throws -> Void) rethrows {
        guard !rest.isEmpty else {
            return
        }
        let line = rest
        rest = Data()
        try put(Self.withoutCR(line))
    }

    /// Where the first line ends; nil if it does not. Over the bytes themselves, which is many times faster than over `Data`.
    private static func end(of chunk: Data, from start: Int) -> Int? {
        chunk.withUnsafeBytes { bytes in
            bytes[(start - chunk.startIndex)...].firstIndex(of: 0x0A).map { $0 + chunk.startIndex }
        }
    }

    private func check(_ count: Int, endsWithCR: Bool) throws {
        guard count - (endsWithCR ? 1 : 0) <= longest else {
            throw TransportError(
                .tooLarge, phase: .receiving, detail: "A line of the stream has more than the \(longest) bytes accepted"
            )
        }
    }

    private static func withoutCR(_ line: Data) -> Data {
        line.last == 0x0D ? line.dropLast() : line
    }
}
