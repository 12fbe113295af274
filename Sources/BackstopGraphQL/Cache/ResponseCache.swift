public import Backstop
public import BackstopCore
internal import Foundation

/// Keeps the responses of queries in memory, and answers from there when the call's policy allows it.
///
/// It belongs outside retry. Only queries are kept, and only responses that were accepted and complete: no partial
/// data, unless asked. The policy is per call (`cachePolicy` of ``GraphQL/Options``).
///
/// ```swift
/// let cache = try ResponseCache(capacity: 4 << 20, headers: ["Accept-Language"])
/// ```
public struct ResponseCache: HTTP.Interceptor {
    /// Which headers of the request tell responses apart, beyond operation and variables.
    public let headers: [HTTP.Headers.Name]
    /// Whether partial data is kept. Default: false.
    public let storesPartialData: Bool
    private let partition: @Sendable (CallContext) -> String
    private let storage: CacheStorage

    /// `.cache`
    public var role: Role { .cache }

    /// Makes the link with an empty cache.
    ///
    /// - Parameters:
    ///   - capacity: How many bytes of bodies are kept, more than 0. Default: 10 MiB. The least recently used go first;
    ///     a body that is larger than an eighth of it is not kept.
    ///   - headers: Which headers of the request tell responses apart. Default: `Authorization` and `Accept-Language`,
    ///     as far as the request has them when it gets here: a link inside the cache that adds a token comes too late.
    ///   - storesPartialData: Whether partial data is kept.
    ///   - partition: Whose responses they are, where links inside the cache add the credentials: the name of the
    ///     account, for example, from the call's values. Default: all calls share the cache. Without it, call
    ///     ``removeAll()`` when the account changes.
    /// - Throws: ``ConfigurationError`` when the capacity is 0 or less.
    public init(
        capacity: Int = 10 << 20, headers: [HTTP.Headers.Name] = [.authorization, .acceptLanguage],
        storesPartialData: Bool = false, partition: @escaping @Sendable (CallContext) -> String = { _ in "" }
    ) throws(ConfigurationError) {
        guard capacity > 0 else {
            throw ConfigurationError(
                setting: "ResponseCache.capacity", problem: "must be more than 0, but is \(capacity)",
                mend: "Give the number of bytes that may be kept, or leave the link out")
        }
        self.headers = headers
        self.storesPartialData = storesPartialData
        self.partition = partition
        storage = CacheStorage(capacity: capacity)
    }

    /// Forgets everything.
    public func removeAll() {
        storage.removeAll()
    }

    /// Answers from the cache or from the service, as the call's policy says.
    ///
    /// - Throws: ``RejectionError`` with the code `cacheMiss` when only the cache was asked and has nothing.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        guard let call = context.values[OperationCall.self], call.document.kind == .query else {
            return try await next(request)
        }
        let key = CacheKey(call, request, headers: headers, partition: partition(context))
        switch call.options.cachePolicy {
        case .networkOnly:
            return try await fetch(request, key, context, next)
        case .cacheFirst:
            if let response = cached(key, context) {
                return response
            }
            return try await fetch(request, key, context, next)
        case .networkFirst:
            do {
                return try await fetch(request, key, context, next)
            } catch {
                // A cancelled call has nobody who waits for an answer; otherwise the service's failure counts, when
                // there is nothing to put in its place.
                guard Failure.Reason(classifying: error).kind != "cancelled", !Task.isCancelled,
                    let response = cached(key, context)
                else {
                    throw error
                }
                return response
            }
        case .cacheOnly:
            guard let response = cached(key, context) else {
                throw RejectionError("cacheMiss", "The cache has no response for \(call.document.name).")
            }
            return response
        }
    }

    private func cached(_ key: CacheKey, _ context: CallContext) -> HTTP.Response? {
        guard let response = storage.response(for: key) else {
            context.note("cache", "miss")
            return nil
        }
        context.note("cache", "hit")
        context.recordReceived(response)
        return response
    }

    private func fetch(
        _ request: HTTP.Request, _ key: CacheKey, _ context: CallContext, _ next: HTTP.Next
    ) async throws -> HTTP.Response {
        let response = try await next(request)
        if isComplete(response, context) {
            storage.store(response, for: key)
        }
        return response
    }

    /// Whether a response may be kept: a success whose content says that nothing is missing.
    private func isComplete(_ response: HTTP.Response, _ context: CallContext) -> Bool {
        guard response.isSuccess else {
            return false
        }
        if let result = response.decodedContent(for: context) as? any AnyResult {
            return storesPartialData || !result.isPartial
        }
        // The chain decodes outside the cache, so the errors have to be looked for.
        let envelope = try? JSONDecoder().decode(ResponseEnvelope<JSONValue>.self, from: response.body)
        guard let envelope, let data = envelope.data, !data.isNull else {
            return false
        }
        return storesPartialData || envelope.errors.isEmpty
    }
}

/// What a kept response belongs to.
struct CacheKey: Hashable, Sendable {
    let url: String
    let operation: String
    let document: String
    let variables: Data?
    let headers: [[String]]
    let partition: String

    init(_ call: OperationCall, _ request: HTTP.Request, headers: [HTTP.Headers.Name], partition: String = "") {
        self.partition = partition
        url = request.url.absoluteString
        operation = call.document.name
        document = call.document.text ?? call.document.hash ?? ""
        variables = call.variables
        self.headers = headers.map { request.headers[values: $0] }
    }
}
