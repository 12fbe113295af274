/// What the calls of a task that refreshes or loads tokens need to know.
package enum RefreshingCredentials {
    @TaskLocal private static var scope: TaskScope<[ObjectIdentifier]>?

    /// The credentials that this task refreshes or loads. Its own calls get no token, and do not wait for themselves.
    package static var current: [ObjectIdentifier] { scope?.value ?? [] }

    /// Whether this task refreshes or loads tokens: what its calls send and receive are tokens.
    package static var isAny: Bool { !current.isEmpty }

    /// Refreshes or loads the tokens of these credentials.
    nonisolated(nonsending) package static func with<Value>(
        _ credentials: ObjectIdentifier, operation: nonisolated(nonsending) () async throws -> Value
    ) async rethrows -> Value {
        let scope = TaskScope(current + [credentials])
        defer { scope.end() }
        return try await $scope.withValue(scope) {
            // It is for all calls that wait, not only the one that began it.
            try await ContinuedCall.leaving { try await operation() }
        }
    }
}
