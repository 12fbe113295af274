internal import Backstop
public import BackstopCore

/// Why a GraphQL call failed, according to the service or its response.
///
/// Get it from any failure with `failure.graphQL` or `failure.error(as: GraphQLFailure.self)`. People see neutral
/// texts, because servers write error messages for developers. If some are for people, say which:
///
/// ```swift
/// var options = CallOptions()
/// options.showToPeople(GraphQLFailure.self) { failure in
///     failure.errors.first?.extensions["userMessage"]
/// }
/// ```
public struct GraphQLFailure: ServiceError, FailureReasonConvertible, CompositeError {
    /// What is wrong.
    public let kind: Kind
    /// The service's errors, including those beside data; empty when there were none.
    public let errors: [GraphQL.Error]
    /// The `extensions` of the response; empty when there are none.
    public let extensions: GraphQL.Extensions
    /// Why the data, or the whole body, could not be decoded; nil when that is not the problem. With `.errors`, a null
    /// that one of the errors explains.
    public let decodingFailure: DecodingFailure?
    /// Why the request could not be created, with `.encodingError`; otherwise nil.
    public let requestError: RequestError?
    /// The name of the unknown document, with `.persistedQueryNotFound` and `.unknownDocument`; otherwise nil.
    public let documentName: String?
    private let partialData: (any Sendable)?
    /// Whether the response has a part of the data, which the call cannot use, or has lost that of a field that has run.
    private let hasData: Bool

    /// The service's errors.
    package var parts: [any Error] { errors }

    private init(
        _ kind: Kind, errors: [GraphQL.Error] = [], extensions: GraphQL.Extensions = [:],
        decodingFailure: DecodingFailure? = nil, requestError: RequestError? = nil, documentName: String? = nil,
        partialData: (any Sendable)? = nil, hasData: Bool = false
    ) {
        self.kind = kind
        self.errors = errors
        self.extensions = extensions
        self.decodingFailure = decodingFailure
        self.requestError = requestError
        self.documentName = documentName
        self.partialData = partialData
        self.hasData = hasData
    }

    /// The data that came with errors, if the call fails on partial data; nil when there is none, or it has another
    /// type.
    public func data<Data>(as type: Data.Type = Data.self) -> Data? {
        partialData as? Data
    }

    /// The data of an operation that came with errors; nil when there is none, or it is another operation's.
    public func data<Operation: GraphQL.Operation>(of type: Operation.Type) -> Operation.Data? {
        partialData as? Operation.Data
    }

    /// `graphQL.errors`, `graphQL.partialData`, `graphQL.missingData`, ...
    public var failureCode: String {
        "graphQL.\(kind)"
    }

    /// Advice about the field or the code of the first error; nil when the status says more.
    public var failureNextStep: String? {
        kind.nextStep ?? (classifiedReason.kind == "service" ? errors.first?.nextStep : nil)
    }

    /// A retry does not teach the server a document it did not learn; `RATE_LIMITED`, `TIMEOUT` and
    /// `SERVICE_UNAVAILABLE` may pass, whatever the status; otherwise, the response's status decides.
    public var isTransient: Bool? {
        kind.isTransient ?? errors.first?.statusOfWait.map { _ in true }
    }

    /// Decoding failures and request errors count as such; the rest are service errors.
    public var classifiedReason: Failure.Reason {
        switch kind {
        case .decodingError, .invalidData: decodingFailure.map { .decoding($0) } ?? .service(self)
        case .encodingError: requestError.map { .request($0) } ?? .service(self)
        default: .service(self)
        }
    }
}

extension GraphQLFailure {
    /// What is wrong with a GraphQL response or request. Later versions may add kinds.
    public struct Kind: FailureCode {
        /// The name: `missingData` of `service.graphQL.missingData`.
        public let name: String
        /// What happened, as a sentence for developers.
        public let explanation: String
        /// What a developer can do about it; nil when the errors, the status or the decoding failure say more.
        package let nextStep: String?
        /// Whether it is transient; nil when the status decides.
        let isTransient: Bool?

        fileprivate init(row name: String, isTransient: Bool? = nil, explanation: String, nextStep: String? = nil) {
            self.name = name
            self.isTransient = isTransient
            self.explanation = explanation
            self.nextStep = nextStep
        }
    }
}

extension GraphQLFailure.Kind {
    /// All kinds.
    public static let builtIn: [Self] = [
        errors, partialData, decodingError, encodingError, invalidData, missingData, persistedQueryNotFound,
        unknownDocument,
    ]

    /// Errors, and no usable data.
    public static let errors = Self(
        row: "errors",
        explanation: "The response has errors, and no data that could be used.")

    /// Errors and data, when the call fails on partial data (`failsOnPartialData`).
    public static let partialData = Self(
        row: "partialData",
        explanation: "The data came with errors, and the call wants all or nothing.")

    /// Data that does not match the operation's type, with the errors beside it.
    public static let decodingError = Self(
        row: "decodingError",
        explanation: "The data does not fit the operation's type.")

    /// The variables could not be encoded; nothing was sent.
    public static let encodingError = Self(
        row: "encodingError",
        explanation: "The variables could not be encoded.")

    /// The body is not a JSON object.
    public static let invalidData = Self(
        row: "invalidData",
        explanation: "The body is not a JSON object.")

    /// A JSON object with neither data nor errors, or with `"data": null` and no reason.
    public static let missingData = Self(
        row: "missingData",
        explanation: "The response has neither data nor errors.",
        nextStep: "Look at the server: it must answer with data, with errors, or with both.")

    /// The server did not know a persisted query, and did not learn it when it was sent in full.
    public static let persistedQueryNotFound = Self(
        row: "persistedQueryNotFound", isTransient: false,
        explanation: "The server did not know the persisted query, and did not learn it when it was sent in full.",
        nextStep: "Look at the server's store of queries: it took the text and did not keep it.")

    /// The server does not know a document that was sent without its text.
    public static let unknownDocument = Self(
        row: "unknownDocument", isTransient: false,
        explanation: "The server does not know the document, which was sent without its text.",
        nextStep: "Give the server this version of the documents, before the app asks for them.")
}

extension GraphQLFailure {
    /// Errors, and no usable data.
    ///
    /// ```swift
    /// let failure = Failure(GraphQLFailure.errors([GraphQL.Error("Sign in.", extensions: ["code": "UNAUTHENTICATED"])]))
    /// ```
    /// - Parameters:
    ///   - errors: The errors of the response.
    ///   - extensions: The `extensions` of the response. Default: none.
    ///   - decodingFailure: Why the data beside them could not be used: a null that one of them explains.
    public static func errors(
        _ errors: [GraphQL.Error], extensions: GraphQL.Extensions = [:], decodingFailure: DecodingFailure? = nil
    ) -> Self {
        Self(.errors, errors: errors, extensions: extensions, decodingFailure: decodingFailure)
    }

    /// The same, beside data.
    static func errors(
        _ errors: [GraphQL.Error], extensions: GraphQL.Extensions, beside data: DecodingFailure?, hasData: Bool
    ) -> Self {
        Self(.errors, errors: errors, extensions: extensions, decodingFailure: data, hasData: hasData)
    }

    /// Errors and data, when the call fails on partial data.
    public static func partialData(_ result: GraphQL.Result<some Sendable>) -> Self {
        Self(.partialData, errors: result.errors, extensions: result.extensions, partialData: result.data)
    }

    /// Data that does not match the operation's type, with the errors beside it.
    public static func decodingError(
        _ failure: DecodingFailure, errors: [GraphQL.Error] = [], extensions: GraphQL.Extensions = [:]
    ) -> Self {
        Self(.decodingError, errors: errors, extensions: extensions, decodingFailure: failure)
    }

    /// The variables could not be encoded.
    public static func encodingError(_ error: RequestError) -> Self {
        Self(.encodingError, requestError: error)
    }

    /// The body is not a JSON object.
    public static func invalidData(_ failure: DecodingFailure) -> Self {
        Self(.invalidData, decodingFailure: failure)
    }

    /// Neither data nor errors.
    public static let missingData = Self(.missingData)

    /// The server did not know a persisted query, and did not learn it when it was sent in full.
    public static func persistedQueryNotFound(name: String) -> Self {
        Self(.persistedQueryNotFound, documentName: name)
    }

    /// The server does not know a document that was sent without its text.
    public static func unknownDocument(name: String) -> Self {
        Self(.unknownDocument, documentName: name)
    }
}

extension GraphQLFailure: StatusMeaning {
    /// The status that matches the first error's code, because GraphQL answers most errors with 200.
    package var meantStatus: Int? { errors.first?.meantStatus }

    /// The code of the first error.
    package var serviceCode: String? { errors.first?.code }

    /// Whether a mutation may have been executed: the response does not deny it, or has its data, or an error below a
    /// field of its root, which had been resolved then, or at one without a code, as of a resolver that threw something.
    package var leavesDoubt: Bool {
        kind == .missingData || kind == .partialData || hasData || errors.contains(where: \.leavesDoubt)
    }
}

extension GraphQL.Error {
    /// Whether its code is about the caller or the load, and not about the request.
    var refusesCall: Bool {
        statusOfWait != nil || code == "UNAUTHENTICATED" || code == "FORBIDDEN"
    }

    /// Whether a mutation may have been executed in spite of it.
    var leavesDoubt: Bool {
        (path?.elements.count ?? 0) > (code == nil ? 0 : 1)
            || meantStatus.map { StatusError.Facts.of($0).leavesDoubt } ?? false
    }

    /// The status that matches its code; nil for others.
    var meantStatus: Int? {
        switch code {
        case "UNAUTHENTICATED": 401
        case "FORBIDDEN": 403
        case "NOT_FOUND": 404
        case "BAD_USER_INPUT": 400
        case "CONFLICT": 409
        // Those of Apollo's gateway and router, and of gRPC, say that a service behind them failed.
        case "INTERNAL_SERVER_ERROR", "INTERNAL_ERROR", "INTERNAL", "UNKNOWN", "DOWNSTREAM_SERVICE_ERROR",
            "SUBREQUEST_HTTP_ERROR", "SUBREQUEST_MALFORMED_RESPONSE":
            500
        case "GATEWAY_TIMEOUT", "DEADLINE_EXCEEDED": 504
        default: statusOfWait
        }
    }

    /// The status that matches a code by which the server says that the same request may succeed later; nil for others.
    var statusOfWait: Int? {
        switch code {
        case "RATE_LIMITED": 429
        case "SERVICE_UNAVAILABLE": 503
        case "TIMEOUT": 504
        default: nil
        }
    }

    /// Advice about the error, from its code, its path, or its location in the document.
    fileprivate var nextStep: String? {
        // In one line, bounded, and in quotes if it could be a sentence: what a service says must not pass for ours.
        func shown(_ text: String) -> String {
            let line = Redaction.shown(text, upTo: 100)
            return line.contains(where: \.isWhitespace) ? line.debugDescription : line
        }
        let shownCode = code.map { " (code \(shown($0)))" } ?? ""
        switch code {
        case "UNAUTHENTICATED":
            return "Send credentials, or renew those that were sent (code UNAUTHENTICATED)."
        case "BAD_USER_INPUT":
            return "Correct the operation's variables (code BAD_USER_INPUT)."
        case "CONFLICT":
            return "Load the current state, and apply the change to it (code CONFLICT)."
        case "RATE_LIMITED":
            return "Send requests less often (code RATE_LIMITED)."
        case "SERVICE_UNAVAILABLE":
            return "Call again later: the server is overloaded or under maintenance (code SERVICE_UNAVAILABLE)."
        case "GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED":
            return "Compare the document with the server's schema\(place)\(shownCode)."
        default:
            break
        }
        if let path, !path.elements.isEmpty {
            return "Look at the field \(shown(path.description))\(shownCode) on the server."
        }
        if let code {
            return "Look up what the server means by the code \(shown(code))."
        }
        return locations.isEmpty ? nil : "Compare the document with the server's schema\(place)."
    }

    private var place: String {
        locations.first.map { ", at line \($0.line), column \($0.column)" } ?? ""
    }
}

extension GraphQLFailure: CustomStringConvertible {
    /// What is wrong, as a sentence for developers.
    public var description: String {
        switch kind {
        case .errors: GraphQL.Error.said(errors, after: "The response has errors: ")
        case .partialData: GraphQL.Error.said(errors, after: "The data came with errors: ")
        case .persistedQueryNotFound:
            "The server did not know the persisted query\(shownName), and did not learn it when it was sent in full."
        case .unknownDocument:
            "The server does not know the document\(shownName), which was sent without its text."
        default:
            (decodingFailure?.explanation ?? requestError?.description ?? kind.explanation)
                + GraphQL.Error.said(errors, after: " The response has errors as well: ")
        }
    }

    /// The document's name behind a space; empty when it has none.
    private var shownName: String {
        documentName.map { $0.isEmpty ? "" : " \($0)" } ?? ""
    }
}

extension GraphQL.Error {
    /// The first errors on one line; empty when there are none.
    fileprivate static func said(_ errors: [GraphQL.Error], after beginning: String) -> String {
        guard !errors.isEmpty else {
            return ""
        }
        let more = errors.count > 3 ? "; and \(errors.count - 3) more" : ""
        return beginning + errors.prefix(3).map(\.description).joined(separator: "; ") + more
    }
}
