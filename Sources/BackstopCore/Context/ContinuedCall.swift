/// A call that is made later, or again although nobody decided that: it stays the call of the account that it began with.
package struct ContinuedCall: Sendable {
    /// What interceptors noted of it when it began.
    package let values: CallValues
    /// How often an account had changed then: if the number is still the same, what no interceptor noted has not changed.
    package let accountChanges: Int

    package init(values: CallValues, accountChanges: Int) {
        self.values = values
        self.accountChanges = accountChanges
    }

    @TaskLocal private static var scope: TaskScope<ContinuedCall>?

    /// The call that this task continues; nil for none.
    package static var current: ContinuedCall? { scope?.value }

    /// Continues the call.
    nonisolated(nonsending) package func continuing<Value>(
        _ operation: nonisolated(nonsending) () async -> Value
    ) async -> Value {
        let scope = TaskScope(self)
        defer { scope.end() }
        return await Self.$scope.withValue(scope) { await operation() }
    }

    /// Delivers what a call has got: if it continues another one, so do the calls that this leads to.
    package static func delivering(as call: ContinuedCall?, _ deliver: () -> Void) {
        let scope = call.map { TaskScope($0) }
        defer { scope?.end() }
        $scope.withValue(scope) { deliver() }
    }

    /// Does something that is no part of the call.
    nonisolated(nonsending) package static func leaving<Value>(
        _ operation: nonisolated(nonsending) () async throws -> Value
    ) async rethrows -> Value {
        try await $scope.withValue(nil) { try await operation() }
    }
}

/// How often somebody has signed in or out in this process.
package enum AccountChanges {
    /// The number, guarded by the lock.
    private static let number = Lock(0)
    /// Who watches, guarded by the lock.
    private static let watchers = Lock<(byNumber: [UInt64: @Sendable () -> Void], last: UInt64)>(([:], 0))

    package static var count: Int { number.withLock { $0 } }

    /// Runs an action after each change, for as long as the result is held.
    package static func watch(_ action: @escaping @Sendable () -> Void) -> Watch {
        Watch(
            number: watchers.withLock { watchers in
                watchers.last += 1
                watchers.byNumber[watchers.last] = action
                return watchers.last
            })
    }

    /// Tells those who watch; call it outside of any lock.
    package static func tell() {
        let actions = watchers.withLock { Array($0.byNumber.values) }
        for action in actions {
            action()
        }
    }

    /// Ends with its last reference.
    package final class Watch: Sendable {
        private let number: UInt64

        fileprivate init(number: UInt64) {
            self.number = number
        }

        deinit {
            let number = number
            let action = AccountChanges.watchers.withLock { $0.byNumber.removeValue(forKey: number) }
            // Released outside the lock.
            withExtendedLifetime(action) {}
        }
    }

    /// Counts one.
    ///
    /// - Returns: Its number.
    package static func next() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}

/// A call that handlers make again.
package enum Repetition {
    /// The one that is running, or that has left a task behind.
    @TaskLocal package static var current: TaskScope<Void>?
}

/// A task-local value for as long as an operation runs: a task that the operation starts and leaves behind inherits the
/// task-local, but is no part of it.
package final class TaskScope<Value: Sendable>: Sendable {
    /// The value until the operation has ended, guarded by the lock.
    private let state: Lock<Value?>

    package init(_ value: Value) {
        state = Lock(value)
    }

    package var value: Value? { state.withLock { $0 } }

    package func end() {
        // Released outside the lock.
        _ = state.withLock { $0.take() }
    }
}
