internal import Backstop
public import BackstopCore
internal import Foundation

extension GraphQLFailure {
    /// Realistic failures of GraphQL calls, one for each case, and the refusal to send a cache-only call.
    ///
    /// Use them in previews of error views and, with `FailureSamples.all` of BackstopTesting, in a failure matrix:
    ///
    /// ```swift
    /// func matrix() async -> FailureMatrix {
    ///     let samples = GraphQLFailure.samples.map { FailureSample($0, detail: $0.graphQL?.failureCode) }
    ///     return await FailureMatrix.run(samples: FailureSamples.all + samples) {
    ///         On(graphQLCode: "UNAUTHENTICATED") { _ in }
    ///         Otherwise { _ in }
    ///     }
    /// }
    /// ```
    public static let samples: [Failure] = answered + unsent

    private struct Hero: Decodable, Sendable {
        var name: String
    }

    private struct HeroData: Decodable, Sendable {
        var hero: Hero?
    }

    private static let url = URL(string: "https://api.example.com/graphql")

    /// Real responses, read as by a call.
    private static let answered = [
        answer(#"{"errors":[{"message":"Not signed in.","extensions":{"code":"UNAUTHENTICATED"}}]}"#, status: 401),
        answer(
            #"{"data":{"hero":null},"errors":[{"message":"Out of reach.","path":["hero"],"extensions":{"code":"LOST"}}]}"#
        ),
        answer(#"{"data":{"hero":{"name":7}}}"#),
        answer("<!DOCTYPE html><html><head><title>Sign in</title></head></html>", type: "text/html"),
        answer("{}"),
        answer(
            #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#,
            error: GraphQLFailure.persistedQueryNotFound(name: "Hero")),
        answer(
            #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#, status: 404,
            error: GraphQLFailure.unknownDocument(name: "Hero")),
    ].compactMap { $0 }

    private static let unsent = [
        failure(
            GraphQLFailure.encodingError(
                RequestError(.encoding, "$.height: Unable to encode Double.nan directly in JSON."))),
        failure(
            RejectionError(
                .noCache, "Hero was to be answered from the cache only, but the chain has none: add a ResponseCache")),
    ]

    private static func answer(
        _ body: String, status: Int = 200, type: String = "application/graphql-response+json", error: (any Error)? = nil
    ) -> Failure? {
        let response = HTTP.Response(
            status: status, headers: ["Content-Type": type], body: Data(body.utf8), url: url)
        let request = url.map { url in
            HTTP.Request(
                .post, url: url, headers: ["Content-Type": "application/json"],
                body: .data(Data(#"{"operationName":"Hero","query":"query Hero { hero { name } }"}"#.utf8)))
        }
        if let error {
            return failure(error, request: request, response: response)
        }
        do {
            _ = try ResponseEnvelope<HeroData>.read(response).result(response, failsOnPartialData: true)
            return nil
        } catch {
            return failure(error, request: request, response: response)
        }
    }

    private static func failure(
        _ error: any Error, request: HTTP.Request? = nil, response: HTTP.Response? = nil
    ) -> Failure {
        let code = Failure(error).code
        let attempt = Attempt(
            number: 1, duration: request == nil ? .zero : .milliseconds(120), result: .failed(code: code))
        return Failure(
            error, request: request, response: response, attempts: [attempt], stopReason: .notRetryable, name: "Hero")
    }
}
