internal import BackstopCore

/// One kind of call to a service: how its request is made and what the response means.
///
/// ```swift
/// struct Cover: Endpoint {
///     let id: Int
///     func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books/\(id)/cover") }
///     func content(from response: HTTP.Response) throws -> Data { response.body }
/// }
/// ```
/// Use ``JSONEndpoint`` for JSON responses, and ``EmptyEndpoint`` if the body does not matter.
public protocol Endpoint<Content>: Sendable {
    /// The content of the response.
    associatedtype Content: Sendable

    /// The call's name in logs, traces and reports. Default: the type's name.
    var name: String { get }

    /// What the request asks for, unless it has an `Accept` of its own. Default: nil, anything; of a ``JSONEndpoint``,
    /// `application/json`.
    var accept: String? { get }

    /// Makes the request; its target is a path relative to the client's base URL, or an absolute URL.
    ///
    /// - Throws: `RequestError`; any other error becomes `request.invalid`.
    func makeRequest() throws -> HTTP.Request

    /// Reads the content of an accepted response. It runs inside the chain.
    ///
    /// - Throws: `DecodingFailure`, `DecodingError`, or an error of your own.
    func content(from response: HTTP.Response) throws -> Content
}

extension Endpoint {
    /// The name of the type, without module and generic arguments.
    public var name: String {
        TypeName.short(Self.self)
    }

    /// Nil: anything.
    public var accept: String? { nil }
}

/// An endpoint that ignores the response's body.
///
/// ```swift
/// struct Ping: EmptyEndpoint {
///     func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "ping") }
/// }
/// ```
public protocol EmptyEndpoint: Endpoint where Content == Void {}

extension EmptyEndpoint {
    /// Ignores the body, unless it is that of a failure that no interceptor has judged.
    public func content(from response: HTTP.Response) throws {
        try response.requireContent()
    }
}
