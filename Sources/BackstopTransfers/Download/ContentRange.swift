/// The part that a response has (RFC 9110, 14.4).
struct ContentRange: Equatable {
    /// The first byte; nil in an answer that has none.
    var first: Int64?
    /// The last byte.
    var last: Int64?
    /// The number of bytes of the whole; nil when the server does not know it.
    var total: Int64?

    init?(_ text: String?) {
        guard let text, text.utf8.count <= 100 else {
            return nil
        }
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else {
            return nil
        }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            return nil
        }
        func number(_ text: Substring) -> Int64? {
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
        }
        if parts[1] != "*" {
            guard let total = number(parts[1]) else {
                return nil
            }
            self.total = total
        }
        guard parts[0] != "*" else {
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]), first <= last,
            last < total ?? .max
        else {
            return nil
        }
        (self.first, self.last) = (first, last)
    }
}
