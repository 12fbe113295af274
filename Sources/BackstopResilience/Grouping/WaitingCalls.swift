/// Calls that wait, in the order in which they came. Every operation but `removeAll` has constant cost.
struct WaitingCalls<Waiter> {
    private struct Place {
        var waiter: Waiter
        /// The numbers of the calls before and behind; nil at the ends.
        var before: UInt64?
        var behind: UInt64?
    }

    private var places: [UInt64: Place] = [:]
    private var first: UInt64?
    private var last: UInt64?

    /// Makes an empty line.
    init() {}

    /// How many wait.
    var count: Int { places.count }

    /// The call that has waited longest; nil when none waits.
    var firstWaiter: Waiter? { first.flatMap { places[$0]?.waiter } }

    /// Whether none waits.
    var isEmpty: Bool { places.isEmpty }

    /// Adds a call at the end.
    ///
    /// - Parameter number: Names the call; no other call of the line may have it.
    mutating func append(_ waiter: Waiter, number: UInt64) {
        places[number] = Place(waiter: waiter, before: last)
        if let last {
            places[last]?.behind = number
        }
        first = first ?? number
        last = number
    }

    /// Removes the call that has waited longest; nil when none waits.
    mutating func removeFirst() -> Waiter? {
        first.flatMap { remove($0) }
    }

    /// Removes the call that came last; nil when none waits.
    mutating func removeLast() -> Waiter? {
        last.flatMap { remove($0) }
    }

    /// Removes a call; nil when it does not wait.
    mutating func remove(_ number: UInt64) -> Waiter? {
        guard let place = places.removeValue(forKey: number) else {
            return nil
        }
        if let before = place.before {
            places[before]?.behind = place.behind
        } else {
            first = place.behind
        }
        if let behind = place.behind {
            places[behind]?.before = place.before
        } else {
            last = place.before
        }
        return place.waiter
    }

    /// Removes those for which a closure says so, asked in their order.
    mutating func removeAll(where isToGo: (Waiter) -> Bool) {
        var next = first
        while let number = next, let place = places[number] {
            next = place.behind
            if isToGo(place.waiter) {
                _ = remove(number)
            }
        }
    }
}
