public import BackstopCore
public import Foundation

extension HTTP {
    /// The target of a request: a string, a URL, or path segments.
    ///
    /// A `String` is a path relative to the client's base URL, or an absolute `http` or `https` URL. Invalid characters
    /// are percent-encoded one by one; existing encoding is kept. Dot segments are resolved, even encoded ones (RFC
    /// 3986, 5.2.4). A path that leads above the base URL is refused, even one that does so only on servers that decode
    /// `%2F` first, such as `..%2Fadmin`.
    ///
    /// An array of strings is a path relative to the base URL, in which each element is one segment, whatever it
    /// contains: use it for input from a person or a server. A server that decodes `%2F` before it looks for dot
    /// segments, as nginx does, still sees several segments: if yours does, validate anything that is not a plain name.
    ///
    /// ```swift
    /// func show(_ id: String) throws -> HTTP.Request {
    ///     try HTTP.Request(.get, ["users", id])  // an id of "../admin" is sent as users/..%2Fadmin
    /// }
    /// ```
    public protocol Target: Sendable {
        /// The target as a string in which everything with a special meaning is encoded.
        ///
        /// - Throws: `RequestError` with `.invalidURL` for an unusable target.
        func targetText() throws(RequestError) -> String
    }
}

extension String: HTTP.Target {
    /// The string itself.
    public func targetText() throws(RequestError) -> String {
        self
    }
}

extension URL: HTTP.Target {
    /// The absolute URL, or the path of a relative one.
    public func targetText() throws(RequestError) -> String {
        absoluteString
    }
}

extension Array: HTTP.Target where Element == String {
    /// The segments, each fully percent-encoded.
    ///
    /// - Throws: `RequestError` with `.invalidURL` for a segment that is empty, `.` or `..`: servers treat their
    ///   encoded forms the same, so they cannot be sent as names.
    public func targetText() throws(RequestError) -> String {
        for segment in self where segment.isEmpty || segment == "." || segment == ".." {
            throw RequestError(
                .invalidURL,
                "\"\(segment)\" cannot be a segment of a path, since it would lead to another one: check the value, "
                    + "or write the path as a string")
        }
        return map { URLText.unreserved.encoded($0) }.joined(separator: "/")
    }
}
