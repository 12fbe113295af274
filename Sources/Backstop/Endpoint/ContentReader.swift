internal import BackstopCore

/// Reads the call's content; the call's values carry it to the `Decoding` interceptor.
struct ContentReader: CallKey, Sendable {
    static let defaultValue: ContentReader? = nil

    /// Returns the content.
    let read: @Sendable (HTTP.Response, CallContext) throws -> any ContentBox

    init<E: Endpoint>(_ endpoint: E) {
        read = { try Self.read($0, by: endpoint, context: $1) }
    }

    /// Reads the content; a `DecodingError` thrown by the endpoint itself is explained by examining the body.
    static func read<E: Endpoint>(
        _ response: HTTP.Response, by endpoint: E, context: CallContext
    ) throws -> DecodedContent<E.Content> {
        do {
            return DecodedContent(value: try context.redaction.whileInForce { try endpoint.content(from: response) })
        } catch {
            // An interceptor may have changed the response; the failure shows the one that could not be decoded.
            context.recordReceived(response)
            guard let error = error as? DecodingError else {
                throw error
            }
            throw context.redaction.whileInForce { response.decodingFailure(error, decoding: E.Content.self) }
        }
    }
}
