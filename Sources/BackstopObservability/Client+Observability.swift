#if Observability
    public import Backstop
    internal import BackstopCore
    public import Logging

    extension Client {
        /// A copy of the client that writes logs, metrics and traces to the backends that the process has bootstrapped.
        ///
        /// ```swift
        /// let client = try Client.standard(baseURL: "https://shop.example.com").observed()
        /// ```
        /// The same as ``logged(to:)``, ``measured(by:)`` and ``traced()``, each of which also works alone.
        ///
        /// - Parameters:
        ///   - logger: The logger. Default: one with the label `backstop`.
        ///   - metrics: The metrics. Default: those of the process.
        public func observed(
            logger: Logger = Logger(label: "backstop"), metrics: ClientMetrics = .shared
        ) -> Client {
            traced().measured(by: metrics).logged(to: logger)
        }

        /// A copy of the client that writes everything to a logger: the lines of `RequestLogging`, what became of each
        /// failure, and the reports of unhandled ones.
        ///
        /// ```swift
        /// let client = try Client.standard(baseURL: "https://shop.example.com").logged(to: Logger(label: "shop"))
        /// ```
        /// A chain without `RequestLogging` gets one, for calls.
        ///
        /// - Parameter logger: The logger. Default: one with the label `backstop`.
        public func logged(to logger: Logger = Logger(label: "backstop")) -> Client {
            let sink = LoggerSink(logger)
            var copy = deriving { chain in
                let interceptors = chain.interceptors.map { interceptor -> any HTTP.Interceptor in
                    (interceptor as? RequestLogging).map { old in
                        RequestLogging(
                            old.subject, successLevel: old.successLevel, failureLevel: old.failureLevel,
                            bodyLimit: old.bodyLimit, curl: old.curl, to: sink)
                    } ?? interceptor
                }
                let logging = interceptors.contains { $0 is RequestLogging } ? [] : [RequestLogging(.call, to: sink)]
                return chain.having(interceptors).placing(logging)
            }
            copy.handling.log = sink
            copy.handling.observers.removeAll { $0 is LoggerSink }
            copy.handling.observers.append(sink)
            return copy
        }

        /// A copy of the client whose calls are measured.
        ///
        /// ```swift
        /// let client = try Client.standard(baseURL: "https://shop.example.com").measured()
        /// ```
        /// - Parameter metrics: The metrics. Default: those of the process, so that all clients share their limits.
        public func measured(by metrics: ClientMetrics = .shared) -> Client {
            var copy = deriving { chain in
                chain.having(chain.interceptors.filter { !($0 is MetricsInterceptor) }).placing([
                    MetricsInterceptor(subject: .call, metrics: metrics),
                    MetricsInterceptor(subject: .attempt, metrics: metrics),
                ])
            }
            copy.handling.observers.removeAll { $0 is ClientMetrics }
            copy.handling.observers.append(metrics)
            return copy
        }

        /// A copy of the client that makes a span for each call and for each of its attempts, and passes their context
        /// on to the server.
        ///
        /// ```swift
        /// let client = try Client.standard(baseURL: "https://shop.example.com").traced()
        /// ```
        /// See ``RequestTracing``; its interceptors are placed where the order rules want them.
        public func traced() -> Client {
            deriving { chain in
                chain.having(chain.interceptors.filter { !($0 is RequestTracing) }).placing([
                    RequestTracing(.call), RequestTracing(.attempt),
                ])
            }
        }
    }

    extension HTTP.Chain {
        /// The chain with other interceptors.
        fileprivate func having(_ interceptors: [any HTTP.Interceptor]) -> HTTP.Chain {
            HTTP.Chain(interceptors, transport: transport, orderRules: orderRules, invalid: invalid)
        }

        /// The chain with more interceptors, each just inside the last one whose role comes before its own in the
        /// standard order.
        fileprivate func placing(_ new: [any HTTP.Interceptor]) -> HTTP.Chain {
            var all = interceptors
            for interceptor in new {
                let outside = Role.standardOrder.prefix { $0 != interceptor.role }
                let last = all.lastIndex { outside.contains($0.role) }
                all.insert(interceptor, at: last.map { $0 + 1 } ?? 0)
            }
            return having(all)
        }
    }
#endif
