/// A failure that a caller does not see, because `Fallback` answered in another way.
public struct FallbackRecord: Sendable {
    /// The name of the fallback.
    public let name: String
    /// Why the call failed.
    public let reason: Failure.Reason

    package init(name: String, reason: Failure.Reason) {
        self.name = name
        self.reason = reason
    }
}

private enum FallbackKey: CallKey {
    static let defaultValue: FallbackRecord? = nil
}

extension CallValues {
    /// The failure that `Fallback`, or a copy of `Hedging` to another host, stood in for; nil when there was none. For
    /// observers of a call:
    ///
    /// ```swift
    /// struct Fallbacks: CallObserver {
    ///     func callFinished(_ call: FinishedCall) {
    ///         guard let fallback = call.values.fallback else { return }
    ///         print(call.name, "used", fallback.name, "because of", fallback.reason.code)
    ///     }
    /// }
    /// ```
    public package(set) var fallback: FallbackRecord? {
        get { self[FallbackKey.self] }
        set { self[FallbackKey.self] = newValue }
    }
}
