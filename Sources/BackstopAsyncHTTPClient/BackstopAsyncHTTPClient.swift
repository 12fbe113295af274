@_exported public import Backstop

#if AsyncHTTPClient
    import AsyncHTTPClient
#endif

// Without its trait, the module is there and has only what says so.
#if !AsyncHTTPClient
    /// Needs the trait `AsyncHTTPClient`.
    @available(*, unavailable, message: "enable the trait: .package(url: ..., traits: [\"AsyncHTTPClient\"])")
    public enum AsyncHTTPClientTransport {}
#endif
