#if Demo
    /// What happens to a call at a moment.
    struct StormEvent: Equatable {
        enum Kind: UInt8 {
            /// The request fails at once: refused, or a fault.
            case failure
            /// The wait before the next attempt is over.
            case retry
            /// It has waited too long for a place in its client's bulkhead.
            case noPlace
        }

        /// When, in nanoseconds.
        var time: Int64
        var kind: Kind
        /// The place of the call.
        var slot: Int32
        /// Which request of that place; an event of an earlier one is dropped.
        var generation: Int32
        /// Of two events at the same time, the first scheduled comes first.
        fileprivate(set) var order: UInt32 = 0
    }

    /// The events to come, the earliest first: a binary heap.
    struct EventHeap {
        private var events: [StormEvent] = []
        private var scheduled: UInt32 = 0

        /// When the earliest happens; nil for none.
        var nextTime: Int64? { events.first?.time }

        var count: Int { events.count }

        mutating func schedule(_ event: StormEvent) {
            var event = event
            event.order = scheduled
            scheduled &+= 1
            var child = events.count
            events.append(event)
            while child > 0 {
                let parent = (child - 1) / 2
                guard Self.precedes(event, events[parent]) else {
                    break
                }
                events[child] = events[parent]
                child = parent
            }
            events[child] = event
        }

        mutating func popFirst() -> StormEvent? {
            guard let first = events.first, let last = events.popLast() else {
                return nil
            }
            guard !events.isEmpty else {
                return first
            }
            var parent = 0
            while true {
                var child = parent * 2 + 1
                guard child < events.count else {
                    break
                }
                if child + 1 < events.count, Self.precedes(events[child + 1], events[child]) {
                    child += 1
                }
                guard Self.precedes(events[child], last) else {
                    break
                }
                events[parent] = events[child]
                parent = child
            }
            events[parent] = last
            return first
        }

        private static func precedes(_ left: StormEvent, _ right: StormEvent) -> Bool {
            // Around the turn of the counter, the difference tells.
            left.time < right.time
                || left.time == right.time && Int32(truncatingIfNeeded: left.order &- right.order) < 0
        }
    }

    /// A queue: in at the end, out at the beginning.
    struct StormLine<Element> {
        private var elements: [Element] = []
        private var head = 0

        var count: Int { elements.count - head }

        var first: Element? { head < elements.count ? elements[head] : nil }

        mutating func append(_ element: Element) {
            elements.append(element)
        }

        mutating func popFirst() -> Element? {
            guard head < elements.count else {
                return nil
            }
            defer {
                head += 1
                // The part that is gone never exceeds what is there by much, and each element is moved once at most.
                if head > 1000, head * 2 > elements.count {
                    elements.removeFirst(head)
                    head = 0
                }
            }
            return elements[head]
        }
    }
#endif
