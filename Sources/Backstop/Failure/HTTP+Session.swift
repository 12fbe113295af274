internal import BackstopCore
internal import Foundation

extension HTTP.Request: SessionRequest {
    /// The last parts of paths at which people sign in, without hyphens and underscores.
    private static let signIns: Set<String> = [
        "login", "logon", "signin", "session", "sessions", "token", "authenticate", "auth",
    ]

    /// Whether it has a cookie, or a token other than a name and a password, and does not go to a sign-in.
    package var carriesSession: Bool {
        let last = url.lastPathComponent.lowercased().filter { $0 != "-" && $0 != "_" }
        guard !Self.signIns.contains(last) else {
            return false
        }
        let isToken = headers[.authorization].map { !$0.lowercased().hasPrefix("basic ") } ?? false
        return isToken || headers[.cookie] != nil
    }
}
