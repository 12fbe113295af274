@_exported public import BackstopGraphQL

// Combine, or its replacement elsewhere: only this file knows which.
#if canImport(Combine)
    @_exported public import Combine
#elseif OpenCombine
    @_exported public import OpenCombine
#endif

// Without its trait, the module is there and has only what says so.
#if !canImport(Combine) && !OpenCombine
    extension Client {
        /// Needs the trait `OpenCombine`, where there is no Combine.
        @available(*, unavailable, message: "enable the trait: .package(url: ..., traits: [\"OpenCombine\"])")
        public func publisher(for endpoint: some Endpoint) {}
    }
#endif
