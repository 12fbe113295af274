package import Backstop
internal import BackstopCore
internal import Foundation

/// The endpoint behind `client.fetch`, and behind the streams of results.
package struct OperationEndpoint<Operation: GraphQL.Operation>: Endpoint {
    package typealias Content = GraphQL.Result<Operation.Data>

    package let name: String
    let call: Swift.Result<OperationCall, any Error>
    let options: GraphQL.Options
    /// How the data is decoded.
    let decoder: JSONDecoder
    /// Whether the results are read while they arrive; then the format says what is accepted.
    let isStream: Bool
    /// Whether they are parts of one result, which a subscription does not have.
    package var isIncremental = false
    /// Whether the operation changes something.
    package var isMutation: Bool { (try? call.get())?.document.kind == .mutation }

    package func makeRequest() throws -> HTTP.Request {
        guard let call = try? call.get() else {
            // Not sent: the chain refuses it with the reason.
            return try HTTP.Request(.post, options.path, headers: options.headers)
        }
        let document = call.document
        guard isStream && !isIncremental || document.kind != .subscription else {
            throw RequestError(
                .invalid,
                "\(document.subject) is a subscription: open it with client.subscribe, of BackstopSubscriptions")
        }
        var request = try HTTP.Request(.post, options.path, headers: options.headers)
        if request.headers[.accept] == nil, !isStream {
            request.headers[.accept] = ResponseRule.accept
        }
        // What only reads may be sent again even by POST.
        request.isRepeatable = document.kind == .mutation ? nil : true
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
        try content(from: response, none: nil)
    }

    /// - Parameters:
    ///   - beside: Errors that came with the response, but not in it.
    ///   - none: What stands for data that is null beside errors; nil to fail with them.
    package func content(
        from response: HTTP.Response, beside: [GraphQL.Error] = [], none: Operation.Data?
    ) throws -> Content {
        try ResponseRule.check(response)
        var envelope = try ResponseEnvelope<Operation.Data>.read(response, decoder: decoder)
        envelope.errors += beside
        if envelope.isNull, !envelope.errors.isEmpty, let none {
            envelope.data = none
        }
        let result = try envelope.result(
            response, failsOnPartialData: options.failsOnPartialData, of: (try? call.get())?.document)
        return result.from((try? call.get())?.origin.withLock { $0 } ?? .service)
    }
}
