@_exported public import BackstopResilience

// Without its trait, the module is there and has only what says so.
#if !GRPC
    /// Needs the trait `GRPC`.
    @available(*, unavailable, message: "enable the trait: .package(url: ..., traits: [\"GRPC\"])")
    public enum PolicyTransport {}
#endif
