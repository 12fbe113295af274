package import BackstopCore

/// What a protocol above HTTP allows less of than the transport of its calls does.
package struct ExchangeBounds: Sendable {
    /// Whether a redirect that asks for another method is not followed, but the response.
    package var keepsMethod = false
    /// How many bytes a response may have, unless it is a stream.
    package var responseLimit = Int.max
}

private enum ExchangeBoundsKey: CallKey {
    static let defaultValue = ExchangeBounds()
}

extension CallValues {
    package var bounds: ExchangeBounds {
        get { self[ExchangeBoundsKey.self] }
        set { self[ExchangeBoundsKey.self] = newValue }
    }
}

extension CallContext {
    /// How many bytes a response may have, by the limit of the transport and that of the call.
    package func responseLimit(atMost limit: Int) -> Int {
        isStream ? limit : min(limit, values.bounds.responseLimit)
    }
}
