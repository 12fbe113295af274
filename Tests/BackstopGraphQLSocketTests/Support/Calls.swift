import Backstop
import BackstopCore
import BackstopStreams
import BackstopTesting
import Foundation

@testable import BackstopGraphQLSocket

/// An operation by its text.
struct Ask: EmptyEndpoint {
    var query = "subscription { a }"
    var headers = HTTP.Headers()
    /// Nil for a mutation.
    var isRepeatable: Bool? = true

    var name: String { "Ask" }

    func makeRequest() throws -> HTTP.Request {
        var request = try HTTP.Request(
            .post, "", headers: headers, body: .data(try JSONEncoder().encode(["query": query])))
        request.isRepeatable = isRepeatable
        return request
    }

    /// The whole request.
    static func request(
        _ query: String = "{ a }", headers: HTTP.Headers = [:], at url: String = "https://a.example/graphql",
        isRepeatable: Bool? = true
    ) throws -> HTTP.Request {
        var request = try HTTP.Request(
            .post, url, headers: headers, body: .data(try JSONEncoder().encode(["query": query])))
        request.isRepeatable = isRepeatable
        return request
    }
}

extension GraphQL.Socket {
    /// A client of this socket, which writes no log and, unless told otherwise, waits for nothing between attempts.
    func client(
        at url: String = "https://a.example/graphql", attempts: Int = 1, budget: RetryBudget? = nil,
        wait: Duration = .zero, backoff: Backoff? = nil, clock: (any CallClock)? = nil,
        options: CallOptions = CallOptions()
    ) throws -> Client {
        var options = options
        options.clock = clock ?? options.clock
        var handling = FailureHandling()
        handling.log = RecordingLog()
        let backoff = try backoff ?? Backoff(baseDelay: wait, maximumDelay: wait, growth: .constant, jitter: .none)
        let policy = try RetryPolicy(attempts: attempts, backoff: backoff, budget: budget)
        return try Client(baseURL: url, transport: self, options: options, handling: handling) {
            Retry(policy)
            Decoding()
            StatusValidation()
            AttemptTimeout(.seconds(600))
        }
    }

    /// Sends a query, and returns its body as a text.
    func ask(_ query: String = "{ a }", headers: HTTP.Headers = [:], isRepeatable: Bool? = true) async throws -> String
    {
        let response = try await send(
            Ask.request(query, headers: headers, isRepeatable: isRepeatable), context: CallContext())
        return String(decoding: response.body, as: UTF8.self)
    }
}
