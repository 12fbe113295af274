internal import BackstopCore

#if DEBUG
    /// Logs order issues, once for each order that a client and those derived from it have.
    final class OrderReport: Sendable {
        /// The chains already checked, interceptor by interceptor with their settings; guarded by the lock.
        private let seen = Lock<Set<String>>([])

        func check(_ chain: HTTP.Chain, log: any LogSink) {
            let profiles = chain.profiles
            let order = chain.description
            let key = order + "\n" + profiles.map(\.description).joined(separator: "\n")
            // Interceptors are chosen in code, so there are few orders; the bound is for code that creates thousands of
            // roles.
            let isNew = seen.withLock { $0.count < 1000 && $0.insert(key).inserted }
            guard isNew, log.isEnabled(.warning) else {
                return
            }
            let issues = chain.orderIssues
            guard !issues.isEmpty else {
                return
            }
            let list = issues.map { "  \($0.rule.severity): \($0)" }.joined(separator: "\n")
            let head =
                issues.contains(where: \.isAboutOrder)
                ? "The interceptors of the chain are in the wrong order:" : "Check the settings of the interceptors:"
            log.write(LogEntry(.warning, "\(head)\n\(list)\n\(order)"))
        }
    }
#endif
