#if Hummingbird
    internal import Backstop
    internal import BackstopCore
    internal import Foundation

    /// What the calls that are made for an incoming request take over from it.
    struct IncomingRequest: Sendable {
        /// The request that the task was started for; its lock guards it, and it becomes nil when the handler returns.
        @TaskLocal static var shared: Lock<IncomingRequest?>?

        /// The request that the task handles; nil outside `PropagationMiddleware`, and in a task that outlives it.
        static var current: IncomingRequest? { shared?.withLock { $0 } }

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

        /// How many of the field's units a second has.
        private var scale: Double { name.text.lowercased().hasSuffix("-ms") ? 1000 : 1 }

        /// The time, from zero to a day; nil when it is not a decimal number.
        func time(_ text: String) -> Duration? {
            guard text.utf8.count <= 32, text.allSatisfy("+-.0123456789Ee".contains), let number = Double(text) else {
                return nil
            }
            return .seconds(min(max(number / scale, 0), 86_400))
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

        /// Version 00 as the recommendation has it (3.2.2), and higher ones with whatever follows; short.
        private static let parentPattern =
            #"\A(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]{0,72})?\z"#
        /// A list of keys and values (3.3.1), of which some may be empty.
        private static let statePattern =
            #"\A([ \t]*+([a-z0-9][a-z0-9_*/@-]{0,255}=[ -+\--<>-~]{0,255}[!-+\--<>-~][ \t]*+)?+(,|\z)){1,32}\z"#

        /// Nil without a valid parent. A state that is not valid, or of more than 512 bytes, is left out, which the
        /// recommendation allows (3.3.1.5).
        init?(parent: String?, state: String?) {
            func valid(_ text: String?, _ pattern: String) -> String? {
                guard let text, text.utf8.count <= 512 else { return nil }
                return text.range(of: pattern, options: .regularExpression) == nil ? nil : text
            }
            guard let parent = valid(parent, Self.parentPattern) else { return nil }
            self.parent = parent
            self.state = valid(state, Self.statePattern)
        }
    }
#endif
