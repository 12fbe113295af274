internal import BackstopCore

/// Reads the call's content; the call's context carries it to the `Decoding` interceptor.
final class ContentReader: CallSubject {
    private let makeName: @Sendable () -> String

    /// Returns the content.
    let read: @Sendable (HTTP.Response, CallContext) throws -> ContentBox

    let origin: String?

    /// - Parameter interceptors: Those of the chain.
    init<E: Endpoint>(_ endpoint: E, origin: String? = nil, in interceptors: [any HTTP.Interceptor]) {
        self.origin = origin
        makeName = { endpoint.name }
        read = { DecodedContent(try Self.read($0, by: endpoint, context: $1, in: interceptors), of: $1.id) }
    }

    /// The endpoint's name.
    var name: String { makeName() }

    /// Reads the content; a `DecodingError` thrown by the endpoint itself is explained by examining the body.
    static func read<E: Endpoint>(
        _ response: HTTP.Response, by endpoint: E, context: CallContext, in interceptors: [any HTTP.Interceptor]
    ) throws -> E.Content {
        do {
            try response.requireWhole()
            let isUnjudged = try response.requireAccepted(by: interceptors, context)
            return try context.redaction.whileInForce {
                guard response.status >= 400, isUnjudged != HTTP.Response.isUnjudged else {
                    return try endpoint.content(from: response)
                }
                return try HTTP.Response.$isUnjudged.withValue(isUnjudged) { try endpoint.content(from: response) }
            }
        } catch {
            // An interceptor may have changed the response; the failure shows the one that could not be decoded.
            context.recordReceived(response)
            guard let error = error as? DecodingError else {
                throw error
            }
            throw context.redaction.whileExplaining { response.decodingFailure(error, decoding: E.Content.self) }
        }
    }
}

extension HTTP.Response {
    /// Whether no interceptor has judged the status of the response that is read, which says that the call failed.
    @TaskLocal fileprivate static var isUnjudged = false

    /// Refuses the body of a failure, which is not the content that was asked for.
    func requireContent() throws {
        if Self.isUnjudged, status >= 400 {
            throw StatusError(status, response: self)
        }
    }
}
