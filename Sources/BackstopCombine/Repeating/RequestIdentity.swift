internal import Backstop
internal import Foundation

/// What a request asks for, without its headers: two requests that are equal ask for the same.
///
/// A body in memory counts by its bytes, of which only a hash is kept; a file by its path; a stream not at all.
struct RequestIdentity: Sendable, Hashable {
    private let method: HTTP.Method
    private let url: URL
    private let body: Body

    private enum Body: Sendable, Hashable {
        case data(count: Int, hash: Int)
        case file(URL)
        case stream
    }

    init(_ request: HTTP.Request) {
        method = request.method
        url = request.url
        if let data = request.body.data {
            body = .data(count: data.count, hash: Self.hash(of: data))
        } else {
            body = request.body.file.map { .file($0) } ?? .stream
        }
    }

    /// Whether two that are equal certainly ask for the same: not with a stream, whose bytes are unknown.
    var isWhole: Bool {
        body != .stream
    }

    /// The hash of all bytes; that of `Data` covers only the first.
    private static func hash(of data: Data) -> Int {
        var hasher = Hasher()
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
