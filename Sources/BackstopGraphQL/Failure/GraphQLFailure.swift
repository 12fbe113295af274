public import Backstop
public import BackstopCore

/// How a GraphQL call failed, according to the service or its response.
///
/// It is reached from any failure: `failure.graphQL`, or `failure.error(as: GraphQLFailure.self)`. People read neutral
/// words, because servers write the messages of errors for developers. Where some are for people, say which:
///
/// ```swift
/// var options = CallOptions()
/// options.showToPeople(GraphQLFailure.self) { failure in
///     failure.errors.first?.extension("userMessage", as: String.self)
/// }
/// ```
public enum GraphQLFailure: ServiceError, FailureReasonConvertible {
    /// Errors, and no data that could be used.
    case serviceErrors(GraphQL.ErrorList)
    /// Errors and data, where the call wants all or nothing (`failsOnPartialData`).
    case recoverableError(GraphQL.PartialData)
    /// Data that does not fit the operation's type, with the errors that came beside it.
    case decodingError(GraphQL.UnreadableData)
    /// The variables could not be encoded; nothing was sent.
    case encodingError(RequestError)
    /// The body is not a JSON object.
    case invalidData(DecodingFailure)
    /// A JSON object with neither data nor errors, or with `"data": null` and no word why.
    case missingData
    /// The server did not know a persisted query, and did not learn it when it was sent in full.
    case persistedQueryNotFound(name: String)
    /// The server does not know a document whose text only it has.
    case unknownDocument(name: String)

    /// `graphQL.errors`, `graphQL.partialData`, `graphQL.missingData`, ...
    public var failureCode: String {
        switch self {
        case .serviceErrors: "graphQL.errors"
        case .recoverableError: "graphQL.partialData"
        case .decodingError: "graphQL.decodingError"
        case .encodingError: "graphQL.encodingError"
        case .invalidData: "graphQL.invalidData"
        case .missingData: "graphQL.missingData"
        case .persistedQueryNotFound: "graphQL.persistedQueryNotFound"
        case .unknownDocument: "graphQL.unknownDocument"
        }
    }

    /// To look at the field that the first error is about, or at what its code means; nil where the status says more.
    public var failureNextStep: String? {
        switch self {
        case .serviceErrors, .recoverableError: errors.first?.nextStep
        case .missingData: "Look at the server: it must answer with data, with errors, or with both."
        case .persistedQueryNotFound: "Look at the server's store of queries: it took the text and did not keep it."
        case .unknownDocument: "Give the server this version of the documents, before the app asks for them."
        case .decodingError, .encodingError, .invalidData: nil
        }
    }

    /// A document that the server did not learn is not learned by asking again; for the rest the response's status
    /// decides.
    public var isTransient: Bool? {
        switch self {
        case .persistedQueryNotFound, .unknownDocument: false
        default: nil
        }
    }

    /// Decoding failures and requests that could not be made count as such; the rest is what the service says.
    public var failureReason: Failure.Reason {
        switch self {
        case .decodingError(let data): .decoding(data.failure)
        case .invalidData(let failure): .decoding(failure)
        case .encodingError(let error): .request(error)
        default: .service(self)
        }
    }

    /// The errors of the service; empty for the cases without.
    public var errors: [GraphQL.Error] {
        switch self {
        case .serviceErrors(let list): list.errors
        case .recoverableError(let partial): partial.errors
        case .decodingError(let data): data.errors
        default: []
        }
    }
}

extension GraphQLFailure: StatusMeaning {
    /// The status that the first error's code stands for, since GraphQL answers 200 to most errors.
    package var meantStatus: Int? {
        switch errors.first?.code {
        case "UNAUTHENTICATED": 401
        case "FORBIDDEN": 403
        case "NOT_FOUND": 404
        case "BAD_USER_INPUT": 400
        case "INTERNAL_SERVER_ERROR": 500
        default: nil
        }
    }
}

extension GraphQL.Error {
    /// What to do about the error: by its code, its path, or its place in the document.
    fileprivate var nextStep: String? {
        let shownCode = code.map { " (code \($0))" } ?? ""
        switch code {
        case "UNAUTHENTICATED":
            return "Send credentials, or renew those that were sent (code UNAUTHENTICATED)."
        case "BAD_USER_INPUT":
            return "Correct the operation's variables (code BAD_USER_INPUT)."
        case "GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED":
            return "Compare the document with the server's schema\(place)\(shownCode)."
        default:
            break
        }
        if let path, !path.elements.isEmpty {
            return "Look at the field \(path)\(shownCode) on the server."
        }
        if let code {
            return "Look up what the server means by the code \(code)."
        }
        return locations.isEmpty ? nil : "Compare the document with the server's schema\(place)."
    }

    private var place: String {
        locations.first.map { ", at line \($0.line), column \($0.column)" } ?? ""
    }
}

extension GraphQLFailure: CustomStringConvertible {
    /// What is wrong, in a sentence for developers.
    public var description: String {
        switch self {
        case .serviceErrors(let list):
            GraphQL.Error.said(list.errors, after: "The response has errors: ")
        case .recoverableError(let partial):
            GraphQL.Error.said(partial.errors, after: "The data came with errors: ")
        case .decodingError(let data):
            data.failure.explanation + GraphQL.Error.said(data.errors, after: " The response has errors as well: ")
        case .invalidData(let failure):
            failure.explanation
        case .encodingError(let error):
            error.description
        case .missingData:
            "The response has neither data nor errors."
        case .persistedQueryNotFound(let name):
            "The server did not know the persisted query \(name), and did not learn it when it was sent in full."
        case .unknownDocument(let name):
            "The server does not know the document \(name), whose text only it has."
        }
    }
}

extension GraphQL.Error {
    /// The first errors in a line; empty when there are none.
    fileprivate static func said(_ errors: [GraphQL.Error], after beginning: String) -> String {
        guard !errors.isEmpty else {
            return ""
        }
        let more = errors.count > 3 ? "; and \(errors.count - 3) more" : ""
        return beginning + errors.prefix(3).map(\.description).joined(separator: "; ") + more
    }
}

extension GraphQL {
    /// Data that does not fit the operation's type.
    public struct UnreadableData: Sendable {
        /// Where it does not fit, what was expected and what stands there.
        public let failure: DecodingFailure
        /// The errors that came with it; empty when there were none.
        public let errors: [GraphQL.Error]
        /// The response's `extensions`; empty when there are none.
        public let extensions: [String: JSONValue]

        /// Makes it, for tests of handlers.
        public init(
            failure: DecodingFailure, errors: [GraphQL.Error] = [], extensions: [String: JSONValue] = [:]
        ) {
            self.failure = failure
            self.errors = errors
            self.extensions = extensions
        }
    }

    /// The errors of a response without usable data.
    public struct ErrorList: Sendable {
        /// The errors, at least one.
        public let errors: [GraphQL.Error]
        /// The response's `extensions`; empty when there are none.
        public let extensions: [String: JSONValue]
        /// Why the data that came with them could not be used: a null that one of them explains; nil when there was
        /// none.
        public let decodingFailure: DecodingFailure?

        /// Makes a list, for tests of handlers.
        public init(
            errors: [GraphQL.Error], extensions: [String: JSONValue] = [:], decodingFailure: DecodingFailure? = nil
        ) {
            self.errors = errors
            self.extensions = extensions
            self.decodingFailure = decodingFailure
        }
    }

    /// Partial data and the errors that came with it.
    public struct PartialData: Sendable {
        /// The errors, at least one.
        public let errors: [GraphQL.Error]
        /// The response's `extensions`; empty when there are none.
        public let extensions: [String: JSONValue]
        private let value: any Sendable

        /// Makes it from a result.
        public init(_ result: GraphQL.Result<some Sendable>) {
            errors = result.errors
            extensions = result.extensions
            value = result.data
        }

        /// The data; nil when it is of another type.
        public func data<Data>(as type: Data.Type = Data.self) -> Data? {
            value as? Data
        }

        /// The data of an operation; nil when it is that of another.
        public func data<Operation: GraphQL.Operation>(of type: Operation.Type) -> Operation.Data? {
            value as? Operation.Data
        }
    }
}
