public import Backstop
public import BackstopCore
internal import Foundation

/// Caches the responses of queries in memory.
///
/// It belongs outside retry. It stores only queries, and only accepted and complete responses: no partial data, unless
/// requested, and nothing that the server forbids with `Cache-Control: no-store`. The policy is per call
/// (`cachePolicy` of ``GraphQL/Options``).
///
/// Nothing is shared between callers. The whole request belongs to the key: the URL, the body, and all headers but a
/// few that are known not to matter, such as `traceparent` and `User-Agent`. If an inner interceptor adds more, such as
/// credentials, the cache cannot know whose response it has: say so with `partition`. Without one, such responses are
/// not stored, so the cache is useless in a chain with an interceptor of the role `.authentication` inside it; creating
/// the client reports that.
///
/// It does not go back in time: an earlier call's response never replaces a later one's, and a mutation makes all
/// responses stale, unless its policy is ``GraphQL/CachePolicy/bypass``.
///
/// ```swift
/// enum AccountKey: CallKey { static let defaultValue: String? = nil }
/// let cache = ResponseCache(maximumAge: .seconds(3600), partition: { $0.values[AccountKey.self] })
/// ```
public struct ResponseCache: HTTP.Interceptor {
    /// A stored response, as ``removeAll(where:)`` shows it.
    public struct Entry: Sendable {
        /// The name of the operation.
        public let operation: String
        /// The variables, by name; nil when there were none.
        public let variables: JSONValue?
        /// The partition; empty without one.
        public let partition: String
        /// When the service sent it, since 1970-01-01 00:00:00 UTC.
        public let date: Duration
    }

    /// How old a response may get. Default: a day.
    public let maximumAge: Duration
    /// Request headers that do not matter, in addition to those known not to.
    public let ignoredHeaders: [HTTP.Headers.Name]
    /// Whether partial data is stored. Default: false.
    public let storesPartialData: Bool
    private let ignored: Set<HTTP.Headers.Name>
    private let partition: (@Sendable (CallContext) -> String?)?
    private let storage: CacheStorage
    private let invalid: [ConfigurationError]

    /// `.cache`
    public var role: Role { .cache }

    /// What is invalid.
    public var settings: [InterceptorSetting] { invalid.map { .invalid($0) } }

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
    ///     headers and bodies of requests, and 500 bytes per response, which also bounds their number. Default: 10 MiB,
    ///     a few hundred responses, and little compared with what the system grants an app. The least recently used are
    ///     evicted first; a response that needs more than an eighth of the capacity is not stored.
    ///   - maximumAge: How old a response may get, more than 0: an older one is not given to anybody. Default: a day,
    ///     so that a process that runs for weeks does not show last month's data.
    ///   - ignoredHeaders: Request headers that do not matter, such as your own trace id. Default: none beyond those
    ///     known not to.
    ///   - storesPartialData: Whether partial data is stored.
    ///   - partition: Whose responses they are, if inner interceptors add the credentials: the name of the account, for
    ///     example, from the call's values. It stands for all that is added inside, a tenant for example. A call for
    ///     which it returns nil bypasses the cache; if it changes during a call, nothing is read or stored from then on.
    ///     Default: nil, so that only what is in the request separates accounts.
    public init(
        capacity: Int = 10 << 20, maximumAge: Duration = .seconds(86_400),
        ignoring ignoredHeaders: [HTTP.Headers.Name] = [],
        storesPartialData: Bool = false, partition: (@Sendable (CallContext) -> String?)? = nil
    ) {
        var invalid: [ConfigurationError] = []
        if capacity <= 0 {
            invalid.append(
                ConfigurationError(
                    setting: "ResponseCache.capacity", problem: "must be more than 0, but is \(capacity)",
                    fix: "Give the number of bytes that may be kept, or leave the interceptor out"))
        }
        if maximumAge <= .zero {
            invalid.append(
                ConfigurationError(
                    setting: "ResponseCache.maximumAge", problem: "must be more than 0, but is \(maximumAge)",
                    fix: "Give the time for which a response may be used, or leave the interceptor out"))
        }
        self.invalid = invalid
        self.maximumAge = maximumAge
        self.ignoredHeaders = ignoredHeaders
        self.storesPartialData = storesPartialData
        self.partition = partition
        ignored = Set(ignoredHeaders)
        storage = CacheStorage(capacity: max(capacity, 1))
    }

    /// Removes all responses. Responses to calls in progress are not stored either.
    ///
    /// Call it when a user signs out, so that none of their data stays in memory.
    public func removeAll() {
        storage.removeAll { _, _ in true }
    }

    /// Removes some responses, such as those of one operation or account. Responses to calls in progress are not stored
    /// either, whichever they are.
    ///
    /// ```swift
    /// func forgetHero(_ id: String, in cache: ResponseCache) {
    ///     cache.removeAll { $0.operation == "Hero" && $0.variables?["id"] == .string(id) }
    /// }
    /// ```
    /// - Parameter isRemoved: Whether a response is to be removed.
    public func removeAll(where isRemoved: (Entry) -> Bool) {
        storage.removeAll { key, entry in
            isRemoved(
                Entry(
                    operation: entry.operation,
                    variables: entry.variables.flatMap { json in
                        json.withUnsafeBytes { try? JSONValue.read($0, unrepresentable: .null) }
                    }, partition: key.partition, date: entry.date))
        }
    }

    /// Responds from the cache or from the service, according to the call's policy.
    ///
    /// - Throws: `RejectionError` with the code `cacheMiss` when only the cache was asked and has nothing.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        guard let call = context.values[OperationCall.self], call.options.cachePolicy != .bypass else {
            return try await next(request)
        }
        switch call.document.kind {
        case .mutation:
            // A failed one may have been executed too.
            defer { storage.noteChange() }
            return try await next(request)
        case .subscription:
            return try await next(request)
        case .query where context.isStream && call.options.cachePolicy != .cacheOnly:
            // What arrives in parts is not kept.
            return try await next(request)
        case .query:
            break
        }
        call.origin.withLock { $0 = .service }
        let key = key(for: call, request, context)
        if call.options.cachePolicy == .cacheOnly {
            guard let response = stored(key, call, request, context) else {
                let subject = call.document.subject
                throw RejectionError(
                    .cacheMiss,
                    key == nil
                        ? "The cache does not know whose response is wanted for \(subject)."
                        : key.flatMap(storage.entry)?.isStale == true
                            ? "The cache has no response for \(subject) from after the last mutation."
                            : "The cache has no response for \(subject).")
            }
            return response
        }
        if call.options.cachePolicy == .cacheFirst, let response = stored(key, call, request, context) {
            return response
        }
        if let show = context.values.showsStored, let key, let entry = usable(key, request, context) {
            show(entry.response, entry.date)
        }
        do {
            return try await fetch(request, key, call, context, next)
        } catch {
            // For a cancelled call, no one waits for a response; otherwise, the service's failure counts if there is no
            // replacement.
            guard call.options.cachePolicy != .networkOnly, !Task.isCancelled, Outage.isMeant(by: error, context),
                isStillValid(key, context),
                let response = stored(key, call, request, context, isStaleAccepted: true)
            else {
                throw error
            }
            return response
        }
    }

    /// - Returns: Nil when the owner of the responses is unknown, or the request cannot be compared.
    private func key(for call: OperationCall, _ request: HTTP.Request, _ context: CallContext) -> CacheKey? {
        let name: String
        if let partition {
            guard let part = partition(context) else {
                context.note("cache", "not used: the partition of the call is nil")
                return nil
            }
            guard context.values.partitions[ObjectIdentifier(storage), default: part] == part else {
                context.note("cache", "not used: the partition changed since the call began")
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
        return CacheKey(request, ignoring: ignored, partition: name)
    }

    /// Whether the account is still the same.
    private func isStillValid(_ key: CacheKey?, _ context: CallContext) -> Bool {
        guard let key, let partition else {
            return true
        }
        return partition(context) == key.partition
    }

    /// A stored response that may be used.
    ///
    /// - Parameter isStaleAccepted: Whether one from before a mutation will do.
    private func stored(
        _ key: CacheKey?, _ call: OperationCall, _ request: HTTP.Request, _ context: CallContext,
        isStaleAccepted: Bool = false
    ) -> HTTP.Response? {
        guard let key, let entry = usable(key, request, context, isStaleAccepted: isStaleAccepted) else {
            return nil
        }
        context.note("cache", "hit")
        context.recordReceived(entry.response)
        call.origin.withLock { $0 = .cache(stored: entry.date) }
        return entry.response
    }

    /// The entry behind it.
    private func usable(
        _ key: CacheKey, _ request: HTTP.Request, _ context: CallContext, isStaleAccepted: Bool = false
    ) -> CacheStorage.Entry? {
        guard let (entry, isStale) = storage.entry(for: key),
            entry.varying.allSatisfy({ request.headers[values: $0.key] == $0.value }),
            // Not by the date, which may be set. Below zero, another clock stored it.
            (.zero...maximumAge).contains(context.clock.now - entry.moment)
        else {
            context.note("cache", "miss")
            return nil
        }
        guard !isStale || isStaleAccepted else {
            context.note("cache", "stale: a mutation came after it")
            return nil
        }
        return entry
    }

    private func fetch(
        _ request: HTTP.Request, _ key: CacheKey?, _ call: OperationCall, _ context: CallContext, _ next: HTTP.Next
    ) async throws -> HTTP.Response {
        guard let key else {
            return try await next(request)
        }
        let number = storage.begin(key)
        defer { storage.end(key) }
        let response = try await next(request)
        guard let errors = errors(besideDataOf: response, context) else {
            return response
        }
        // What is not the service's answer to this caller says nothing about what is stored.
        if let reason = foreignness(of: key, context) {
            context.note("cache", "not kept: \(reason)")
            return response
        }
        let vary = Vary(response)
        let obstacle =
            obstacle(to: request, call, context) ?? obstacle(to: response, errors, request)
            ?? vary.obstacle(to: request, context)
        let entry = CacheStorage.Entry(
            response: response.withoutContent(), moment: context.clock.now, date: context.clock.date,
            operation: call.document.name, variables: call.variables,
            // All other headers are in the key: a response cannot make an entry grow.
            varying: Dictionary(
                uniqueKeysWithValues: CacheKey.neutral.union(ignored).intersection(vary.names)
                    .map { ($0, request.headers[values: $0]) }))
        // What is not kept still ends what was stored before: the caller has seen something newer.
        let fits = storage.store(obstacle == nil ? entry : nil, for: key, number: number)
        if let reason = obstacle ?? (fits ? nil : "it needs more than an eighth of the capacity") {
            context.note("cache", "not kept: \(reason)")
        }
        return response
    }

    /// The errors of a response that has data; nil for any other.
    private func errors(besideDataOf response: HTTP.Response, _ context: CallContext) -> [GraphQL.Error]? {
        guard response.isSuccess else {
            return nil
        }
        if let result = response.decodedContent(for: context) as? any AnyResult {
            return result.errors
        }
        // The chain decodes outside the cache, so the errors must be searched for.
        guard ResponseRule.hasData(in: response),
            response.body.withUnsafeBytes({ JSONScan.firstProblem(in: $0) }) == nil
        else {
            return nil
        }
        return ResponseRule.errors(in: response)
    }

    /// Why a response with data is not stored: its errors, or the service's or the caller's word (RFC 9111, 5.2).
    private func obstacle(
        to response: HTTP.Response, _ errors: [GraphQL.Error], _ request: HTTP.Request
    ) -> String? {
        if !errors.isEmpty, !storesPartialData || errors.contains(where: \.isRefusal) {
            return "the data is partial"
        }
        let directives = response.headers.list("Cache-Control").map { $0.prefix { $0 != "=" } }
        if directives.contains("no-store") || request.headers.list("Cache-Control").contains("no-store") {
            return "Cache-Control is no-store"
        }
        return partition == nil && directives.contains("private")
            ? "Cache-Control is private, and there is no partition" : nil
    }

    /// Why a response is not the service's to this caller; nil when it is.
    private func foreignness(of key: CacheKey, _ context: CallContext) -> String? {
        guard context.values.fallback == nil else {
            return "a fallback answered"
        }
        guard partition == nil else {
            return isStillValid(key, context) ? nil : "the partition changed while the call was under way"
        }
        // An inner interceptor answered, perhaps with another call's response.
        return context.sentRequests.isEmpty
            ? "the call sent nothing, so that the response may be another's, and there is no partition" : nil
    }

    /// Why the owner of a response is unknown; nil when everything sent is in the key, or the partition is the owner's.
    private func obstacle(to request: HTTP.Request, _ call: OperationCall, _ context: CallContext) -> String? {
        guard partition == nil else {
            return nil
        }
        for case let sent as HTTP.Request in context.sentRequests {
            let added = sent.headers.fields.first { field in
                !CacheKey.neutral.contains(field.name) && !ignored.contains(field.name)
                    && !request.headers[values: field.name].contains(field.value)
            }
            if let added {
                return "the header \(added.name.text) was added further inside, and there is no partition"
            }
            guard WireMessage.isSame(sent, as: request, call) else {
                return "the request was redirected or changed further inside, and there is no partition"
            }
        }
        return nil
    }
}

extension ResponseCache: CustomReflectable {
    /// Without its entries: they are private.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "maximumAge": maximumAge, "ignoredHeaders": ignoredHeaders, "storesPartialData": storesPartialData,
                "size": storage.size,
            ], displayStyle: .struct)
    }
}

extension ResponseCache.Entry: CustomStringConvertible, CustomReflectable {
    /// The name of the operation; variables and partition may be secret.
    public var description: String {
        operation
    }

    /// The same for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["operation": operation], displayStyle: .struct)
    }
}

extension ResponseCache: CallNoting {
    /// Whose call it is: an interceptor further out may wait, and somebody else sign in meanwhile.
    package func note(_ context: CallContext) {
        guard let partition else {
            return
        }
        let id = ObjectIdentifier(storage)
        let part: String? =
            if let continued = ContinuedCall.current, let known = continued.values.partitions[id] {
                known
            } else if let continued = ContinuedCall.current, continued.accountChanges != AccountChanges.count {
                nil
            } else {
                partition(context)
            }
        context.withValues { $0.partitions[id] = .some(part) }
    }
}

extension CallValues {
    /// Gets what is stored, and when it was sent, before the service is asked; nil for a call that wants one result.
    var showsStored: (@Sendable (HTTP.Response, Duration) -> Void)? {
        get { self[ShowsStoredKey.self] }
        set { self[ShowsStoredKey.self] = newValue }
    }

    private enum ShowsStoredKey: CallKey {
        static let defaultValue: (@Sendable (HTTP.Response, Duration) -> Void)? = nil
    }

    /// The partition of each cache when the call began.
    fileprivate var partitions: [ObjectIdentifier: String?] {
        get { self[PartitionsKey.self] }
        set { self[PartitionsKey.self] = newValue }
    }

    private enum PartitionsKey: CallKey {
        static let defaultValue: [ObjectIdentifier: String?] = [:]
    }
}
