#if Demo
    internal import BackstopCore

    /// The faults to come.
    ///
    /// Why not `FaultInjection`: the page lists what is left of each, and most of them are about the connection to the app,
    /// which no interceptor of the call to the service sees.
    final class ProxyFaults: Sendable {
        /// How many there may be.
        static let countLimit = 50

        /// That of the next call, and the others, of which a call gets the first that is for it. Guarded by the lock.
        private let faults: Lock<(next: ProxyFault?, all: [ProxyFault])>
        private let random: any RandomSource

        init(_ faults: [ProxyFault], random: any RandomSource) {
            self.faults = Lock((nil, faults))
            self.random = random
        }

        /// Makes it the fault of the next call, in the place of one that was not used.
        func setNext(_ fault: ProxyFault) {
            faults.withLock { $0.next = fault }
        }

        /// Replaces all.
        func replace(with new: [ProxyFault]) {
            faults.withLock { $0 = (nil, new) }
        }

        /// The fault of a call, which is then used up once.
        func take(_ method: String, _ path: String) -> ProxyFault? {
            faults.withLock { faults in
                if let next = faults.next, isFor(next, method, path) {
                    faults.next = Self.used(next)
                    return next
                }
                guard let index = faults.all.firstIndex(where: { isFor($0, method, path) }) else {
                    return nil
                }
                let fault = faults.all[index]
                faults.all.replaceSubrange(index...index, with: Self.used(fault).map { [$0] } ?? [])
                return fault
            }
        }

        private func isFor(_ fault: ProxyFault, _ method: String, _ path: String) -> Bool {
            fault.isFor(method, path) && (fault.share >= 1 || random.unit() < fault.share)
        }

        /// What is left of it; nil for nothing.
        private static func used(_ fault: ProxyFault) -> ProxyFault? {
            var fault = fault
            fault.left? -= 1
            return fault.left == 0 ? nil : fault
        }

        /// As they are written, that of the next call first.
        var lines: [String] {
            faults.withLock { ($0.next.map { [$0] } ?? []) + $0.all }.map(\.line)
        }
    }
#endif
