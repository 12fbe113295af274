#if Demo
    extension FaultServer {
        /// One line of the listing: a call to try, and what comes back.
        public struct Route: Sendable {
            /// The method, for example `GET`. A path that has routes for `GET` alone answers every method.
            public let method: String
            /// The path with an example of a query, for example `/status/503?retryAfter=2`.
            public let path: String
            /// What the server answers.
            public let description: String
            /// The path of requests; when it ends in a slash (and is more than that), one more component follows.
            let pattern: String
            let answer: @Sendable (RouteCall) -> Answer

            /// - Parameter example: A target to try; the pattern when it is one.
            init(
                _ pattern: String, example: String? = nil, method: String = "GET", _ description: String,
                answer: @escaping @Sendable (RouteCall) -> Answer
            ) {
                self.method = method
                path = example ?? pattern
                self.description = description
                self.pattern = pattern
                self.answer = answer
            }
        }
    }
#endif
