internal import BackstopCore

/// A list that several tasks write to.
package final class Notes<Element: Sendable>: Sendable {
    /// What was written, guarded by the lock.
    private let kept = Lock<[Element]>([])
    /// Opened by the first.
    package let begun = Gate()

    package init() {}

    /// What was written so far.
    package var all: [Element] {
        kept.withLock { $0 }
    }

    /// Writes one more.
    package func add(_ element: Element) {
        kept.withLock { $0.append(element) }
        begun.open()
    }
}

/// A number that several tasks count up.
package final class Counter: Sendable {
    /// The number, guarded by the lock.
    private let number = Lock(0)

    package init() {}

    package var value: Int {
        number.withLock { $0 }
    }

    /// - Returns: The number after it was counted up.
    @discardableResult
    package func increment() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}
