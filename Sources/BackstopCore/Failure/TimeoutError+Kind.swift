extension TimeoutError {
    /// Which limit was reached, and everything Backstop knows about it.
    ///
    /// An interceptor of your own may have a limit of its own:
    ///
    /// ```swift
    /// extension TimeoutError.Kind {
    ///     nonisolated static let approval = Self(
    ///         "approval", isTransient: false, isBeforeSending: true,
    ///         explanation: "The payment was not approved in time.", nextStep: "Ask for the approval earlier.")
    /// }
    /// ```
    public struct Kind: FailureCode {
        let row: CodeRow
        /// The limit as named in advice: raise `the deadline`.
        let limit: String
        /// Whether the limit is on silence, not on the whole exchange.
        package let isOnSilence: Bool
        /// Whether it is a limit of a transport or another library, and not of an interceptor.
        var isOfTransport: Bool { self == .attempt && limit != Self.attempt.limit }
        /// What stands before and after the length of the limit in the explanation, if that is known.
        private let timed: (before: String, after: String)?

        /// The name: `attempt` of `timeout.attempt`.
        public var name: String { row.name }
        /// Whether the next attempt may be faster.
        public var isTransient: Bool { row.isTransient }
        /// Whether nothing of the request, or of the next hop after a redirect, had been sent.
        package var isBeforeSending: Bool { row.isBeforeSending }
        /// What a developer can do about it; nil when that depends on the progress of the exchange.
        package var nextStep: String? { row.nextStep }
        /// What happened, as a sentence for developers.
        public var explanation: String { row.explanation }

        /// What happened, with the length of the limit, if known.
        func sentence(_ limit: Duration?) -> String {
            guard let limit, let timed else {
                return explanation
            }
            return timed.before + limit.text + timed.after
        }

        private init(
            row name: String, isTransient: Bool, isBeforeSending: Bool = false, nextStep: String? = nil,
            limit: String = "the limit", isOnSilence: Bool = false, message: MessageTemplate = .timeout,
            explanation: String, timed: (before: String, after: String)?
        ) {
            row = CodeRow(
                name, isTransient: isTransient, isBeforeSending: isBeforeSending, explanation: explanation,
                nextStep: nextStep, message: message)
            self.limit = limit
            self.isOnSilence = isOnSilence
            self.timed = timed
        }

        /// Creates a kind of your own.
        ///
        /// - Parameters:
        ///   - name: The name, in lower camel case; `failure.code` is `timeout.` followed by it. The name of a
        ///     ``builtIn`` kind gives that kind; the other arguments are then ignored.
        ///   - isTransient: Whether the next attempt may be faster. `Retry` then sends the request again, if that is
        ///     safe.
        ///   - isBeforeSending: Whether the limit is on a wait before anything is sent. Default: false.
        ///   - explanation: What happened, as a sentence for developers.
        ///   - nextStep: What a developer can do about it, as a sentence.
        ///   - message: The text for people; its translation keys start with `timeout.` and the name. Default: "This
        ///     could not be completed in time."
        public init(
            _ name: String, isTransient: Bool, isBeforeSending: Bool = false, explanation: String, nextStep: String,
            message: FailureMessage? = nil
        ) {
            let own = Kind(
                row: name, isTransient: isTransient, isBeforeSending: isBeforeSending, nextStep: nextStep,
                message: message.map { MessageTemplate("timeout.\(name)", $0) } ?? .timeout, explanation: explanation,
                timed: (explanation + " The limit was ", "."))
            self = Self.builtIn.first { $0 == own } ?? own
        }
    }
}

extension TimeoutError.Kind {
    /// All built-in kinds.
    public static let builtIn: [Self] = [attempt, connection, deadline]

    /// The limit of one attempt; the next one may be faster.
    public static let attempt = Self(
        row: "attempt", isTransient: true, limit: "the limit of AttemptTimeout",
        explanation: "The attempt did not finish within its limit.",
        timed: ("The attempt did not finish within its limit of ", "."))

    /// The limit of one attempt, because for so long, no byte came or went.
    ///
    /// The kind is ``attempt``, so that handlers and retry treat it as one; only the texts name the limit.
    package static let silence = silent("No byte came or went for ", "the transport's idleTimeout")

    /// The limit of a session of the app's own, as far as its error says: one of two.
    package static let session: Self = .library(
        "timeoutInterval of the request, or timeoutIntervalForResource of the session",
        explanation: "URLSession gave up: the request reached a time limit.")

    /// The same, while a stream or a download waited for its next part.
    ///
    /// - Parameter setting: The limit as named in advice: `StreamOptions.silence`.
    package static func streamSilence(_ setting: String) -> Self {
        silent("No byte of the response came for ", setting)
    }

    private static func silent(_ what: String, _ limit: String) -> Self {
        let rest = ", which is the limit of \(limit)."
        return Self(
            row: "attempt", isTransient: true, limit: limit, isOnSilence: true, explanation: "\(what)too long\(rest)",
            timed: (what, rest))
    }

    /// The limit of one attempt, because a time limit of the transport's library was reached.
    ///
    /// - Parameters:
    ///   - limit: The limit as named in advice.
    ///   - explanation: What happened, as a sentence.
    ///   - nextStep: What a developer can do; nil when that depends on the progress of the exchange.
    package static func library(_ limit: String, explanation: String, nextStep: String? = nil) -> Self {
        Self(
            row: "attempt", isTransient: true, nextStep: nextStep, limit: limit, explanation: explanation, timed: nil)
    }

    /// The limit on the wait for a connection, while all connections to the host were in use; nothing was sent, or
    /// nothing after a redirect.
    public static let connection = Self(
        row: "connection", isTransient: true, isBeforeSending: true,
        nextStep: "Make fewer concurrent calls to the host, or raise the transport's connectionsPerHost.",
        explanation: "There was no free connection to the host within the time allowed: other calls were using all of "
            + "them.",
        timed: ("There was no free connection to the host within ", ": other calls were using all of them."))

    /// The limit of the whole call; there is no time for another attempt.
    public static let deadline = Self(
        row: "deadline", isTransient: false, limit: "the deadline",
        explanation: "The call did not finish within its deadline.",
        timed: ("The call did not finish within its deadline of ", "."))

    /// The limit of all polls of an operation, whose last value was pending.
    package static let polls: Self = .init(
        row: "deadline", isTransient: false, nextStep: "Poll for longer, or find out why the value stays pending.",
        explanation: "The value was still pending, and there was no time for another poll.",
        timed: ("The value was still pending, and the time of all polls, ", ", leaves none for another."))

    /// What a developer can do, depending on the progress of the exchange.
    func nextStep(in phase: TransportError.Phase?) -> String {
        if let nextStep {
            return nextStep
        }
        return switch (phase, isOnSilence) {
        case (.queued, _): Self.connection.nextStep(in: nil)
        case (.connecting, _): "Check the network, VPN and firewall: there was no connection to the host in time."
        case (.sending, true):
            "Find out why nothing more was sent: the server stopped reading, or the body paused. Or raise \(limit)."
        case (.sending, false): "Send less, or raise \(limit) for large bodies: the request was still being sent."
        case (.waiting, true): "Find out why the server takes so long to respond, or raise \(limit)."
        case (.waiting, false):
            "Find out why the server takes so long to respond, or raise \(limit) for this call."
        case (.receiving, true): "Find out why the server paused within the response, or raise \(limit)."
        case (.receiving, false):
            "Request less, or raise \(limit) for large responses, unless the server stopped within this one."
        case (.unknown, true), (nil, true): "Find out why the server is silent, or raise \(limit)."
        case (.unknown, false), (nil, false): "Find out why the server is slow, or raise \(limit) for this call."
        }
    }
}
