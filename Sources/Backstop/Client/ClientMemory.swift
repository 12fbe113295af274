internal import BackstopCore

/// What modules above this one keep for a client, and for all that are derived from it.
package final class ClientMemory: Sendable {
    /// One value of each type, guarded by the lock.
    private let values = Lock<[ObjectIdentifier: any Sendable]>([:])

    /// Makes an empty one.
    package init() {}

    /// The value of a type, made when it is first asked for.
    package func value<Value: Sendable>(_ make: () -> Value) -> Value {
        let key = ObjectIdentifier(Value.self)
        if let value = values.withLock({ $0[key] }) as? Value {
            return value
        }
        // Made outside the lock, so that several may be; the first that is stored counts.
        let made = make()
        let kept = values.withLock { values in
            let kept = values[key] ?? made
            values[key] = kept
            return kept
        }
        return kept as? Value ?? made
    }
}
