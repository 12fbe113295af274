public import Backstop
public import BackstopCore
internal import Foundation

/// Sends the hash of a query instead of its text, and the text only if the server asks for it.
///
/// It belongs inside retry and inside everything that reads responses, so that no other interceptor sees a miss, and
/// the two requests of a miss count as one attempt. The trace notes its ``GraphQL/PersistedQueryStatus`` as `apq`.
/// Without this interceptor, `isAPQClientEnabled` of ``GraphQL/Options`` does the same with default settings.
///
/// Of several first calls of one operation, one asks the server; the others wait for it, for up to two seconds. A GET has
/// the header `Apollo-Require-Preflight`, without which Apollo Server refuses it; such a refusal does not count as not
/// knowing hashes.
///
/// ```swift
/// let client = try Client(baseURL: "https://api.example.com/graphql") {
///     Retry()
///     Decoding()
///     StatusValidation()
///     PersistedQueries()
///     AttemptTimeout()
/// }
/// ```
public struct PersistedQueries: HTTP.Interceptor {
    /// How an operation is identified to the server.
    public enum Format: Sendable, Hashable {
        /// `extensions.persistedQuery.sha256Hash`, as most servers know it.
        case extensions
        /// `documentId`, as in the draft of GraphQL over HTTP, Appendix A; the server must know all documents in
        /// advance.
        ///
        /// A SHA-256 in lower-case hex is sent as `sha256:` and the hex digits; any other identifier is sent unchanged.
        case documentID
    }

    /// How an operation is identified to the server. Default: extensions.
    public let format: Format
    private let hasher: GraphQL.Hasher
    private let servers: ServerMemory

    /// `.persistedQueries`
    public var role: Role { .persistedQueries }

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - hasher: Computes the hashes of documents without one. Default: SHA-256.
    ///   - format: How an operation is identified to the server.
    public init(hasher: GraphQL.Hasher = .sha256, format: Format = .extensions) {
        self.hasher = hasher
        self.format = format
        servers = ServerMemory()
    }

    /// Forgets what it learned about servers: which of them persist queries, and which documents they know.
    ///
    /// Each interceptor has its own memory, shared by its copies. Call it after a service has changed, so that the next
    /// calls try hashes again.
    public func reset() {
        servers.reset()
    }

    /// Sends the hash first, and the text on a miss.
    ///
    /// For a mutation, the text follows only after a response which says that nothing was executed: a miss, "not
    /// supported", or a 400 or 422 without data and without an error at a field or of a service behind.
    ///
    /// - Throws: ``GraphQLFailure/persistedQueryNotFound(name:)`` for a second miss,
    ///   ``GraphQLFailure/unknownDocument(name:)`` for a document that the server had to know, and `RequestError`
    ///   with the code `invalid` for a hash that is not the SHA-256 of the document's text.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        guard let call = context.values[OperationCall.self] else {
            return try await next(request)
        }
        guard call.options.isAPQInterceptorEnabled,
            let hash = call.document.hash ?? call.document.text.flatMap(hasher.hash)
        else {
            note(.off, context)
            return try await next(request)
        }
        try check(call.document)
        let exchange = PersistedExchange(
            call: call, hash: hash, request: request, server: servers.name(of: Self.server(of: request)), next: next)
        do {
            return try await send(exchange, context)
        } catch {
            note(.undecided, context)
            throw error
        }
    }

    private func send(_ exchange: PersistedExchange, _ context: CallContext) async throws -> HTTP.Response {
        if format == .documentID || exchange.call.document.text == nil {
            return try await sendKnown(exchange, context)
        }
        if servers.isUnsupported(exchange.server) || context.values.isHashInVain {
            return try await sendText(exchange, context).response
        }
        if context.values.isHashMissed {
            return try await register(exchange, context).response
        }
        if context.isStream {
            // It ends long after the server has learned the hash.
            return try await negotiate(exchange, context).response
        }
        // Of several concurrent first calls, one asks; the others wait until the server knows the hash.
        return try await servers.first(of: exchange.key, clock: context.clock) {
            try await negotiate(exchange, context)
        }
    }

    /// Refuses a hash that is another text's: the server would run that one. An identifier of the server's own is no
    /// hash.
    private func check(_ document: GraphQL.Document) throws {
        guard let text = document.text, let hash = document.hash, !servers.isChecked(document),
            format == .extensions || DocumentIdentifier.isHash(hash)
        else {
            return
        }
        guard DocumentIdentifier.bare(hash) == GraphQL.Hasher.sha256.hash(text) else {
            throw RequestError(
                .invalid,
                "The document of \(document.subject) cannot be sent: its hash is not the SHA-256 of its text")
        }
        servers.markChecked(document)
    }

    /// Sends a document that the server must know.
    private func sendKnown(_ exchange: PersistedExchange, _ context: CallContext) async throws -> HTTP.Response {
        let response = try await exchange.sendIdentifier(format)
        switch PersistedAnswer(response, to: exchange.call.document.kind, isRead: context.isRead) {
        case .notFound, .notSupported:
            throw GraphQLFailure.unknownDocument(name: exchange.call.document.name)
        case .executed:
            note(.hit, context)
        case .perhapsNotSupported, .other:
            note(.undecided, context)
        }
        return response
    }

    private func negotiate(
        _ exchange: PersistedExchange, _ context: CallContext
    ) async throws -> (response: HTTP.Response, isKnown: Bool) {
        // The call that this one waited for may have found out.
        guard !servers.isUnsupported(exchange.server) else {
            return try await sendText(exchange, context)
        }
        let response = try await exchange.sendIdentifier(format)
        switch answer(response, exchange, context) {
        case .notFound:
            servers.markSupported(exchange.server)
            noteMiss(context)
            context.withValues { $0.isHashMissed = true }
            return try await register(exchange, context)
        case .notSupported:
            servers.markUnsupported(exchange.server)
            noteMiss(context)
            return try await sendText(exchange, context)
        case .executed:
            servers.markSupported(exchange.server)
            note(.hit, context)
            return (response, true)
        case .perhapsNotSupported(let isClear) where !servers.isSupported(exchange.server):
            // A server that does not know hashes misses the text, and says so in its own way.
            context.withValues { $0.isHashInVain = true }
            // A stream says so when it opens: it may go on for hours, or be left.
            let noted = Lock<ServerMemory.Ignorance?>(nil)
            let second = try await context.whenOpen {
                let note = servers.noteIgnorance(of: exchange.server, isClear: isClear)
                noted.withLock { $0 = note }
            } undo: {
                if let note = noted.withLock({ $0 }) {
                    servers.takeBack(note, of: exchange.server)
                }
            } during: {
                noteMiss(context)
                return try await sendText(exchange, context)
            }
            if second.isKnown, !context.isRead {
                servers.noteIgnorance(of: exchange.server, isClear: isClear)
            }
            return (second.response, false)
        case .perhapsNotSupported, .other:
            // An operation with effects is not sent again here. If it may be repeated, retry does so, without the hash.
            if response.status == 500, !servers.isSupported(exchange.server) {
                context.withValues { $0.isHashInVain = true }
            }
            note(.undecided, context)
            return (response, false)
        }
    }

    /// Sends hash and text, so that the server learns them.
    private func register(
        _ exchange: PersistedExchange, _ context: CallContext
    ) async throws -> (response: HTTP.Response, isKnown: Bool) {
        let response = try await exchange.sendBoth()
        switch answer(response, exchange, context) {
        case .notFound:
            throw GraphQLFailure.persistedQueryNotFound(name: exchange.call.document.name)
        case .notSupported:
            servers.markUnsupported(exchange.server)
            noteMiss(context)
            return try await sendText(exchange, context)
        case .executed:
            note(.registered, context)
            return (response, true)
        case .perhapsNotSupported, .other:
            note(.undecided, context)
            return (response, false)
        }
    }

    /// Sends only the text.
    ///
    /// - Returns: The response, and whether the operation was executed.
    private func sendText(
        _ exchange: PersistedExchange, _ context: CallContext
    ) async throws -> (response: HTTP.Response, isKnown: Bool) {
        let response = try await exchange.sendText()
        let answer = PersistedAnswer(response, to: exchange.call.document.kind, isRead: context.isRead)
        let isExecuted = answer == .executed
        note(isExecuted ? .unsupported : .undecided, context)
        return (response, isExecuted)
    }

    /// What a response says about the hash, if it answers the request that was sent.
    ///
    /// A redirect may have turned the POST of a mutation into a GET. Then the POST may have been executed, as a 303
    /// even says (RFC 9110, 15.4.4), whatever the response to the GET.
    private func answer(
        _ response: HTTP.Response, _ exchange: PersistedExchange, _ context: CallContext
    ) -> PersistedAnswer {
        let kind = exchange.call.document.kind
        if kind != .query, let last = context.sentRequest as? HTTP.Request, last.method != .post {
            return .other
        }
        return PersistedAnswer(response, to: kind, isRead: context.isRead)
    }

    /// Whatever was sent before the text was not executed, so it does not keep the call from being made again, as after a
    /// refused token.
    private func noteMiss(_ context: CallContext) {
        guard var missed = context.sentRequest as? HTTP.Request else {
            return
        }
        missed.isRepeatable = true
        context.recordAsSent(missed)
    }

    private func note(_ status: GraphQL.PersistedQueryStatus, _ context: CallContext) {
        context.withValues { $0.persistedQuery = status }
        context.note("apq", status.description)
    }

    /// Scheme, host, port and path: a host may have several endpoints.
    private static func server(of request: HTTP.Request) -> String {
        var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
        parts?.query = nil
        parts?.fragment = nil
        parts?.user = nil
        parts?.password = nil
        return parts?.string ?? request.url.absoluteString
    }
}

extension CallContext {
    /// Whether the response was read while it arrived.
    fileprivate var isRead: Bool {
        callIntake?.isOpen ?? false
    }
}

extension Role {
    /// The roles of a chain for HTTP and GraphQL in the standard order, outermost first.
    package static let graphQLOrder = standardOrder.flatMap { role in
        role == .attemptTimeout ? [.persistedQueries, role] : [role]
    }

    /// Replaces a query's text with its hash.
    public static let persistedQueries: Role = Role(builtIn: "persistedQueries") {
        [
            OrderRule(
                outer: .decoding, inner: .persistedQueries,
                reason: "the answer \"query not found\" is decoded as content before the query can be sent in full"),
            OrderRule(
                outer: .statusValidation, inner: .persistedQueries,
                reason: "a miss that comes with status 400 or 404 is thrown before the query can be sent in full"),
            OrderRule(
                outer: .apiErrorDecoding, inner: .persistedQueries,
                reason: "a miss is treated as an API error before the query can be sent in full"),
            OrderRule(
                outer: .retry, inner: .persistedQueries,
                reason: "each attempt would count as a new query, and the second request of a miss as a retry"),
            OrderRule(
                outer: .attemptTracing, inner: .persistedQueries, severity: .warning,
                reason: "the second request of a miss gets a span, as if it were an attempt"),
            OrderRule(
                outer: .attemptMetrics, inner: .persistedQueries, severity: .warning,
                reason: "the second request of a miss is measured as if it were an attempt"),
            .once(
                .persistedQueries, severity: .error,
                reason: "the second one hashes a request that already carries a hash"),
        ]
    }
}
