internal import Backstop
internal import BackstopCore
internal import Foundation

/// A GraphQL response: data, errors and extensions, each read once from its own bytes.
struct ResponseEnvelope<Content: Decodable & Sendable> {
    /// The data; nil when it is absent, null, or could not be decoded.
    var data: Content?
    /// Whether it is there, and null.
    let isNull: Bool
    /// Why the data could not be decoded; nil when it could, or when it is absent or null.
    let unreadable: UnreadableContent?
    var errors: [GraphQL.Error]
    let extensions: GraphQL.Extensions

    /// A problem with data that could not be decoded.
    struct UnreadableContent {
        let failure: DecodingFailure
        /// The field, if the mismatch is a null; nil otherwise.
        let nullField: GraphQL.Path?
    }

    /// Reads the envelope. Only the data goes to a decoder, so its settings do not affect the rest.
    ///
    /// - Throws: `GraphQLFailure.invalidData` for a body that is not a JSON object, or is nested deeper than
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
        return ResponseEnvelope(
            data: data, isNull: parts.isNull, unreadable: unreadable, errors: parts.errors,
            extensions: parts.extensions)
    }

    /// What the response means.
    ///
    /// - Parameter document: The operation's, which says in which order a mutation's fields run; nil where nobody asks.
    /// - Throws: ``GraphQLFailure``.
    func result(
        _ response: HTTP.Response, failsOnPartialData: Bool, of document: GraphQL.Document? = nil
    ) throws -> GraphQL.Result<Content> {
        guard let data else {
            // An error at its field, or one without a path, explains a null. Any other mismatch is a mistake, whatever
            // the errors say.
            if let unreadable, unreadable.nullField.map(errors.mayExplain) != true {
                throw GraphQLFailure.decodingError(unreadable.failure, errors: errors, extensions: extensions)
            }
            guard errors.isEmpty else {
                throw GraphQLFailure.errors(
                    errors, extensions: extensions, beside: unreadable?.failure,
                    hasData: unreadable != nil && ResponseRule.hasFields(in: response)
                        || document.map { hasRun($0, response) } == true)
            }
            throw GraphQLFailure.missingData
        }
        // Nothing came of a mutation, although its fields may be null.
        if let document, document.kind == .mutation, !errors.isEmpty,
            let fields = ResponseRule.nullFields(in: response), fields.count < 2 || unexplained(fields).isEmpty,
            fields.allSatisfy({ errors.mayExplain(GraphQL.Path([.key($0)])) })
        {
            throw GraphQLFailure.errors(
                errors, extensions: extensions, beside: nil, hasData: hasRun(document, response))
        }
        let result = GraphQL.Result(data: data, errors: errors, extensions: extensions, response: response)
        guard errors.isEmpty || !failsOnPartialData else {
            throw GraphQLFailure.partialData(result)
        }
        return result
    }

    /// The fields of the root at which an error is.
    private var failed: Set<GraphQL.Path.Element> { Set(errors.compactMap { $0.path?.elements.first }) }

    /// Those of some fields at which none is: they may have run.
    private func unexplained(_ fields: [String]) -> [String] {
        fields.filter { !failed.contains(.key($0)) }
    }

    /// Whether a field of a mutation may have run before the last that failed, and has not failed itself.
    private func hasRun(_ document: GraphQL.Document, _ response: HTTP.Response) -> Bool {
        guard document.kind == .mutation else {
            return false
        }
        guard !ResponseRule.failedInFields(response) else {
            return true
        }
        let nulls = ResponseRule.nullFields(in: response)
        guard !failed.isEmpty || (nulls?.count ?? 0) > 1 else {
            // Before the execution began, there is no data, not even null (GraphQL, 7.1).
            // With data, the execution went on, and a code that nobody knows refuses nothing.
            return (isNull || nulls != nil)
                && errors.contains {
                    $0.code == nil || $0.statusOfWait != nil || nulls != nil && $0.meantStatus == nil
                }
        }
        if let nulls {
            return !unexplained(nulls).isEmpty
        }
        guard document.text != nil else {
            // Most have one field: what refuses the caller is believed, what offers another try is not.
            return errors.first?.statusOfWait != nil
        }
        let fields = document.fields.map { GraphQL.Path.Element.key($0) }
        // One that is not among them stands in a fragment, whose other fields are not known.
        guard failed.isSubset(of: fields), let last = fields.lastIndex(where: failed.contains) else {
            return true
        }
        return fields[..<last].contains { !failed.contains($0) }
    }
}

extension ResponseEnvelope.UnreadableContent {
    init(_ error: any Error, decoding type: Any.Type, from bytes: Data, of response: HTTP.Response) {
        let decodingError = error as? DecodingError
        failure = DecodingFailure(
            decodingError?.belowData ?? error, decoding: type, from: response.body,
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

/// The known members of a response, separated.
private struct ResponseParts {
    /// The bytes of `data`; nil when it is absent or null.
    let data: Data?
    /// Whether `data` is there, and null.
    let isNull: Bool
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
                [String: JSONValue].self, .init(codingPath: [], debugDescription: "This is not an object."))
            let isJSON = body.withUnsafeBytes { JSONScan.firstProblem(in: $0) } == nil
            throw GraphQLFailure.invalidData(
                DecodingFailure(
                    isJSON ? error : DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "")),
                    decoding: type, from: body, contentType: response.headers[.contentType]))
        }
        func value(_ name: String) -> JSONValue? {
            members[name].flatMap { range in
                // A number beyond `Double`, such as 1e999, becomes null, so that it does not hide its neighbors.
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
        isNull = data == nil && members["data"] != nil
    }
}

extension DecodingError {
    /// The decoder's position.
    fileprivate var path: [any CodingKey] {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.codingPath
        @unknown default: []
        }
    }

    /// The same error for a value that is the member `data` of an object.
    fileprivate var belowData: DecodingError {
        func below(_ context: Context) -> Context {
            Context(
                codingPath: [MemberKey.data] + context.codingPath,
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
private enum MemberKey: String, CodingKey {
    case data
}
