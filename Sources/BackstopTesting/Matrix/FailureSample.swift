public import BackstopCore

/// A sample failure.
public struct FailureSample: Sendable {
    /// The name in tables: the failure's code, and in brackets what tells it from others with the same code.
    public let name: String
    /// The failure.
    public let failure: Failure

    /// Makes a sample of a failure that only your app has.
    ///
    /// ```swift
    /// struct SoldOut: ServiceError {}
    /// let samples = FailureSamples.all + [FailureSample(Failure(SoldOut()))]
    /// ```
    /// - Parameters:
    ///   - failure: The failure.
    ///   - detail: What tells it from others with the same code; nil when nothing need. Default: nil.
    public init(_ failure: Failure, detail: String? = nil) {
        self.failure = failure
        name = failure.code + (detail.map { " (\($0))" } ?? "")
    }
}
