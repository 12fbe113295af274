#if Demo
    import Foundation

    /// The streams of `/graphql/stream` that are open or reserved on one server.
    final class LiveStreams: Sendable {
        private struct Contents {
            /// Until when each token opens a stream.
            var reserved: [String: ContinuousClock.Instant] = [:]
            var open: [String: LiveStream] = [:]
        }

        /// How long a reservation lasts.
        static let patience = Duration.seconds(120)

        /// Guards both lists. A token is in one of them, and goes with its stream.
        private let contents = Locked(Contents())

        /// A token that opens one stream; nil when there are too many.
        func reserve(at now: ContinuousClock.Instant = .now) -> String? {
            contents.withLock { contents in
                contents.reserved = contents.reserved.filter { $0.value > now }
                guard contents.reserved.count + contents.open.count < Limits.streams else { return nil }
                let token = UUID().uuidString
                contents.reserved[token] = now + Self.patience
                return token
            }
        }

        /// The stream that was reserved; nil when none was, or it is open already.
        func open(_ token: String, at now: ContinuousClock.Instant = .now) -> LiveStream? {
            contents.withLock { contents in
                guard let end = contents.reserved.removeValue(forKey: token), end > now else { return nil }
                let stream = LiveStream()
                contents.open[token] = stream
                return stream
            }
        }

        /// The stream that is open.
        subscript(token: String) -> LiveStream? {
            contents.withLock { $0.open[token] }
        }

        func close(_ token: String) {
            _ = contents.withLock { $0.open.removeValue(forKey: token) }
        }
    }
#endif
