/// How much of a body was handed over while it arrived.
public struct TransferReport: Sendable, Equatable {
    /// How many bytes of the body were handed over, decoded if the server compressed them.
    public var bytes: Int64
    /// How many elements were made of them: lines, values, chunks.
    public var elements: Int64
    /// How many bytes the server has announced; nil when it has not, or the body is compressed.
    public var expected: Int64?
    /// How many calls it took: more than one if it went on after a loss.
    public var legs: Int

    /// Makes a report, for previews and for tests of handlers.
    public init(bytes: Int64 = 0, elements: Int64 = 0, expected: Int64? = nil, legs: Int = 1) {
        self.bytes = bytes
        self.elements = elements
        self.expected = expected
        self.legs = legs
    }
}

extension TransferReport {
    /// The numbers in words: `1.2 KB had been handed over, and 3 elements were made of them`.
    package var sentence: String {
        let handed = "\(ByteCount.text(bytes)) had been handed over"
        return elements == 0
            ? handed : "\(handed), and \(elements) element\(elements == 1 ? " was" : "s were") made of them"
    }

    /// The number of elements for a line that has that of the bytes: `3 elements`; nil for none.
    package var count: String? {
        elements == 0 ? nil : "\(elements) element\(elements == 1 ? "" : "s")"
    }
}
