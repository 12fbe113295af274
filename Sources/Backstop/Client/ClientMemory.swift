internal import BackstopCore

/// State that modules above this one keep for a client and all clients derived from it.
package final class ClientMemory: Sendable {
    /// One value of each type, guarded by the lock.
    private let values = Lock<[ObjectIdentifier: any Sendable]>([:])

    /// Makes an empty one.
    package init() {}

    /// The value of a type, created on first use.
    package func value<Value: Sendable>(_ make: () -> Value) -> Value {
        let key = ObjectIdentifier(Value.self)
        if let value = values.withLock({ $0[key] }) as? Value {
            return value
        }
        // Created outside the lock, perhaps more than once; the first one stored counts.
        let made = make()
        let kept = values.withLock { values in
            let kept = values[key] ?? made
            values[key] = kept
            return kept
        }
        return kept as? Value ?? made
    }
}
