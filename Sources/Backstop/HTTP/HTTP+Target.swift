public import BackstopCore
public import Foundation

extension HTTP {
    /// The target of a request: a string, a URL, or path segments.
    ///
    /// A `String` is a path below the client's base URL, or a whole `http` or `https` URL. What it may not have is
    /// percent-encoded, character by character; what is encoded stays. Dot segments are resolved, encoded ones too
    /// (RFC 3986, 5.2.4). A path that leads above the base URL is refused, also one that does so only on servers that
    /// decode `%2F` first, such as `..%2Fadmin`.
    ///
    /// An array of strings is a path below the base URL, of which each element is one segment, whatever is in it: take
    /// it for what a person typed or a server sent. A server that decodes `%2F` before it looks for dot segments, as
    /// nginx does, sees several segments all the same: where yours does, check what is no plain name.
    ///
    /// ```swift
    /// func show(_ id: String) throws -> HTTP.Request {
    ///     try HTTP.Request(.get, ["users", id])  // an id of "../admin" is sent as users/..%2Fadmin
    /// }
    /// ```
    public protocol Target: Sendable {
        /// The target as a text in which everything is encoded that would have another meaning.
        ///
        /// - Throws: `RequestError` with `.invalidURL` for a target that cannot be sent to.
        func targetText() throws(RequestError) -> String
    }
}

extension String: HTTP.Target {
    /// The text itself.
    public func targetText() throws(RequestError) -> String {
        self
    }
}

extension URL: HTTP.Target {
    /// The whole URL; a path when it is relative to nothing.
    public func targetText() throws(RequestError) -> String {
        absoluteString
    }
}

extension Array: HTTP.Target where Element == String {
    /// The segments, each percent-encoded whole.
    ///
    /// - Throws: `RequestError` with `.invalidURL` for a segment that is empty, `.` or `..`: servers take their
    ///   encoded forms for the same, so they cannot be sent as names.
    public func targetText() throws(RequestError) -> String {
        for segment in self where segment.isEmpty || segment == "." || segment == ".." {
            throw RequestError(
                .invalidURL,
                "\"\(segment)\" cannot be a segment of a path, since it would lead to another one: check the value, or "
                    + "write the path as a text")
        }
        return map { URLText.unreserved.encoded($0.utf8) }.joined(separator: "/")
    }
}
