public import Backstop
public import BackstopCore
internal import Foundation

/// Sends the hash of a query in the place of its text, and the text only when the server asks for it.
///
/// It belongs inside retry and inside everything that reads responses, so that a miss is seen by nobody else, and the
/// two requests of a miss count as one attempt. What it did is noted in the trace as `apq`: hit, registered,
/// unsupported or off.
///
/// ```swift
/// let client = try Client(baseURL: "https://api.example.com/graphql") {
///     HTTP.Retry()
///     Decoding()
///     StatusValidation()
///     PersistedQueries(hasher: .precomputed)
///     HTTP.AttemptTimeout()
/// }
/// ```
public struct PersistedQueries: HTTP.Interceptor {
    /// How an operation is named to the server.
    public enum Format: Sendable, Hashable {
        /// `extensions.persistedQuery.sha256Hash`, as most servers know it.
        case extensions
        /// `documentId`, after the draft of GraphQL over HTTP; the server must know all documents beforehand.
        case documentID
    }

    /// How an operation is named to the server. Default: extensions.
    public let format: Format
    private let hasher: GraphQL.Hasher
    private let servers: ServerMemory

    /// `.persistedQueries`
    public var role: Role { .persistedQueries }

    /// Makes the link.
    ///
    /// - Parameters:
    ///   - hasher: Where the hashes come from that documents do not bring along.
    ///   - format: How an operation is named to the server.
    public init(hasher: GraphQL.Hasher, format: Format = .extensions) {
        self.hasher = hasher
        self.format = format
        servers = ServerMemory()
    }

    #if canImport(CryptoKit) || Crypto
        /// Makes the link; hashes that documents do not bring along are computed.
        public init(format: Format = .extensions) {
            self.init(hasher: .sha256, format: format)
        }
    #else
        /// Computing hashes needs CryptoKit or swift-crypto.
        @available(
            *, unavailable,
            message:
                "Computing hashes needs swift-crypto here: switch on the trait Crypto of backstop, or write PersistedQueries(hasher: .precomputed) and use the plugin PersistedOperations"
        )
        public init(format: Format = .extensions) {
            self.init(hasher: .precomputed, format: format)
        }
    #endif

    /// Sends the hash first, and the text on a miss.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        guard let call = context.values[OperationCall.self], call.document.kind != .subscription else {
            return try await next(request)
        }
        guard call.options.isAPQInterceptorEnabled else {
            note(.off, context)
            return try await next(request)
        }
        guard let hash = call.document.hash ?? call.document.text.flatMap(hasher.hash) else {
            note(.off, context)
            return try await next(request)
        }
        let exchange = PersistedExchange(
            call: call, hash: hash, request: request, server: Self.server(of: request), next: next)
        if format == .documentID || call.document.text == nil {
            return try await sendKnown(exchange, context)
        }
        guard !servers.isUnsupported(exchange.server) else {
            note(.unsupported, context)
            return try await exchange.sendText()
        }
        // One of several first calls asks; the others wait until the server knows the hash.
        return try await servers.first(of: exchange.key, clock: context.clock) {
            try await negotiate(exchange, context)
        }
    }

    /// Sends a document that the server knows, or else nobody does.
    private func sendKnown(_ exchange: PersistedExchange, _ context: CallContext) async throws -> HTTP.Response {
        let response = try await exchange.sendIdentifier(format)
        guard PersistedAnswer(response) == .result else {
            throw GraphQLFailure.unknownDocument(name: exchange.call.document.name)
        }
        note(.hit, context)
        return response
    }

    private func negotiate(
        _ exchange: PersistedExchange, _ context: CallContext
    ) async throws -> (response: HTTP.Response, isKnown: Bool) {
        // The call that this one waited for may have found it out.
        guard !servers.isUnsupported(exchange.server) else {
            note(.unsupported, context)
            return (try await exchange.sendText(), false)
        }
        let response = try await exchange.sendIdentifier(format)
        switch PersistedAnswer(response) {
        case .notFound:
            servers.markSupported(exchange.server)
            let second = try await exchange.sendBoth()
            switch PersistedAnswer(second) {
            case .notFound:
                throw GraphQLFailure.persistedQueryNotFound(name: exchange.call.document.name)
            case .notSupported:
                return try await sendTextFromNowOn(exchange, context)
            case .result:
                note(.registered, context)
                return (second, second.isSuccess)
            }
        case .notSupported:
            return try await sendTextFromNowOn(exchange, context)
        case .result where isIgnorance(response, to: exchange):
            // A server that knows nothing of hashes misses the query, and says so in words of its own.
            let second = try await exchange.sendText()
            if second.isSuccess {
                servers.noteIgnorance(of: exchange.server, status: response.status)
            }
            note(.unsupported, context)
            return (second, false)
        case .result:
            if response.isSuccess {
                servers.markSupported(exchange.server)
            }
            note(.hit, context)
            return (response, response.isSuccess)
        }
    }

    /// Sends the text, and remembers that this server wants no hashes.
    private func sendTextFromNowOn(
        _ exchange: PersistedExchange, _ context: CallContext
    ) async throws -> (response: HTTP.Response, isKnown: Bool) {
        servers.markUnsupported(exchange.server)
        note(.unsupported, context)
        return (try await exchange.sendText(), false)
    }

    /// Whether an answer may come from a server that knows nothing of hashes. One that has data was executed, and a
    /// mutation must not be executed twice: there, data that is null counts as well.
    private func isIgnorance(_ response: HTTP.Response, to exchange: PersistedExchange) -> Bool {
        guard [400, 500].contains(response.status), !servers.isSupported(exchange.server) else {
            return false
        }
        guard exchange.call.document.kind == .query else {
            return !response.body.withUnsafeBytes { JSONScan.hasTopLevelKeys(["data"], in: $0) }
        }
        return !ResponseRule.hasData(in: response)
    }

    private func note(_ status: GraphQL.PersistedQueryStatus, _ context: CallContext) {
        context.withValues { $0.persistedQuery = status }
        context.note("apq", status.rawValue)
    }

    /// Scheme, host, port and path: one host may have several endpoints.
    private static func server(of request: HTTP.Request) -> String {
        var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
        parts?.query = nil
        parts?.fragment = nil
        parts?.user = nil
        parts?.password = nil
        return parts?.string ?? request.url.absoluteString
    }
}
