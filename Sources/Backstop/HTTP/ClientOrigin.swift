internal import Foundation

/// The origin of a client's base URL.
final class ClientOrigin: Sendable {
    /// Scheme, host and port.
    let text: String
    /// How URLs of this origin begin, as the client writes them.
    private let beginning: String

    init(_ base: URL) {
        text = RequestURL.origin(of: base)
        let whole = base.absoluteString
        // Up to the third slash.
        let authority = whole.range(of: "://").map { whole[$0.upperBound...].prefix { $0 != "/" } } ?? ""
        beginning = authority.isEmpty ? "" : whole[..<authority.endIndex] + "/"
    }

    /// Whether a URL certainly has this origin; most have, and this costs less than reading its parts.
    func isPrefix(of url: URL) -> Bool {
        !beginning.isEmpty && url.absoluteString.utf8.starts(with: beginning.utf8)
    }
}
