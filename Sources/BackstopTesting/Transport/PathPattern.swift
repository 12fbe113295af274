/// A path in which `*` matches one segment and `**` any number.
struct PathPattern: Sendable {
    private let segments: [Substring]

    init(_ path: String) {
        segments = path.split(separator: "/")
    }

    /// Whether a path matches; slashes at the ends are ignored.
    func matches(_ path: String) -> Bool {
        Self.matches(path.split(separator: "/")[...], segments[...])
    }

    private static func matches(_ path: ArraySlice<Substring>, _ pattern: ArraySlice<Substring>) -> Bool {
        guard let first = pattern.first else {
            return path.isEmpty
        }
        if first == "**" {
            return (path.startIndex...path.endIndex).contains { matches(path[$0...], pattern.dropFirst()) }
        }
        guard let segment = path.first, first == "*" || first == segment else {
            return false
        }
        return matches(path.dropFirst(), pattern.dropFirst())
    }
}
