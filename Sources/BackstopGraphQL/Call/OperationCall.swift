internal import Backstop
internal import BackstopCore
internal import Foundation

/// A GraphQL call as interceptors see it: its operation and variables.
struct OperationCall: CallKey, Sendable {
    static let defaultValue: OperationCall? = nil

    let document: GraphQL.Document
    /// The variables as JSON, with sorted keys; nil when there are none.
    let variables: Data?
    /// The operation's own extensions by name, as JSON.
    let extensions: [(name: String, json: String)]
    let options: GraphQL.Options
    /// Where the response came from, recorded by the cache.
    let origin = Lock(GraphQL.Source.service)
    /// Whether an interceptor inside the cache adds the credentials.
    var isAuthenticatedInside = false

    /// - Parameters:
    ///   - document: The operation's document, read once.
    ///   - encoder: The encoder of the client's other calls; nil when it has none.
    /// - Throws: `RequestError` for a document that cannot be sent; `GraphQLFailure.encodingError` when variables or
    ///   extensions cannot be encoded.
    init<Operation: GraphQL.Operation>(
        _ operation: Operation, _ document: GraphQL.Document? = nil, options: GraphQL.Options,
        encoder: JSONEncoder? = nil
    ) throws {
        let document = document ?? operation.document
        self.document = document
        self.options = options
        if let mistake = document.mistake {
            throw RequestError(.invalid, "The document of \(document.subject) cannot be sent: \(mistake)")
        }
        do {
            let own = operation.coders.encoder
            let encoder =
                ClientCoders.isClients(own)
                ? (options.encoder ?? encoder ?? own).sortingKeys(isClients: true) : own.sortingKeys()
            variables = try Self.variables(of: operation, document, by: encoder)
            extensions = try operation.extensions.sorted { $0.key < $1.key }.map { name, value in
                (name, String(decoding: try JSONEncoder().sortingKeys().encode(value), as: UTF8.self))
            }
        } catch {
            guard case .request(let known) = Failure.Reason(classifying: error) else {
                throw GraphQLFailure.encodingError(
                    RequestError(
                        .encoding, "Variables or extensions of \(document.subject) could not be encoded",
                        underlying: error
                    ))
            }
            throw GraphQLFailure.encodingError(known)
        }
    }

    /// The variables as JSON; nil when there are none.
    private static func variables<Operation: GraphQL.Operation>(
        of operation: Operation, _ document: GraphQL.Document, by encoder: JSONEncoder
    ) throws -> Data? {
        // Called even without a type for them: an operation may encode them itself.
        let json = try operation.encodedVariables(by: encoder)
        let (found, problem) = json.withUnsafeBytes { (JSONScan.locate([], in: $0), JSONScan.firstProblem(in: $0)) }
        let kind = found?.kind ?? "nothing"
        guard kind == "object" || kind == "null" else {
            throw RequestError(
                .encoding,
                "The variables of \(operation.document.subject) are encoded as \(kind), but must be a JSON object: make them a "
                    + "structure whose properties have the names of the variables")
        }
        // They become part of the message unchanged. Here, they may be nested deeper than a response.
        if let problem, !problem.isTooDeep {
            throw RequestError(
                .encoding, "The variables of \(operation.document.subject) are encoded as no JSON: \(problem.message)")
        }
        // The service would have to refuse it (GraphQL, 6.1.2).
        func hasValues(of names: [String]) -> Bool {
            json.withUnsafeBytes { JSONScan.hasTopLevelKeys(names, in: $0) }
        }
        if !document.required.isEmpty, !hasValues(of: document.required),
            let missing = document.required.first(where: { !hasValues(of: [$0]) })
        {
            throw RequestError(
                .encoding,
                "\(document.subject) declares $\(missing), which must have a value, and its variables have none: give "
                    + "the operation `var variables`, a structure with a property for each variable")
        }
        let isNothing = Operation.Variables.self == GraphQL.NoVariables.self && found?.keys.isEmpty == true
        return kind == "null" || isNothing ? nil : json
    }
}
