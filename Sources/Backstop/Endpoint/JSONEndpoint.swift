public import BackstopCore
public import Foundation

/// An endpoint whose response is JSON, with or without an envelope.
///
/// ```swift
/// nonisolated struct Book: Decodable, Sendable { var id: Int; var title: String }
///
/// struct Books: JSONEndpoint {
///     struct Envelope: Decodable { var data: [Book] }      // the server sends {"data": [...]}
///     func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books") }
///     func content(from root: Envelope) throws -> [Book] { root.data }
/// }
/// ```
/// Without an envelope, `Content` alone is enough: `typealias Content = [Book]`. An optional one, `Book?`, is nil for a
/// 204 and for an empty body, even with an envelope around it.
public protocol JSONEndpoint<Content>: Endpoint {
    /// The content. Without it the compiler says what to write: this, or `content(from:)`.
    associatedtype Content = MissingContent

    /// The type that the JSON is decoded into. Default: `Content`.
    associatedtype Root: Decodable = Content

    /// The type of ``decoder``.
    associatedtype DecoderType: EndpointDecoder = JSONDecoder

    /// The decoder. Default: the client's (`options.values.decoder`), else one with the default settings. An optional one
    /// does not compile; a `static` one is never used.
    var decoder: DecoderType { get }

    /// Returns the content of the decoded root.
    func content(from root: Root) throws -> Content
}

extension JSONEndpoint where DecoderType == JSONDecoder {
    /// The client's, else one with the default settings.
    public var decoder: JSONDecoder {
        JSONCoding.current.decoder ?? JSONDecoder()
    }
}

extension JSONEndpoint {
    /// `application/json`
    public var accept: String? { "application/json" }

    /// Decodes the body.
    ///
    /// - Throws: ``DecodingFailure`` that names the JSON path, what was expected and what was found.
    public func content(from response: HTTP.Response) throws -> Content {
        try response.requireContent()
        if let empty = response.emptyValue(as: Content.self) {
            return empty
        }
        return try content(from: response.json(Root.self, decoder: decoder.jsonDecoder))
    }
}

extension JSONEndpoint where Root == Content {
    /// The root is the content.
    public func content(from root: Root) throws -> Content {
        root
    }
}

/// The content of a ``JSONEndpoint`` that does not declare one; it is never decoded.
public struct MissingContent: Decodable, Sendable {
    /// Always fails.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "The endpoint has no content"))
    }
}

extension JSONEndpoint where Root == MissingContent, Content == MissingContent {
    /// Exists only to be refused, with a message that says what to write.
    @available(
        *, unavailable,
        message: "say what the JSON means: typealias Content = Book, or func content(from root: Envelope) throws"
    )
    public func content(from root: MissingContent) throws -> MissingContent {
        root
    }
}

extension HTTP.Response {
    /// Decodes the body as JSON.
    ///
    /// A body nested deeper than `DecodingFailure.depthLimit` is refused before the decoder sees it. For an optional
    /// type, a 204 or a body of only white space becomes nil.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder; nil for the client's, else one with default settings.
    /// - Throws: `DecodingFailure` that names the JSON path, what was expected and what was found.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self, decoder: JSONDecoder? = nil
    ) throws(DecodingFailure) -> Value {
        if let empty = emptyValue(as: type) {
            return empty
        }
        do {
            return try JSONBody.decode(
                type, from: body, decoder: decoder ?? JSONCoding.current.decoder ?? JSONDecoder())
        } catch {
            throw decodingFailure(error, decoding: type)
        }
    }

    /// The value of an optional type for a 204 and for an empty body; nil when there is something to decode, and for
    /// any other type.
    func emptyValue<Value>(as type: Value.Type) -> Value? {
        // The white space of JSON (RFC 8259, 2); a body with content has little at its start.
        guard status == 204 || body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            let optional = type as? any OptionalContent.Type
        else {
            return nil
        }
        return optional.emptyValue as? Value
    }

    /// Explains an error in decoding the body.
    func decodingFailure(_ error: any Error, decoding type: Any.Type) -> DecodingFailure {
        DecodingFailure(error, decoding: type, from: body, contentType: headers[.contentType])
    }
}

/// A type with a value for an empty body.
private protocol OptionalContent {
    static var emptyValue: Any { get }
}

extension Optional: OptionalContent {
    fileprivate static var emptyValue: Any { Wrapped?.none as Any }
}
