extension CallOptions {
    /// When and how often to retry the call, in the place of the policy of its ``Retry``; nil for that one. Default:
    /// nil.
    ///
    /// It applies to any call of a derived client, however it is made, and to the runs of a `Policy`. Without a
    /// ``Retry`` in the chain it has no effect.
    ///
    /// ```swift
    /// func refresh(_ client: Client) async throws(Failure) -> HTTP.Response {
    ///     try await client.withOptions { $0.retry = .never }.get("books")
    /// }
    /// ```
    public var retry: RetryPolicy? {
        get { values[RetryPolicyKey.self] }
        set { values[RetryPolicyKey.self] = newValue }
    }
}

/// The policy of the call; nil for that of its interceptor.
enum RetryPolicyKey: CallKey {
    static let defaultValue: RetryPolicy? = nil
}
