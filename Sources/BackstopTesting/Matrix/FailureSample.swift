public import BackstopCore

/// A sample failure.
public struct FailureSample: Sendable {
    /// The name in tables: the failure's code, with a detail in parentheses if several have the same code.
    public let name: String
    /// The failure.
    public let failure: Failure

    /// Makes a sample of your app's own failure.
    ///
    /// ```swift
    /// struct SoldOut: ServiceError {}
    /// let samples = FailureSamples.all + [FailureSample(Failure(SoldOut()))]
    /// ```
    /// - Parameters:
    ///   - failure: The failure.
    ///   - detail: Distinguishes it from others with the same code; nil when not needed. Default: nil.
    public init(_ failure: Failure, detail: String? = nil) {
        self.failure = failure
        name = failure.code + (detail.map { " (\($0))" } ?? "")
    }
}
