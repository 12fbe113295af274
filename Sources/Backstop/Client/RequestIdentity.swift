internal import Foundation

/// What a request asks for, without its headers: two requests that are equal ask for the same.
///
/// A body in memory counts by its bytes, a file by its path; a stream not at all, nor a form with a random boundary.
package struct RequestIdentity: Sendable, Hashable {
    private let method: HTTP.Method
    private let url: URL
    private let body: Body

    private enum Body: Sendable, Hashable {
        case data(Data)
        case hash(Int, count: Int)
        case file(URL)
        case stream
    }

    /// - Parameter keepsBody: Whether to compare bytes, and not their hash.
    package init(_ request: HTTP.Request, keepsBody: Bool) {
        method = request.method
        url = request.url
        let isForm = request.body.original.contentType?.hasPrefix("multipart/") == true
        if let data = request.body.data, !isForm {
            body = keepsBody ? .data(data) : .hash(Self.hash(of: data), count: data.count)
        } else {
            body = request.body.file.map { .file($0) } ?? .stream
        }
    }

    /// Whether two that are equal certainly ask for the same: not with a stream, whose bytes are unknown.
    package var isWhole: Bool {
        body != .stream
    }

    /// Whether both have the same method and URL.
    func hasTarget(of other: RequestIdentity) -> Bool {
        method == other.method && url == other.url
    }

    /// The hash of all bytes; that of `Data` covers only the first.
    private static func hash(of data: Data) -> Int {
        var hasher = Hasher()
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
