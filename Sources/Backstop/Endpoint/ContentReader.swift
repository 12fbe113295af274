internal import BackstopCore

/// Reads the call's content; the call's context carries it to the `Decoding` interceptor.
final class ContentReader: CallSubject {
    private let makeName: @Sendable () -> String

    /// Returns the content.
    let read: @Sendable (HTTP.Response, CallContext) throws -> ContentBox

    let origin: String?

    init<E: Endpoint>(_ endpoint: E, origin: String? = nil) {
        self.origin = origin
        makeName = { endpoint.name }
        read = { DecodedContent(try Self.read($0, by: endpoint, context: $1), of: $1.id) }
    }

    /// The endpoint's name.
    var name: String { makeName() }

    /// Reads the content; a `DecodingError` thrown by the endpoint itself is explained by examining the body.
    static func read<E: Endpoint>(
        _ response: HTTP.Response, by endpoint: E, context: CallContext
    ) throws -> E.Content {
        do {
            return try context.redaction.whileInForce { try endpoint.content(from: response) }
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
