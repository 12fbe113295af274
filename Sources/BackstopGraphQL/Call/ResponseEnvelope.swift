internal import Backstop
internal import BackstopCore
internal import Foundation

/// A GraphQL response as it came: data, errors and extensions, each read once from its own bytes.
struct ResponseEnvelope<Content: Decodable & Sendable> {
    /// The data; nil when it is absent, null, or could not be decoded.
    let data: Content?
    /// Why the data could not be decoded; nil when it could, or when it is absent or null.
    let unreadable: UnreadableContent?
    let errors: [GraphQL.Error]
    let extensions: GraphQL.Extensions

    /// What is known of data that could not be decoded.
    struct UnreadableContent {
        let failure: DecodingFailure
        /// The field, where what did not fit is a null; nil where something else stands.
        let nullField: GraphQL.Path?
    }

    /// Reads the envelope. Only the data is given to a decoder, whose settings so have no influence on the rest.
    ///
    /// - Throws: `GraphQLFailure.invalidData` for a body that is not a JSON object, or nests deeper than
    ///   `DecodingFailure.depthLimit` levels.
    static func read(_ response: HTTP.Response, decoder: JSONDecoder = JSONDecoder()) throws -> ResponseEnvelope {
        let parts = try ResponseParts(response, decoding: GraphQL.Result<Content>.self)
        var data: Content?
        var unreadable: UnreadableContent?
        if let bytes = parts.data {
            do {
                data = try JSONBody.decode(Content.self, from: bytes, decoder: decoder)
            } catch {
                unreadable = UnreadableContent(error, decoding: Content.self, from: bytes, of: response)
            }
        }
        return ResponseEnvelope(data: data, unreadable: unreadable, errors: parts.errors, extensions: parts.extensions)
    }

    /// What the response means.
    ///
    /// - Throws: ``GraphQLFailure``.
    func result(_ response: HTTP.Response, failsOnPartialData: Bool) throws -> GraphQL.Result<Content> {
        guard let data else {
            // A null is explained by an error at its field, or by one of which the server does not say where. Anything
            // else that does not fit is a mistake, whatever stands in the errors.
            if let unreadable, unreadable.nullField.map(errors.mayExplain) != true {
                throw GraphQLFailure.decodingError(unreadable.failure, errors: errors, extensions: extensions)
            }
            guard errors.isEmpty else {
                throw GraphQLFailure.errors(
                    errors, extensions: extensions, decodingFailure: unreadable?.failure)
            }
            throw GraphQLFailure.missingData
        }
        let result = GraphQL.Result(data: data, errors: errors, extensions: extensions, response: response)
        guard errors.isEmpty || !failsOnPartialData else {
            throw GraphQLFailure.partialData(result)
        }
        return result
    }
}

extension ResponseEnvelope.UnreadableContent {
    init(_ error: any Error, decoding type: Any.Type, from bytes: Data, of response: HTTP.Response) {
        let decodingError = error as? DecodingError
        failure = DecodingFailure(
            decodingError?.below("data") ?? error, decoding: type, from: response.body,
            contentType: response.headers[.contentType])
        let steps = decodingError?.path.map { key -> JSONPathElement in
            key.intValue.map { .index($0) } ?? .key(key.stringValue)
        }
        let found = steps.flatMap { steps in bytes.withUnsafeBytes { JSONScan.locate(steps, in: $0) } }
        guard let steps, let found, found.kind == "null", found.depth == steps.count else {
            nullField = nil
            return
        }
        nullField = GraphQL.Path(
            steps.map { step in
                switch step {
                case .key(let key): .key(key)
                case .index(let index): .index(index)
                }
            })
    }
}

/// The members of a response that mean something, apart from one another.
private struct ResponseParts {
    /// The bytes of `data`; nil when it is absent or null.
    let data: Data?
    let errors: [GraphQL.Error]
    let extensions: GraphQL.Extensions

    /// - Throws: `GraphQLFailure.invalidData`
    init(_ response: HTTP.Response, decoding type: Any.Type) throws {
        let body = response.body
        let members = body.withUnsafeBytes { bytes in
            JSONScan.firstProblem(in: bytes) == nil
                ? JSONScan.topLevelMembers(["data", "errors", "extensions"], in: bytes) : nil
        }
        guard let members else {
            let error = DecodingError.typeMismatch(
                [String: JSONValue].self, .init(codingPath: [], debugDescription: "This is no object."))
            let isJSON = body.withUnsafeBytes { JSONScan.firstProblem(in: $0) } == nil
            throw GraphQLFailure.invalidData(
                DecodingFailure(
                    isJSON ? error : DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "")),
                    decoding: type, from: body, contentType: response.headers[.contentType]))
        }
        func value(_ name: String) -> JSONValue? {
            members[name].flatMap { range in
                // What no Double can hold, such as 1e999, is null: it must not hide what is beside it.
                body.withUnsafeBytes { bytes in
                    try? JSONValue.read(UnsafeRawBufferPointer(rebasing: bytes[range]), unrepresentable: .null)
                }
            }
        }
        errors = GraphQL.Error.list(in: value("errors"))
        if case .object(let members)? = value("extensions") {
            extensions = GraphQL.Extensions(members)
        } else {
            extensions = [:]
        }
        data = members["data"].flatMap { range in
            let bytes = body[(body.startIndex + range.lowerBound)..<(body.startIndex + range.upperBound)]
            return bytes.elementsEqual("null".utf8) ? nil : bytes
        }
    }
}

extension DecodingError {
    /// Where the decoder stood.
    fileprivate var path: [any CodingKey] {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.codingPath
        @unknown default: []
        }
    }

    /// The same error, of a value that is the member of an object.
    fileprivate func below(_ name: String) -> DecodingError {
        func below(_ context: Context) -> Context {
            Context(
                codingPath: [MemberKey(stringValue: name)] + context.codingPath,
                debugDescription: context.debugDescription, underlyingError: context.underlyingError)
        }
        return switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, below(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, below(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, below(context))
        case .dataCorrupted(let context): .dataCorrupted(below(context))
        @unknown default: self
        }
    }
}

/// The name of a member in the path of an error.
private struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}
