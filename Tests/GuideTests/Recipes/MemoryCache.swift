import Backstop
import BackstopAuthentication  // for values.account
import Foundation

/// Answers a GET from memory while the last response is fresh, and whenever the service cannot be reached.
///
/// All headers that a request has here tell responses apart, and so does the account. For a call without an account,
/// nothing is kept.
actor MemoryCache: HTTP.Interceptor {
    private struct Key: Hashable {
        let account: String
        let url: String
        let headers: HTTP.Headers
    }

    nonisolated var role: Role { .cache }  // outside retry and authentication, as the order rules require

    private let lifetime: Duration
    private let capacity: Int
    private var kept: [Key: (response: HTTP.Response, time: Duration)] = [:]
    private var changed: Duration?  // when a request last changed something

    /// - Parameters:
    ///   - lifetime: How long a response is reused without a request.
    ///   - capacity: How many responses are kept.
    init(lifetime: Duration = .seconds(60), capacity: Int = 100) {
        self.lifetime = lifetime
        self.capacity = capacity
    }

    func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
        let start = context.clock.now
        defer { if !request.isReadOnly { changed = context.clock.now } }
        guard request.method == .get, request.body.isNone, !context.isStream, let account = context.values.account
        else {
            return try await next(request)
        }
        let key = Key(account: account, url: request.url.absoluteString, headers: request.headers)
        if let (response, time) = kept[key], start - time < lifetime, changed.map({ time > $0 }) ?? true {
            return answer(response, context)
        }
        do {
            let response = try await next(request)
            if isKept(response, key, sent: context.sentRequest as? HTTP.Request) {
                keep(response, as: key, at: start)
            }
            return response
        } catch {
            let status = context.receivedResponse?.statusCode
            guard isOutage(error, status: status), let (response, _) = kept[key] else { throw error }
            return answer(response, context)
        }
    }

    private func answer(_ response: HTTP.Response, _ context: CallContext) -> HTTP.Response {
        context.note("cache", "the response that was kept")
        context.recordReceived(response)  // so that a later failure shows it
        return response
    }

    /// Whether an old response may replace this failure: never a refusal, such as a 401.
    private func isOutage(_ error: any Error, status: Int?) -> Bool {
        switch Failure.Reason(classifying: error) {
        case .transport, .timeout: true
        case .status, .service: [502, 503, 504].contains(status)
        case .rejected(let error): error.code == .breakerOpen
        case .cancelled, .request, .decoding, .storage, .other: false
        }
    }

    /// Not if `Vary` names a header that is added or changed further inside, unless it is a credential of the account.
    private func isKept(_ response: HTTP.Response, _ key: Key, sent: HTTP.Request?) -> Bool {
        let vary = response.headers[values: "Vary"].joined(separator: ",").filter { !$0.isWhitespace }
        let isVaryKnown = vary.split(separator: ",").map { HTTP.Headers.Name(String($0)) }.allSatisfy { name in
            ["Accept-Encoding", .authorization, .cookie, "X-Api-Key"].contains(name)
                || name != "*" && sent?.headers[values: name] == key.headers[values: name]
        }
        let cacheControl = response.headers[values: "Cache-Control"].joined(separator: ",").lowercased()
        return response.status == 200 && isVaryKnown && !cacheControl.contains("no-store")
    }

    private func keep(_ response: HTTP.Response, as key: Key, at time: Duration) {
        if let newer = kept[key], newer.time > time { return }
        kept[key] = (response, time)
        if kept.count > capacity, let oldest = kept.min(by: { $0.value.time < $1.value.time }) {
            kept[oldest.key] = nil
        }
    }
}

func makeCachingClient(of account: String, transport: any HTTP.Transport = URLSessionTransport()) throws -> Client {
    try Client.standard(baseURL: "https://api.example.com/v1", transport: transport)
        .withChain { try $0.inserting(MemoryCache(), outside: .retry) }
        .withOptions { $0.values.account = account }
}
