package import BackstopCore

/// What a protocol above HTTP allows less of than the transport of its calls does.
package struct ExchangeBounds: Sendable, CallKey {
    package static let defaultValue = ExchangeBounds()

    /// Whether a redirect that asks for another method is not followed, but the response.
    package var keepsMethod = false
    /// How many bytes a response may have, unless it is a stream.
    package var responseLimit = Int.max
}

extension CallValues {
    package var bounds: ExchangeBounds {
        get { self[ExchangeBounds.self] }
        set { self[ExchangeBounds.self] = newValue }
    }
}

extension CallContext {
    /// How many bytes a response may have, by the limit of the transport and that of the call.
    package func responseLimit(atMost limit: Int) -> Int {
        isStream ? limit : min(limit, values.bounds.responseLimit)
    }
}
