internal import BackstopCore
package import Foundation

extension CallContext {
    /// Whether credentials may go to a URL: to the origin of the client's base URL, and to others that were named.
    /// Where they may not, the trace says so.
    package func isOwn(_ url: URL, or others: [String] = []) -> Bool {
        let base = (subject as? ContentReader)?.origin
        if let base, base.isPrefix(of: url) {
            return true
        }
        let origin = RequestURL.origin(of: url)
        guard origin != base?.text, !others.contains(origin) else {
            return true
        }
        note("authentication", "no credentials for \(origin), which is not an origin of this client")
        return false
    }
}
