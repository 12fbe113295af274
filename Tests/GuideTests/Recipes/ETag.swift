import Backstop
import Foundation

/// Keeps responses that have an `ETag`, and asks the server whether they are still valid (RFC 9110, 13.1.2).
actor ETagCache: HTTP.Interceptor {
    /// Everything the response may depend on, credentials included: nobody gets another person's response.
    private struct Key: Hashable {
        static let names: [HTTP.Headers.Name] = [.accept, .acceptLanguage, .authorization, .cookie]
        let url: String
        let headers: [[String]]

        init(_ request: HTTP.Request) {
            url = request.url.absoluteString
            headers = Self.names.map { request.headers[values: $0] }
        }
    }

    private let capacity: Int
    private var kept: [Key: HTTP.Response] = [:]
    private var order: [Key] = []  // oldest first

    /// - Parameter capacity: How many responses are kept, of up to 1 MiB each.
    init(capacity: Int = 100) {
        self.capacity = capacity
    }

    func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
        guard request.method == .get, request.headers[.ifNoneMatch] == nil else {
            return try await next(request)
        }
        let key = Key(request)
        let stored = kept[key]
        var request = request
        request.headers[.ifNoneMatch] = stored?.headers[.etag]
        let response = try await next(request)
        guard response.status == 304, var stored else {
            if isKept(response) { keep(response, as: key) }
            return response
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

    private func isKept(_ response: HTTP.Response) -> Bool {
        let vary = response.headers[values: "Vary"].joined(separator: ",").split(separator: ",")
        let isVaryKnown = vary.allSatisfy { name in
            let name = HTTP.Headers.Name(String(name.filter { $0 != " " }))
            return name == "Accept-Encoding" || Key.names.contains(name)
        }
        let cacheControl = response.headers[values: "Cache-Control"].joined(separator: ",").lowercased()
        return response.status == 200 && response.headers[.etag] != nil && isVaryKnown
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
