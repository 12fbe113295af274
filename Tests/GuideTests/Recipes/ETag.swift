import Backstop
import Foundation

/// Keeps responses that have an `ETag`, and asks the server whether they are still valid (RFC 9110, 13.1.2).
///
/// All headers of a request count, so nobody gets the response of another person or tenant. Where headers are added
/// further inside, as a session adds its cookies, nobody knows whose response it is: it is not kept.
actor ETagCache: HTTP.Interceptor {
    private struct Key: Hashable {
        /// What is different in each request, or the same in all, and changes no response.
        static let ignored: Set<HTTP.Headers.Name> = ["traceparent", "User-Agent", "X-Request-ID", .ifNoneMatch]
        let url: String
        let headers: Set<HTTP.Headers.Field>

        init(_ request: HTTP.Request) {
            url = request.url.absoluteString
            headers = Set(request.headers.filter { !Self.ignored.contains($0.name) })
        }
    }

    /// What asks for a part of a response, or has a condition of its own.
    private static let special: [HTTP.Headers.Name] = ["Range", "If-Modified-Since", .ifNoneMatch]

    private let capacity: Int
    private var kept: [Key: HTTP.Response] = [:]
    private var order: [Key] = []  // oldest first

    /// - Parameter capacity: How many responses are kept, of up to 1 MiB each.
    init(capacity: Int = 100) {
        self.capacity = capacity
    }

    func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
        guard request.method == .get, request.body.isNone, !context.isStream,
            Self.special.allSatisfy({ request.headers[$0] == nil })
        else {
            return try await next(request)
        }
        let key = Key(request)
        let stored = kept[key]
        var conditional = request
        conditional.headers[.ifNoneMatch] = stored?.headers[.etag]
        let response = try await next(conditional)
        let sent = context.sentRequests.compactMap { $0 as? HTTP.Request }
        let isKnown = !sent.isEmpty && sent.allSatisfy { Key($0).headers.isSubset(of: key.headers) }
        guard response.status == 304, var stored else {
            if isKnown, isKept(response) { keep(response, as: key) }
            return response
        }
        guard isKnown, response.url == stored.url, [nil, tag(of: stored)].contains(tag(of: response)) else {
            kept[key] = nil
            return try await next(request)  // the 304 may be about another response
        }
        // The new headers replace the old ones (RFC 9111, 3.2), except those that describe the empty body.
        for name in Set(response.headers.map(\.name)).subtracting([.contentLength, .contentType]) {
            stored.headers.remove(name)
            for value in response.headers[values: name] { try stored.headers.add(value, for: name) }
        }
        context.note("etag", "the response that was kept still holds")
        context.recordReceived(stored)  // so that a later failure shows this response
        keep(stored, as: key)
        return stored
    }

    /// The tag, weak or not.
    private func tag(of response: HTTP.Response) -> String? {
        response.headers[.etag].map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
    }

    private func isKept(_ response: HTTP.Response) -> Bool {
        let vary = response.headers[values: "Vary"].joined(separator: ",").filter { !$0.isWhitespace }
        let isVaryKnown = Key.ignored.union(["*"]).isDisjoint(
            with: vary.split(separator: ",").map { HTTP.Headers.Name(String($0)) })
        let cacheControl = response.headers[values: "Cache-Control"].joined(separator: ",").lowercased()
        // Broken JSON would otherwise stay until the tag changes.
        let isJSON = response.mediaType?.hasSuffix("json") == true
        let isReadable = !isJSON || (try? JSONValue(parsing: response.body)) != nil
        return response.status == 200 && response.headers[.etag] != nil && isVaryKnown && isReadable
            && !cacheControl.contains("no-store") && response.body.count <= 1 << 20
    }

    private func keep(_ response: HTTP.Response, as key: Key) {
        order.removeAll { $0 == key }
        order.append(key)
        kept[key] = response
        if order.count > capacity { kept[order.removeFirst()] = nil }
    }
}

func makeClientWithETags(transport: any HTTP.Transport = URLSessionTransport()) throws -> Client {
    // Inside `StatusValidation`, which does not accept a 304.
    try Client.standard(baseURL: "https://api.example.com/v1", transport: transport)
        .withChain { try $0.inserting(ETagCache(), inside: .apiErrorDecoding) }
}
