internal import BackstopCore
package import Foundation

extension CallContext {
    /// Whether credentials may go to a URL: to the origin of the client's base URL, and to others that were named.
    /// Where they may not, the trace says so.
    package func isOwn(_ url: URL, or others: [String] = []) -> Bool {
        let origin = RequestURL.origin(of: url)
        guard origin != subject?.origin, !others.contains(origin) else {
            return true
        }
        note("authentication", "no credentials for \(origin), which is not an origin of this client")
        return false
    }
}

extension CallValues {
    /// The credentials that interceptors have added, by their hashes, with the further origins that get them.
    fileprivate var addedCredentials: [Int: [String]] {
        get { self[AddedCredentialsKey.self] }
        set { self[AddedCredentialsKey.self] = newValue }
    }

    private enum AddedCredentialsKey: CallKey {
        static let defaultValue: [Int: [String]] = [:]
    }
}

extension HTTP.Request: DepartingRequest {
    /// The same with credentials, which are sent only where they may go: an interceptor further inside may lead the
    /// request elsewhere.
    ///
    /// - Parameter origins: Those that get them, in addition to that of the client's base URL.
    package func signed(_ credentials: String, for origins: [String] = [], in context: CallContext) -> HTTP.Request {
        context.withValues { $0.addedCredentials[credentials.hashValue] = origins }
        return changed(self) { $0.headers[.authorization] = credentials }
    }

    /// Without the credentials that were added for another origin; nil when it has none.
    package func departing(in context: CallContext) -> (any DepartingRequest)? {
        guard let credentials = headers[.authorization],
            let origins = context.values.addedCredentials[credentials.hashValue], !context.isOwn(url, or: origins)
        else {
            return nil
        }
        return changed(self) { $0.headers[.authorization] = nil }
    }
}
