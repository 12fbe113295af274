internal import Backstop
internal import BackstopCore
internal import Foundation

/// One GraphQL call on its way, as interceptors see it: which operation, with which variables.
struct OperationCall: CallKey, Sendable {
    static let defaultValue: OperationCall? = nil

    let document: GraphQL.Document
    /// The variables as JSON, with sorted keys; nil when there are none.
    let variables: Data?
    /// The operation's own extensions, by name, their values as JSON.
    let extensions: [(name: String, json: String)]
    let options: GraphQL.Options
    /// Where the response came from, as the cache says it.
    let origin = ResponseOrigin()
    /// Whether an interceptor inside the cache adds the credentials.
    var isAuthenticatedInside = false

    /// - Throws: `GraphQLFailure.encodingError` when variables or extensions cannot be encoded.
    init<Operation: GraphQL.Operation>(
        _ operation: Operation, options: GraphQL.Options, encoder: JSONEncoder? = nil
    ) throws {
        document = operation.document
        self.options = options
        do {
            let encoder = (operation.encoder ?? options.encoder ?? encoder ?? JSONEncoder()).sortingKeys()
            variables = try Self.variables(of: operation, by: encoder)
            extensions = try operation.extensions.sorted { $0.key < $1.key }.map { name, value in
                (name, String(decoding: try JSONEncoder().sortingKeys().encode(value), as: UTF8.self))
            }
        } catch {
            guard case .request(let known) = Failure.Reason(classifying: error) else {
                throw GraphQLFailure.encodingError(
                    RequestError(
                        .encoding, "Variables or extensions of \(document.name) could not be encoded", underlying: error
                    ))
            }
            throw GraphQLFailure.encodingError(known)
        }
    }

    /// The variables as JSON; nil when there are none.
    private static func variables<Operation: GraphQL.Operation>(
        of operation: Operation, by encoder: JSONEncoder
    ) throws -> Data? {
        // Also asked where there is no type for them: an operation may write them by itself.
        let json = try operation.encodedVariables(by: encoder)
        let (found, problem) = json.withUnsafeBytes { (JSONScan.locate([], in: $0), JSONScan.firstProblem(in: $0)) }
        let kind = found?.kind ?? "nothing"
        guard kind == "object" || kind == "null" else {
            throw RequestError(
                .encoding,
                "The variables of \(operation.document.name) are encoded as \(kind), but must be a JSON object: make them a "
                    + "structure whose properties have the names of the variables")
        }
        // They become a part of the message as they are. Deeper than a response may be is not wrong here.
        if let problem, !problem.isTooDeep {
            throw RequestError(
                .encoding, "The variables of \(operation.document.name) are encoded as no JSON: \(problem.message)")
        }
        let isNothing = Operation.Variables.self == GraphQL.NoVariables.self && found?.keys.isEmpty == true
        return kind == "null" || isNothing ? nil : json
    }
}

extension JSONEncoder {
    /// The same settings with sorted keys, so that equal values give equal texts. It is a copy: somebody else may be
    /// using this one.
    fileprivate func sortingKeys() -> JSONEncoder {
        // A subclass may do more than its settings say.
        guard Swift.type(of: self) == JSONEncoder.self, !outputFormatting.contains(.sortedKeys) else {
            return self
        }
        let copy = JSONEncoder()
        copy.outputFormatting = outputFormatting.union([.sortedKeys, .withoutEscapingSlashes])
        copy.dateEncodingStrategy = dateEncodingStrategy
        copy.dataEncodingStrategy = dataEncodingStrategy
        copy.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
        copy.keyEncodingStrategy = keyEncodingStrategy
        copy.userInfo = userInfo
        return copy
    }
}

/// What is put on the wire.
struct WireMessage {
    /// How the operation is named to the server.
    enum Identity {
        /// By its text.
        case text(String)
        /// By its hash alone, after the protocol of persisted queries.
        case hash(String)
        /// By its hash and its text, so that the server learns it.
        case both(hash: String, text: String)
        /// By its identifier, after the draft of GraphQL over HTTP.
        case documentID(String)
    }

    /// Apollo Server refuses a GET that a page of another site could have made a browser send, unless it has a header
    /// that browsers ask about first.
    static let preflight: HTTP.Headers.Name = "Apollo-Require-Preflight"

    let call: OperationCall
    let identity: Identity

    /// The members of the message, their values as JSON.
    private var members: [(name: String, json: String)] {
        var members: [(String, String)] = []
        if case .documentID(let id) = identity {
            members.append(("documentId", JSONWriter.quoted(id)))
        }
        // An operation without a name has nothing that a server could look for.
        if !call.document.name.isEmpty {
            members.append(("operationName", JSONWriter.quoted(call.document.name)))
        }
        if let variables = call.variables {
            members.append(("variables", String(decoding: variables, as: UTF8.self)))
        }
        var extensions = call.extensions
        switch identity {
        case .hash(let hash), .both(let hash, _):
            let hash = JSONWriter.quoted(DocumentIdentifier.bare(hash))
            extensions.removeAll { $0.name == "persistedQuery" }
            extensions.append(("persistedQuery", #"{"version":1,"sha256Hash":\#(hash)}"#))
        case .text, .documentID:
            break
        }
        if !extensions.isEmpty {
            members.append(("extensions", JSONWriter.object(extensions.map { ($0.name, $0.json) })))
        }
        switch identity {
        case .text(let text), .both(_, let text): members.append(("query", JSONWriter.quoted(text)))
        case .hash, .documentID: break
        }
        return members
    }

    /// Gives a request this message, as the body of a POST or in the query of a GET.
    func applied(to request: HTTP.Request, byGET: Bool) throws -> HTTP.Request {
        var request = request
        request.url = Self.withoutMembers(of: request)
        guard byGET, call.document.kind == .query else {
            request.method = .post
            request.headers[.contentType] = "application/json"
            if call.options.headers[Self.preflight] == nil {
                request.headers.remove(Self.preflight)
            }
            request.body = .data(Data(JSONWriter.object(members.map { ($0.name, $0.json) }).utf8))
            return request
        }
        let items = members.map { member in
            // Texts stand for themselves; only variables and extensions are JSON.
            switch (member.name, identity) {
            case ("operationName", _): URLQueryItem(name: member.name, value: call.document.name)
            case ("documentId", .documentID(let id)): URLQueryItem(name: member.name, value: id)
            case ("query", .text(let text)), ("query", .both(_, let text)): URLQueryItem(name: member.name, value: text)
            default: URLQueryItem(name: member.name, value: member.json)
            }
        }
        request.method = .get
        request.headers.remove(.contentType)
        if request.headers[Self.preflight] == nil {
            request.headers[Self.preflight] = "true"
        }
        request.body = .none
        request.url = try HTTP.Request(.get, request.url.absoluteString, queryItems: items).url
        return request
    }

    /// The URL of a request without the message that it has already when it was made for GET; the rest of its query,
    /// which may be the base URL's, stays.
    private static func withoutMembers(of request: HTTP.Request) -> URL {
        guard request.method == .get,
            var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false),
            let items = parts.percentEncodedQueryItems
        else {
            return request.url
        }
        let names: Set = ["documentId", "operationName", "variables", "extensions", "query"]
        let rest = items.filter { !names.contains($0.name) }
        parts.percentEncodedQueryItems = rest.isEmpty ? nil : rest
        return parts.url ?? request.url
    }
}
