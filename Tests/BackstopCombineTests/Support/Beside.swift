#if canImport(Combine) || OpenCombine
    import BackstopCombine

    extension Publisher {
        /// The values of both once both have ended well, in no order. OpenCombine's `zip` is not that: when one side fails,
        /// it reads what is gone if the other delivers at this moment, and ends the process.
        func beside(_ other: some Publisher<Output, Failure>) -> AnyPublisher<[Output], Failure> {
            [eraseToAnyPublisher(), other.eraseToAnyPublisher()].publisher
                .setFailureType(to: Failure.self)
                .flatMap { $0 }
                .collect()
                .eraseToAnyPublisher()
        }
    }
#endif
