internal import BackstopCore

/// Where the response to a call came from, recorded by the cache.
final class ResponseOrigin: Sendable {
    /// When the service sent the stored response, since 1970; nil for a fresh one. Guarded by the lock.
    private let date = Lock<Duration?>(nil)

    func setService() {
        date.withLock { $0 = nil }
    }

    func setCache(_ stored: Duration) {
        date.withLock { $0 = stored }
    }

    /// Where it came from.
    var source: GraphQL.Source {
        date.withLock { $0 }.map { .cache(stored: $0) } ?? .service
    }
}
