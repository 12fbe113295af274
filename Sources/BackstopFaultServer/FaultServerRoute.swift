#if Demo
    extension FaultServer {
        /// One line of the listing: a call to try, and what comes back.
        public struct Route: Sendable, Hashable {
            /// The method, for example `GET`. Routes with `GET` answer every method.
            public var method: String
            /// The path with an example of a query, for example `/status/503?retryAfter=2`.
            public var path: String
            /// What the server answers.
            public var description: String

            init(_ endpoint: Endpoint) {
                method = endpoint.method ?? "GET"
                path = endpoint.example
                description = endpoint.description
            }
        }
    }
#endif
