#if Demo
    /// What came of a storm with one policy.
    struct StormResult: Equatable {
        var policy = ""
        var title = ""
        var clients = 0
        var outageSeconds = 0
        /// Requests sent over calls begun, in the outage; without one, in the whole run.
        var amplification = 0.0
        /// The most requests sent in one second, over what the server can serve.
        var peakLoad = 0.0
        /// Seconds from the end of the outage until six in a row serve 97 % of the offered load; nil for never.
        var recoverySeconds: Int?
        /// The share of calls that succeeded.
        var succeeded = 0.0
        /// The share of requests served whose caller was gone.
        var wasted = 0.0
        /// The share of calls that were refused by their own client.
        var refusedLocally = 0.0
        /// The requests sent in each second.
        var load: [Int32] = []
        /// The calls answered in time in each second.
        var good: [Int32] = []
    }
#endif
