internal import Backstop
internal import Foundation

/// Which operations share a connection: those that would open it in the same way, so that none runs with the credentials
/// of another.
struct SocketKey: Hashable, Sendable {
    /// The payload of the first message, with sorted keys; nil for none.
    let payload: Data?
    /// The fields of the request that opens it.
    let headers: HTTP.Headers

    /// Hashes all bytes; `Data` only hashes the first 80.
    func hash(into hasher: inout Hasher) {
        payload?.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(headers)
    }
}
