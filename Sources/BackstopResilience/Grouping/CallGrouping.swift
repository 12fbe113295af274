internal import Backstop

/// Which calls share a circuit, a limit or a rate: all of them, or those with the same key.
///
/// ```swift
/// struct Query: CallRequest {
///     var tenant: String
///     var isIdempotent: Bool { true }
///     var isReplayable: Bool { true }
///     func summary(_ redaction: Redaction) -> String { "query" }
/// }
/// let perTenant = CallGrouping<Query>.by { $0.tenant }
/// ```
/// For HTTP, `.origin` groups by scheme, host and port.
///
/// At most ``maximumKeys`` keys are kept; of more, those that were not used for the longest time are forgotten, and so
/// is a key that was not used for ``lifetime``. A rate limiter keeps a hundred times as many of those whose tokens are
/// not all back. A key of more than 256 bytes is kept as its beginning and a hash. A key never goes into a report, but
/// it does go into the log and into ``CircuitTransition``, so do not use a secret as one.
public struct CallGrouping<Request: Sendable>: Sendable {
    /// The key of a request; nil when all calls share one state.
    package let key: (@Sendable (Request) -> String)?
    /// The key that somebody means who writes it by hand.
    private let written: @Sendable (String) -> String

    init(_ key: (@Sendable (Request) -> String)?, written: @escaping @Sendable (String) -> String = { $0 }) {
        self.key = key
        self.written = written
    }

    /// The key of a state that somebody asks for; nil when there are no keys.
    func key(written text: String?) -> String? {
        key == nil ? nil : text.map(written)
    }

    /// All calls share one state. The fastest: there is nothing to look up.
    public static var all: CallGrouping {
        CallGrouping(nil)
    }

    /// Calls share a state if they have the same key.
    ///
    /// - Parameter key: Derives the key from the request. It runs for every call, outside any lock.
    public static func by(_ key: @escaping @Sendable (Request) -> String) -> CallGrouping {
        CallGrouping(key)
    }

    /// How many keys are kept: 1,000. More than the hosts of any app, and less than a megabyte.
    public static var maximumKeys: Int { 1000 }

    /// How long an unused key is kept: 10 minutes.
    public static var lifetime: Duration { .seconds(600) }
}
