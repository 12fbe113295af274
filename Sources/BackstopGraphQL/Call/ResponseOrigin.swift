internal import BackstopCore

/// Where the response of a call came from, as the cache tells the one who reads it.
final class ResponseOrigin: Sendable {
    /// When the service gave the response that the cache kept, since 1970; nil when it is fresh. Guarded by the lock.
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
