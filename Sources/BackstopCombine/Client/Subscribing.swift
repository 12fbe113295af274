#if canImport(Combine) || OpenCombine
    internal import Backstop
    internal import BackstopCore

    /// What the calls above an operator learn of it while it subscribes to them.
    struct Subscribing: Sendable {
        /// The operator that is subscribing now; nil when none is.
        @TaskLocal static var current: Subscribing?

        /// The idempotency keys of the calls above it, which it may make again.
        let keys: KeptKeys
        /// When the first of them had to be over, on the scale of its client's clock; nil for no limit.
        var deadline: Duration?
        /// The call that they continue, because nobody decided to make it again; nil for none.
        var continued: ContinuedCall?
    }
#endif
