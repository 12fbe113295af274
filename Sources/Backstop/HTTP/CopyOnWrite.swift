/// A value behind one reference, which copies share until one of them changes it.
struct CopyOnWrite<Value: Sendable>: Sendable {
    // Unchecked, because it is changed only while nothing else has a reference to it.
    private final class Box: @unchecked Sendable {
        @exclusivity(unchecked) var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var box: Box

    init(_ value: Value) {
        box = Box(value)
    }

    var value: Value {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) {
                box = Box(box.value)
            }
            yield &box.value
        }
    }
}
