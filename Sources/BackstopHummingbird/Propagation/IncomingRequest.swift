#if Hummingbird
    internal import Backstop
    internal import BackstopCore

    /// What the calls that are made for an incoming request take over from it.
    struct IncomingRequest: Sendable {
        /// The request that the task handles; nil outside `PropagationMiddleware`.
        @TaskLocal static var current: IncomingRequest?

        /// When the caller stops waiting, on the scale of `SystemClock`; nil when it did not say so.
        let deadline: Duration?
        /// The field that says so.
        let timeout: TimeoutField
        /// Nil without a valid one.
        let trace: TraceContext?
        /// Nil without a key, or without a caller that it is of.
        let keys: IdempotencyKeys?
    }

    /// A header field with the time that a caller waits for its answer.
    struct TimeoutField: Sendable {
        let name: HTTP.Headers.Name

        /// The longest time that is believed.
        static let limit = Duration.seconds(86_400)

        /// How many of the field's units a second has.
        private var scale: Double { name.text.lowercased().hasSuffix("-ms") ? 1000 : 1 }

        /// The time; nil when it is not a number of digits, and perhaps a decimal point.
        func time(_ text: String) -> Duration? {
            guard text.utf8.count <= 16, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
                let number = Double(text)
            else {
                return nil
            }
            return min(.seconds(number / scale), Self.limit)
        }

        /// The field's value.
        func text(_ time: Duration) -> String {
            JSONWriter.number(scale == 1 ? time.seconds : time.milliseconds.rounded())
        }
    }

    /// The fields of W3C Trace Context, as they were received.
    struct TraceContext: Sendable {
        let parent: String
        let state: String?

        /// Nil unless the parent is as the recommendation has it (3.2.2), and short. A state of more than 512 bytes is
        /// left out, which it allows (3.3.1.5).
        init?(parent: String?, state: String?) {
            guard let parent, parent.utf8.count <= 128 else { return nil }
            let parts = parent.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count >= 4, zip(parts, [2, 32, 16, 2]).allSatisfy({ Self.isHexadecimal($0, $1) }),
                parts[0] != "ff", parts[0] != "00" || parts.count == 4,
                parts[1...2].allSatisfy({ $0.contains { $0 != "0" } })
            else {
                return nil
            }
            self.parent = parent
            self.state = state.flatMap { $0.utf8.count <= 512 ? $0 : nil }
        }

        private static func isHexadecimal(_ part: Substring, _ count: Int) -> Bool {
            part.utf8.count == count
                && part.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        }
    }
#endif
