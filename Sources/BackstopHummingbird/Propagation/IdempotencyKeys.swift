#if Hummingbird
    internal import Backstop
    internal import BackstopCore
    internal import BackstopHash
    internal import Foundation

    /// The keys of the calls that are made for one incoming request with a key: each has its own, and has the same when
    /// the incoming request is repeated, on whatever server of a fleet.
    final class IdempotencyKeys: Sendable {
        /// The longest key that is passed on.
        static let limit = 255

        /// What the keys of all calls are made of: the caller, its key, and what it asked for.
        private let seed: [String]

        /// The calls so far, by what they ask for: how many there were, and whether one is running. Guarded by the lock.
        private let orders = Lock<[String: (count: Int, isRunning: Bool)]>([:])

        /// Nil for a key that is blank, or too long.
        init?(_ key: String, caller: String, method: String, target: String) {
            guard key.utf8.count <= Self.limit, key.contains(where: { !$0.isWhitespace }) else {
                return nil
            }
            seed = [caller, key, method, target]
        }

        /// Begins a call.
        ///
        /// The body counts for nothing: a time or an identifier in it would make another order of the repeated one. So
        /// only their sequence distinguishes calls to the same URL.
        ///
        /// - Returns: Its key.
        /// - Throws: A `RejectionError` while another such call is running: their sequence would be up to chance.
        func begin(_ order: String) throws(RejectionError) -> String {
            let number = orders.withLock { orders -> Int? in
                let last = orders[order] ?? (0, false)
                guard !last.isRunning else { return nil }
                orders[order] = (last.count + 1, true)
                return last.count
            }
            guard let number else {
                throw RejectionError(
                    .idempotencyKey,
                    "Two calls for the same incoming request ask for the same URL at the same time. Which of them gets "
                        + "which key would be up to chance, so give their endpoints keys of their own.")
            }
            return Self.uuid(of: seed + [order, "\(number)"])
        }

        /// Ends a call that has a key.
        func end(_ order: String) {
            orders.withLock { $0[order]?.isRunning = false }
        }

        /// What a call asks for.
        static func order(_ request: HTTP.Request, name: String) -> String {
            joined([name, request.method.name, request.url.absoluteString])
        }

        /// A UUID of version 8 (RFC 9562, 5.8): services limit keys in length and form.
        private static func uuid(of parts: [String]) -> String {
            let digits = Array(SHA256.hexDigest(of: joined(parts)))
            func text(_ range: Range<Int>) -> String { String(digits[range]) }
            return "\(text(0..<8))-\(text(8..<12))-8\(text(12..<15))-a\(text(15..<18))-\(text(18..<30))"
        }

        /// Each with its length: two lists never give the same text.
        private static func joined(_ parts: [String]) -> String {
            parts.map { "\($0.utf8.count):\($0)" }.joined()
        }
    }
#endif
