/// How often a stub was used.
public struct StubUsage: Sendable, Hashable, CustomStringConvertible {
    /// The position in the script, from 1.
    public let position: Int
    /// The stub in a few words.
    public let step: String
    /// How many requests it responded to.
    public let used: Int
    /// How many of them were abandoned before their response: cancelled, or past a time limit.
    public let cancelled: Int
    /// How many requests it answers; nil for any number.
    public let limit: Int?

    /// Whether it answered all its requests; for any number, whether it answered one.
    public var isUsed: Bool {
        used >= limit ?? 1
    }

    /// Position, stub and, if it is for several requests, how many it answered.
    public var description: String {
        let count =
            switch limit {
            case 1: ""
            case nil: ", answered \(used)"
            case .some(let limit): ", answered \(used) of \(limit)"
            }
        return "\(position). \(step)\(count)"
    }
}
