/// A value behind one reference, for what has many parts, each of which every copy would retain and release.
package final class Shared<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
