package import Backstop
internal import BackstopCore
internal import Foundation

/// The endpoint behind `client.fetch`.
package struct OperationEndpoint<Operation: GraphQL.Operation>: Endpoint {
    package typealias Content = GraphQL.Result<Operation.Data>

    package let name: String
    let call: Swift.Result<OperationCall, any Error>
    let options: GraphQL.Options
    /// How the data is decoded.
    let decoder: JSONDecoder

    package func makeRequest() throws -> HTTP.Request {
        guard let call = try? call.get() else {
            // Not sent: the chain refuses it with the reason.
            return try HTTP.Request(.post, options.path, headers: options.headers)
        }
        let document = call.document
        guard document.kind != .subscription else {
            throw RequestError(
                .invalid, "\(document.subject) is a subscription: one HTTP request cannot carry a stream of results")
        }
        var request = try HTTP.Request(.post, options.path, headers: options.headers)
        if request.headers[.accept] == nil {
            request.headers[.accept] = ResponseRule.accept
        }
        // A query only reads, so it may be sent again even by POST.
        request.isRepeatable = document.kind == .query ? true : nil
        guard let text = document.text else {
            // The persisted-queries interceptor adds the identifier; without it, it is added here.
            guard let id = document.hash else {
                throw RequestError(.invalid, "\(document.subject) has neither a text nor an identifier")
            }
            return try WireMessage(call: call, identity: .hash(id)).applied(
                to: request, byGET: options.sendsHashesByGET)
        }
        return try WireMessage(call: call, identity: .text(text)).applied(
            to: request, byGET: options.usesGETForQueries)
    }

    package func content(from response: HTTP.Response) throws -> Content {
        try ResponseRule.judge(response)
        let result = try ResponseEnvelope<Operation.Data>.read(response, decoder: decoder)
            .result(response, failsOnPartialData: options.failsOnPartialData)
        return result.from((try? call.get())?.origin.source ?? .service)
    }
}
