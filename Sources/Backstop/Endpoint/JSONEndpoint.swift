public import BackstopCore
public import Foundation

/// An endpoint whose response is JSON, with or without an envelope.
///
/// ```swift
/// nonisolated struct Book: Decodable, Sendable { var id: Int; var title: String }
///
/// struct Books: JSONEndpoint {
///     struct Envelope: Decodable { var data: [Book] }      // the server answers {"data": [...]}
///     func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books") }
///     func content(from root: Envelope) throws -> [Book] { root.data }
/// }
/// ```
/// Without an envelope, `Content` alone is enough: `typealias Content = [Book]`. An optional one, `Book?`, is nil for a
/// 204 and for an empty body, also where there is an envelope around it.
public protocol JSONEndpoint<Content>: Endpoint {
    /// What the answer means. The default is refused by the compiler, in words: say it, or write `content(from:)`.
    associatedtype Content = MissingContent

    /// The type that the JSON is decoded into. Default: `Content`.
    associatedtype Root: Decodable = Content

    /// The decoder. Default: the client's (`options.values.decoder`), else one with the default settings.
    var decoder: JSONDecoder { get }

    /// Returns the content of the decoded root.
    func content(from root: Root) throws -> Content
}

extension JSONEndpoint {
    /// The client's, else one with the default settings.
    public var decoder: JSONDecoder {
        JSONCoding.current.decoder ?? JSONDecoder()
    }

    /// Decodes the body.
    ///
    /// - Throws: ``DecodingFailure`` that names the JSON path, what was expected and what was found.
    public func content(from response: HTTP.Response) throws -> Content {
        if let empty = response.emptyValue(as: Content.self) {
            return empty
        }
        return try content(from: response.json(Root.self, decoder: decoder))
    }
}

extension JSONEndpoint where Root == Content {
    /// The root is the content.
    public func content(from root: Root) throws -> Content {
        root
    }
}

/// Stands for the content of a ``JSONEndpoint`` that does not say what its JSON means; nothing is ever decoded into it.
public struct MissingContent: Decodable, Sendable {
    /// Always fails.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "The endpoint has no content"))
    }
}

extension JSONEndpoint where Root == MissingContent, Content == MissingContent {
    /// Only there to be refused with words that say what to write.
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
    /// A body that nests deeper than `DecodingFailure.depthLimit` is refused before the decoder sees it. A 204, or a
    /// body with nothing but white space, is nil where the type is optional.
    ///
    /// - Parameters:
    ///   - type: What the body is decoded into.
    ///   - decoder: What decodes it; nil for the client's, else one with the default settings.
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

    /// The value of an optional type for a 204 and for a body with nothing in it; nil where there is something to read,
    /// and for any other type.
    func emptyValue<Value>(as type: Value.Type) -> Value? {
        // The white space of JSON (RFC 8259, 2), of which a body with content has little at its start.
        guard status == 204 || body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            let optional = type as? any OptionalContent.Type
        else {
            return nil
        }
        return optional.emptyValue as? Value
    }

    /// Says what an error in reading the body means.
    func decodingFailure(_ error: any Error, decoding type: Any.Type) -> DecodingFailure {
        DecodingFailure(error, decoding: type, from: body, contentType: headers[.contentType])
    }
}

/// A type that has a value for nothing.
private protocol OptionalContent {
    static var emptyValue: Any { get }
}

extension Optional: OptionalContent {
    fileprivate static var emptyValue: Any { Wrapped?.none as Any }
}
