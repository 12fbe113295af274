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
        let path = Self.segments(path)
        var (index, next) = (0, 0)
        // Behind the last `**`, and how far it reaches. Only that one may have to take more: what an earlier one leaves
        // to it, it takes as well.
        var back: (next: Int, index: Int)?
        while index < path.count {
            let segment = next < segments.count ? segments[next] : nil
            if segment == "**" {
                next += 1
                back = (next, index)
            } else if segment == "*" || segment == path[index] {
                (index, next) = (index + 1, next + 1)
            } else if let last = back {
                (next, index) = (last.next, last.index + 1)
                back = (next, index)
            } else {
                return false
            }
        }
        return segments[next...].allSatisfy { $0 == "**" }
    }

    /// The segments, decoded; what stands behind the first 1000 is one.
    private static func segments(_ path: String) -> [Substring] {
        path.split(separator: "/", maxSplits: 1000).map { Substring($0.removingPercentEncoding ?? String($0)) }
    }
}
