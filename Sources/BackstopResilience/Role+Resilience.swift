internal import Backstop

extension Sequence<Role> {
    /// The same roles, where those of this module have their rules; the standard order has only their names.
    package var withResilience: [Role] {
        let own: [Role] = [.fallback, .connectivity, .hedging, .bulkhead, .rateLimiter, .circuitBreaker]
        return map { role in own.first { $0 == role } ?? role }
    }
}
