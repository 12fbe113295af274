/// A value behind one reference, for what has many parts, each of which every copy would retain and release.
package final class Shared<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}

/// A copy with a change.
@inlinable
package func changed<Value>(_ value: Value, _ change: (inout Value) throws -> Void) rethrows -> Value {
    var copy = value
    try change(&copy)
    return copy
}
