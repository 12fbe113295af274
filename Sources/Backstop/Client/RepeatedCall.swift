internal import BackstopCore

/// A call that may be made several times.
package protocol RepeatableCall: Sendable {
    /// Looks at the request, and may give it the key that it had before.
    ///
    /// - Parameter again: Makes the request once more, to see whether its key stays.
    /// - Returns: The key that interceptors must not change; nil for none.
    /// - Throws: A `RejectionError` when the endpoint asks for something else with a new key: for the server that is
    ///   another order, beside the one that was to be repeated.
    func begin(_ request: inout HTTP.Request, again: () throws -> HTTP.Request) throws -> String?

    /// Records what was sent.
    func end(_ sent: RepeatSafety)
}

extension RejectionError {
    /// That a request to be repeated has become another one, with a key that says nothing.
    package static func unknownOrder(_ method: HTTP.Method) -> RejectionError {
        RejectionError(
            .idempotencyKey,
            "\(method) was to be repeated, but the endpoint now asks for something else, with a new Idempotency-Key. "
                + "Store the key in the endpoint, so that it says which order it is.")
    }
}

/// A call that a handler may repeat.
///
/// An endpoint may make another idempotency key in each request; for the server, that would be a second order. So the
/// repeated request gets the key of the last one, but only if both ask for the same: a key never goes to another order.
final class RepeatedCall: RepeatableCall {
    /// What was asked for last, and the key that it was sent with: an interceptor may have added one. Guarded by its lock.
    private let last = Lock<(asked: HTTP.Request, key: String?)?>(nil)

    func begin(_ request: inout HTTP.Request, again: () throws -> HTTP.Request) throws -> String? {
        let key = try key(for: request, again: again)
        if let key {
            request.headers[.idempotencyKey] = key
        }
        last.withLock { [request] in $0 = (request, request.idempotencyKey) }
        return key
    }

    func end(_ sent: RepeatSafety) {
        if let key = sent.key {
            last.withLock { $0?.key = key }
        }
    }

    private func key(for request: HTTP.Request, again: () throws -> HTTP.Request) throws -> String? {
        guard let last = last.withLock({ $0 }), let key = last.key, request.dependsOnKey else {
            return nil
        }
        let own = request.idempotencyKey
        if own == key || own != nil && own == last.asked.idempotencyKey || Self.isSame(request, last.asked, own) {
            return key
        }
        // A key that stays is the endpoint's own, so this is another order. One that changes does not say which it is.
        if let own, try again().idempotencyKey != own {
            throw RejectionError.unknownOrder(request.method)
        }
        return nil
    }

    /// Whether two requests ask for the same: with streams, whose bytes are unknown, if the new one has no key of its
    /// own that says otherwise.
    private static func isSame(_ one: HTTP.Request, _ other: HTTP.Request, _ own: String?) -> Bool {
        guard one.method == other.method, one.url == other.url else {
            return false
        }
        if let data = one.body.data {
            return data == other.body.data
        }
        if let file = one.body.file {
            return file == other.body.file
        }
        return own == nil && other.body.data == nil && other.body.file == nil
    }
}
