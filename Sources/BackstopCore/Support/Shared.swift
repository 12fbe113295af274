/// A value behind one reference, for what has many parts, each of which every copy would retain and release.
final class Shared<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
