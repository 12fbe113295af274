@_exported public import Backstop

// Without its trait, the module is there and has only what says so.
#if !Observability
    extension Client {
        /// Needs the trait `Observability`.
        @available(*, unavailable, message: "enable the trait: .package(url: ..., traits: [\"Observability\"])")
        public func observed() -> Client { self }
    }
#endif
