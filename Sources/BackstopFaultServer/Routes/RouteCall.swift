#if Demo
    /// What a route gets to see.
    struct RouteCall: Sendable {
        let request: ReceivedRequest
        let state: ServerState
        /// Seconds that the maintenance answer asks to wait.
        let retryAfter: Int
        /// The origin of the other listener, for example `http://127.0.0.1:8081`.
        let otherOrigin: String
        /// The part of the path behind the route's own, for example `503` in `/status/503`; empty when there is none.
        let rest: String

        /// Counts a call of a kind with the query parameter `id`: how many there were, and whether it is one of the first,
        /// of which there are as many as `times` says. Default: all.
        func counted(_ kind: String, times fallback: Int = .max) -> (calls: Int, isEarly: Bool) {
            let calls = state.countCall("\(kind) \(request.parameter("id") ?? "")")
            return (calls, calls <= request.integer("times", default: fallback, in: 0...Int.max))
        }

        /// The query parameter `status`.
        func status(default fallback: Int) -> Int {
            request.integer("status", default: fallback, in: 200...599)
        }

        /// The value of `Retry-After` that the query asks for: `retryAfter` as it is, `retryAfterDate` as a date so
        /// many seconds ahead; nil when there is neither.
        var retryAfterValue: String? {
            if let seconds = request.parameter("retryAfter") { return seconds }
            guard request.parameter("retryAfterDate") != nil else { return nil }
            let seconds = request.integer("retryAfterDate", default: 0, in: -1_000_000_000...1_000_000_000)
            return IMFDate.text(secondsFromNow: seconds)
        }
    }
#endif
