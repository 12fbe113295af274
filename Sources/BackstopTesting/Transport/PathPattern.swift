internal import Foundation

/// A path in which `*` matches one segment and `**` any number.
package struct PathPattern: Sendable {
    private let segments: [Substring]

    package init(_ path: String) {
        segments = Self.segments(path)
    }

    /// Whether the path of a URL matches; slashes at the ends are ignored. An encoded slash belongs to its segment.
    func matches(_ url: URL) -> Bool {
        matches(path: URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? url.path)
    }

    /// The same for a percent-encoded path.
    package func matches(path: String) -> Bool {
        Self.matches(Self.segments(path)[...], segments[...])
    }

    private static func segments(_ path: String) -> [Substring] {
        path.split(separator: "/").map { Substring($0.removingPercentEncoding ?? String($0)) }
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
