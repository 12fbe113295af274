internal import BackstopCore

/// One thing that a service can be asked: how the request is made, and what its answer means.
///
/// ```swift
/// struct Cover: Endpoint {
///     let id: Int
///     func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books/\(id)/cover") }
///     func content(from response: HTTP.Response) throws -> Data { response.body }
/// }
/// ```
/// Use ``JSONEndpoint`` where the answer is JSON, and ``EmptyEndpoint`` where there is none.
public protocol Endpoint<Content>: Sendable {
    /// What the answer means.
    associatedtype Content: Sendable

    /// What the call is named in logs, traces and reports. Default: the type's name.
    var name: String { get }

    /// Makes the request; its target is a path below the client's base URL, or a whole URL.
    ///
    /// - Throws: `RequestError`; any other error comes out as `request.invalid`.
    func makeRequest() throws -> HTTP.Request

    /// Reads the content of a response that the chain accepted. It runs inside the chain.
    ///
    /// - Throws: `DecodingFailure`, `DecodingError`, or an error of your own.
    func content(from response: HTTP.Response) throws -> Content
}

extension Endpoint {
    /// The name of the type, without module and generic arguments.
    public var name: String {
        TypeName.short(Self.self)
    }
}

/// An endpoint whose answer's body is of no interest.
///
/// ```swift
/// struct Ping: EmptyEndpoint {
///     func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "ping") }
/// }
/// ```
public protocol EmptyEndpoint: Endpoint where Content == Void {}

extension EmptyEndpoint {
    /// Whatever the answer's body is, it is ignored.
    public func content(from response: HTTP.Response) throws {}
}
