import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTesting
import Foundation

/// The URL of all scripted services.
let endpoint = "https://api.example.com/graphql"

/// A client whose chain reads responses as most chains do, before a script.
func makeClient(
    _ transport: ScriptedTransport, url: String = endpoint, clock: any CallClock = RecordingClock(),
    graphQL options: GraphQL.Options = GraphQL.Options()
) throws -> Client {
    try makeClient(transport, url: url, clock: clock, graphQL: options) {
        Decoding()
        StatusValidation()
    }
}

/// A client of interceptors before a script.
func makeClient(
    _ transport: ScriptedTransport, url: String = endpoint, clock: any CallClock = RecordingClock(),
    graphQL options: GraphQL.Options = GraphQL.Options(),
    @HTTP.ChainBuilder interceptors: () throws -> [any HTTP.Interceptor]
) throws -> Client {
    try Client(baseURL: url, transport: transport, interceptors: interceptors).withOptions { call in
        call.clock = clock
        call.values.graphQL = options
    }
}

/// What a call failed with; nil when it gave a value.
func failure<Value>(of call: () async throws(Failure) -> Value) async -> Failure? {
    do throws(Failure) {
        _ = try await call()
        return nil
    } catch {
        return error
    }
}

extension Stub where Request == HTTP.Request, Response == HTTP.Response {
    /// Answers in GraphQL's own media type.
    static func graphQL(_ status: Int = 200, _ text: String) -> Stub {
        .json(status, text, headers: ["Content-Type": "application/graphql-response+json"])
    }

    /// Answers with a hero.
    static var hero: Stub {
        .graphQL(200, #"{"data":{"hero":{"name":"R2-D2"}}}"#)
    }

    /// Says that a hash is not known.
    static var miss: Stub {
        .json(200, #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
    }
}

extension HTTP.Request {
    /// The body as a text; empty when there is none.
    var text: String {
        String(decoding: body.data ?? Data(), as: UTF8.self)
    }

    /// Whether the text of an operation is sent.
    var hasText: Bool {
        text.contains(#""query":"#) || url.absoluteString.contains("query=")
    }

    /// Whether the hash of an operation is sent.
    var hasHash: Bool {
        text.contains("sha256Hash") || url.absoluteString.contains("sha256Hash")
    }
}

/// The hashes and texts of requests in a few letters: `H` for a hash alone, `HT` for both, `T` for the text alone.
func forms(_ requests: [HTTP.Request]) -> [String] {
    requests.map { ($0.hasHash ? "H" : "") + ($0.hasText ? "T" : "") }
}
