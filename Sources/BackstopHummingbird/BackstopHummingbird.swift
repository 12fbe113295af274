@_exported public import Backstop

// Without its trait, the module is there and has only what says so.
#if !Hummingbird
    /// Needs the trait `Hummingbird`.
    @available(*, unavailable, message: "enable the trait: .package(url: ..., traits: [\"Hummingbird\"])")
    public enum FailureMiddleware {}
#endif
