public import Backstop
public import BackstopCore
internal import Foundation

/// Caches the responses of queries in memory.
///
/// It belongs outside retry. It stores only queries, and only accepted and complete responses: no partial data, unless
/// requested. The policy is per call (`cachePolicy` of ``GraphQL/Options``).
///
/// Nothing is shared between credentials. All values of a request with names that `Redaction` considers sensitive
/// (`Authorization`, `Cookie`, `X-Api-Key`, `?token=`, the user info of the URL) belong to the key. If an inner
/// interceptor adds the credentials, the cache cannot know whose response it has: say so with `partition`. Without one,
/// such responses are not stored, so the cache is useless in a chain with an interceptor of the role `.authentication`
/// inside it; creating the client reports that.
///
/// ```swift
/// enum AccountKey: CallKey { static let defaultValue: String? = nil }
/// let cache = try ResponseCache(capacity: 4 << 20, partition: { $0.values[AccountKey.self] })
/// ```
public struct ResponseCache: HTTP.Interceptor {
    /// The request headers that responses depend on, in addition to operation, variables and credentials.
    public let headers: [HTTP.Headers.Name]
    /// Whether partial data is stored. Default: false.
    public let storesPartialData: Bool
    private let partition: (@Sendable (CallContext) -> String?)?
    private let storage: CacheStorage

    /// `.cache`
    public var role: Role { .cache }

    /// Without a partition, credentials must not be added inside.
    public var orderRules: [OrderRule] {
        guard partition == nil else {
            return []
        }
        return [
            OrderRule(
                outer: .authentication, inner: .cache, severity: .warning,
                reason: "it does not know whose responses they are, so that it keeps none",
                fix: "Give ResponseCache a partition: the name of the account, for example.")
        ]
    }

    /// Makes the interceptor with an empty cache.
    ///
    /// - Parameters:
    ///   - capacity: The most bytes stored, more than 0: the bodies and headers of responses, the keys with URLs,
    ///     documents and variables, and 500 bytes per response. Default: 10 MiB, a few hundred responses, and little
    ///     compared with what the system grants an app. The least recently used are evicted first; a response that
    ///     needs more than an eighth of the capacity is not stored.
    ///   - headers: The request headers that belong to the key, in addition to credentials, which always do. Default:
    ///     `Accept-Language`.
    ///   - storesPartialData: Whether partial data is stored.
    ///   - partition: Whose responses they are, if inner interceptors add the credentials: the name of the account, for
    ///     example, from the call's values. A call for which it returns nil bypasses the cache; if it changes during a
    ///     call, the response is not stored. Default: nil, so that only the credentials already in the request separate
    ///     accounts.
    /// - Throws: `ConfigurationError` when the capacity is 0 or less.
    public init(
        capacity: Int = 10 << 20, headers: [HTTP.Headers.Name] = [.acceptLanguage], storesPartialData: Bool = false,
        partition: (@Sendable (CallContext) -> String?)? = nil
    ) throws(ConfigurationError) {
        guard capacity > 0 else {
            throw ConfigurationError(
                setting: "ResponseCache.capacity", problem: "must be more than 0, but is \(capacity)",
                fix: "Give the number of bytes that may be kept, or leave the interceptor out")
        }
        self.headers = headers
        self.storesPartialData = storesPartialData
        self.partition = partition
        storage = CacheStorage(capacity: capacity)
    }

    /// Removes all responses. Responses to calls in progress are not stored either.
    ///
    /// Call it when a user signs out, so that none of their data stays in memory.
    public func removeAll() {
        storage.removeAll()
    }

    /// Responds from the cache or from the service, according to the call's policy.
    ///
    /// - Throws: `RejectionError` with the code `cacheMiss` when only the cache was asked and has nothing.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        guard let call = context.values[OperationCall.self], call.document.kind == .query else {
            return try await next(request)
        }
        call.origin.setService()
        let lookup = lookup(for: call, request, context)
        switch call.options.cachePolicy {
        case .networkOnly:
            return try await fetch(request, lookup, context, next)
        case .cacheFirst:
            if let response = cached(lookup, call, context) {
                return response
            }
            return try await fetch(request, lookup, context, next)
        case .networkFirst:
            do {
                return try await fetch(request, lookup, context, next)
            } catch {
                // For a cancelled call, no one waits for a response; otherwise, the service's failure counts if there
                // is no replacement.
                guard !Task.isCancelled, Outage.isMeant(by: error, context), isStillValid(lookup, context),
                    let response = cached(lookup, call, context)
                else {
                    throw error
                }
                return response
            }
        case .cacheOnly:
            guard let response = cached(lookup, call, context) else {
                throw RejectionError(
                    .cacheMiss,
                    lookup == nil
                        ? "The cache does not know whose response is wanted for \(call.document.subject)."
                        : "The cache has no response for \(call.document.subject).")
            }
            return response
        }
    }

    /// The key of a call, and the generation at its start.
    private struct Lookup {
        let key: CacheKey
        let credentials: Credentials
        let generation: UInt64
    }

    /// - Returns: Nil when the owner of the responses is unknown.
    private func lookup(for call: OperationCall, _ request: HTTP.Request, _ context: CallContext) -> Lookup? {
        // Read first, so that nothing is stored after a later removal.
        let generation = storage.generation
        let credentials = Credentials(of: request, context.redaction)
        let name: String
        if let partition {
            guard let part = partition(context) else {
                context.note("cache", "not used: the partition of the call is nil")
                return nil
            }
            name = part
        } else {
            guard !call.isAuthenticatedInside else {
                context.note("cache", "not used: credentials are added inside, and there is no partition")
                return nil
            }
            name = ""
        }
        let key = CacheKey(call, request, headers: headers, credentials: credentials, partition: name)
        return Lookup(key: key, credentials: credentials, generation: generation)
    }

    /// Whether the account is still the same.
    private func isStillValid(_ lookup: Lookup?, _ context: CallContext) -> Bool {
        guard let lookup, let partition else {
            return true
        }
        return partition(context) == lookup.key.partition
    }

    private func cached(_ lookup: Lookup?, _ call: OperationCall, _ context: CallContext) -> HTTP.Response? {
        guard let lookup else {
            return nil
        }
        guard let entry = storage.entry(for: lookup.key) else {
            context.note("cache", "miss")
            return nil
        }
        context.note("cache", "hit")
        context.recordReceived(entry.response)
        call.origin.setCache(entry.date)
        return entry.response
    }

    private func fetch(
        _ request: HTTP.Request, _ lookup: Lookup?, _ context: CallContext, _ next: HTTP.Next
    ) async throws -> HTTP.Response {
        let response = try await next(request)
        guard let lookup, isComplete(response, context) else {
            return response
        }
        guard isStillValid(lookup, context) else {
            context.note("cache", "not kept: the partition changed while the call was under way")
            return response
        }
        if partition == nil, let reason = reasonNotToKnow(lookup.credentials, context) {
            context.note("cache", "not kept: \(reason), and there is no partition")
            return response
        }
        if !storage.store(response, for: lookup.key, date: context.clock.date, generation: lookup.generation) {
            context.note("cache", "not kept: it needs more than an eighth of the capacity")
        }
        return response
    }

    /// Why the owner of the response is unknown; nil when everything sent had only the credentials of the incoming
    /// request.
    private func reasonNotToKnow(_ credentials: Credentials, _ context: CallContext) -> String? {
        let sent = context.sentRequests
        guard !sent.isEmpty else {
            // An inner interceptor answered, perhaps with another call's response.
            return "the call sent nothing, so that the response may be another's"
        }
        let hasOnlyThose = sent.allSatisfy { sent in
            (sent as? HTTP.Request).map { credentials.contain(Credentials(of: $0, context.redaction)) } ?? false
        }
        return hasOnlyThose ? nil : "credentials were added further inside"
    }

    /// Whether a response may be stored: a success whose content is complete.
    private func isComplete(_ response: HTTP.Response, _ context: CallContext) -> Bool {
        guard response.isSuccess else {
            return false
        }
        if let result = response.decodedContent(for: context) as? any AnyResult {
            return storesPartialData || !result.isPartial
        }
        // The chain decodes outside the cache, so the errors must be searched for.
        guard ResponseRule.hasData(in: response),
            response.body.withUnsafeBytes({ JSONScan.firstProblem(in: $0) }) == nil
        else {
            return false
        }
        return storesPartialData || ResponseRule.errors(in: response).isEmpty
    }
}

extension ResponseCache: CustomReflectable {
    /// Without its entries: they are private.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["headers": headers, "storesPartialData": storesPartialData, "size": storage.size],
            displayStyle: .struct)
    }
}
