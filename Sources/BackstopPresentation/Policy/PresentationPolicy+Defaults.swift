internal import BackstopCore

extension PresentationPolicy {
    /// A default rule, with what the guide says of it.
    package struct Default: Sendable {
        /// The failures.
        package let failures: String
        /// How they are presented, in words.
        package let words: String
        /// Why.
        package let reason: String
        let style: PresentationStyle
        package let rule: Present

        fileprivate init(
            _ pattern: FailurePattern, _ failures: String, as style: PresentationStyle, _ words: String,
            because reason: String
        ) {
            self.failures = failures
            self.words = words
            self.reason = reason
            self.style = style
            rule = Present(pattern, as: style)
        }
    }

    /// The rules that follow those of the app; the last one is about every failure.
    public static let defaultRules: [Present] = defaults.map(\.rule)

    /// The default rules, in the order of `Docs/Handlers.md`; the first that fits decides.
    package static let defaults: [Default] = [
        Default(
            .code("cancelled"), "`cancelled`", as: .ignore, "nothing",
            because: "whoever cancelled it knows"),
        Default(
            .code("rejected.accountChanged"), "`rejected.accountChanged`", as: .ignore, "nothing",
            because: "it was a call of somebody else, who has left"),
        Default(
            .mayHaveWorked, "whatever may have been done: an order that got no answer", as: .alert,
            "alert", because: "the person has to check first, so this must not be missed"),
        Default(
            .offline, "`transport.offline`", as: .banner(.untilSuccess), "banner, until a server answers",
            because: "what is on the screen can still be read"),
        Default(
            .validation,
            "`status.400` unless the request only reads, `status.422`, other refusals with fields or words for people",
            as: .inline, "inline",
            because: "it is about what was entered, and is corrected there"),
        Default(
            .maintenance, "a status from 500 on, with `Retry-After`", as: .fullScreen,
            "full screen, with a countdown where it is safe to send again",
            because: "the server says when it is back, so nobody has to try"),
        Default(
            .means("status.503") { $0 == 503 }, "`status.503`", as: .fullScreen(countsDown: false), "full screen",
            because: "nothing of the service works at the moment"),
        Default(
            .means("status(500...).or(status.429)") { $0 >= 500 || $0 == 429 },
            "any other status from 500 on, `status.429`, a 403 with a wait", as: .banner, "banner, for 10 s",
            because: "trying again at once does not help, and the rest of the app may work"),
        Default(
            .rejected, "`rejected.*`", as: .banner, "banner, for 10 s",
            because: "nothing was sent, and nothing is lost"),
        Default(
            .transport.or(.timeout), "`transport.*`, `timeout.*`", as: .alert, "alert",
            because: "the person waits for it, and may want to try again"),
        Default(
            .decoding, "`decoding`", as: .alert, "alert",
            because: "an update of the app, or a sign-in to the network, is what helps"),
        Default(
            .any, "whatever is left: `status.*`, `service.*`, `request.*`, `other`", as: .alert, "alert",
            because: "what nobody foresaw must be seen"),
    ]
}
