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

        /// The keys of the calls so far, and what those asked for that sent nothing. Guarded by the lock.
        private let calls = Lock((used: Set<String>(), unsent: [String: RequestIdentity]()))

        /// Nil for a key that is blank, or too long.
        init?(_ key: String, caller: String, method: String, target: String) {
            guard key.utf8.count <= Self.limit, key.contains(where: { !$0.isWhitespace }) else {
                return nil
            }
            seed = [caller, key, method, target]
        }

        /// The key of a call.
        ///
        /// The body counts for nothing: a time or an identifier in it would make another order of the repeated one. Nor
        /// does the sequence of calls, which may be up to chance, and differs when one has failed or is left out.
        ///
        /// - Throws: A `RejectionError` for a second call with the same key, which may be another order; not when the
        ///   first has sent nothing, and this is the same request.
        func take(for request: HTTP.Request, name: String) throws(RejectionError) -> String {
            let key = Self.uuid(of: seed + [name, request.method.name, request.url.absoluteString])
            let identity = RequestIdentity(request, keepsBody: false)
            let isFree = calls.withLock { calls in
                let isSame = calls.unsent[key] == identity
                if isSame { calls.unsent[key] = nil }
                return calls.used.insert(key).inserted || isSame
            }
            guard isFree else {
                throw RejectionError(
                    .idempotencyKey,
                    "A second call for the same incoming request asks for the same URL, and would get the same key. "
                        + "Give each call a name of its own, or an Idempotency-Key that no other order has.")
            }
            return key
        }

        /// Leaves the key to the same request, as a handler may repeat it, after a call that sent nothing.
        func giveBack(_ key: String, of request: HTTP.Request) {
            let identity = RequestIdentity(request, keepsBody: false)
            calls.withLock { $0.unsent[key] = identity.isWhole ? identity : nil }
        }

        /// A UUID of version 8 (RFC 9562, 5.8): services limit keys in length and form.
        private static func uuid(of parts: [String]) -> String {
            // Each with its length: two lists never give the same text.
            let digits = Array(SHA256.hexDigest(of: parts.map { "\($0.utf8.count):\($0)" }.joined()))
            func text(_ range: Range<Int>) -> String { String(digits[range]) }
            return "\(text(0..<8))-\(text(8..<12))-8\(text(12..<15))-a\(text(15..<18))-\(text(18..<30))"
        }
    }
#endif
