public import BackstopCore
public import Foundation

/// An endpoint whose answer is JSON, with or without an envelope around it.
///
/// ```swift
/// struct Book: Decodable, Sendable { var id: Int; var title: String }
///
/// struct Books: JSONEndpoint {
///     struct Envelope: Decodable { var data: [Book] }      // the server answers {"data": [...]}
///     func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books") }
///     func content(from root: Envelope) throws -> [Book] { root.data }
/// }
/// ```
/// Without an envelope, `Content` alone is enough: `typealias Content = [Book]`.
public protocol JSONEndpoint<Content>: Endpoint {
    /// What the answer means.
    associatedtype Content

    /// What the JSON is decoded into. Default: `Content`.
    associatedtype Root: Decodable = Content

    /// The decoder. Default: a `JSONDecoder` with its default settings.
    var decoder: JSONDecoder { get }

    /// Takes the content out of the decoded root.
    func content(from root: Root) throws -> Content
}

extension JSONEndpoint {
    /// A decoder with the default settings.
    public var decoder: JSONDecoder {
        JSONDecoder()
    }

    /// Decodes the body.
    ///
    /// - Throws: ``DecodingFailure`` that names the JSON path, what was expected and what was found.
    public func content(from response: HTTP.Response) throws -> Content {
        try content(from: response.json(Root.self, decoder: decoder))
    }
}

extension JSONEndpoint where Root == Content {
    /// The root is the content.
    public func content(from root: Root) throws -> Content {
        root
    }
}

extension HTTP.Response {
    /// Decodes the body as JSON.
    ///
    /// A body that nests deeper than `DecodingFailure.depthLimit` is refused before the decoder sees it.
    ///
    /// - Throws: ``DecodingFailure`` that names the JSON path, what was expected and what was found.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws(DecodingFailure) -> Value {
        do {
            return try JSONBody.decode(type, from: body, decoder: decoder)
        } catch {
            throw decodingFailure(error, decoding: type)
        }
    }

    /// Says what an error in reading the body means.
    func decodingFailure(_ error: any Error, decoding type: Any.Type) -> DecodingFailure {
        DecodingFailure(error, decoding: type, from: body, contentType: headers[.contentType])
    }
}
