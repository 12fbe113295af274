/// The wait that a policy has chosen, and what else it could have chosen: calls that were lost together go on together if
/// the policy of each allows it.
package struct RetryWait: Sendable {
    /// How much earlier than its policy allows a call may go on with those that failed a little before.
    static let tolerance = Duration.milliseconds(250)

    /// How long the call waits by itself.
    package let chosen: Duration
    /// What a server, or whoever else knows, demands at least.
    private let least: Duration
    private let range: ClosedRange<Duration>

    init(chosen: Duration, least: Duration, range: ClosedRange<Duration>) {
        self.chosen = chosen
        self.least = least
        self.range = range
    }

    /// The same, but not less than this.
    package func atLeast(_ least: Duration) -> RetryWait {
        RetryWait(chosen: max(chosen, least), least: max(self.least, least), range: range)
    }

    /// The same, counted from a later moment.
    func added(to start: Duration) -> RetryWait {
        RetryWait(
            chosen: start.adding(chosen), least: start.adding(least),
            range: start.adding(range.lowerBound)...start.adding(range.upperBound))
    }

    /// How long to wait to go on with others.
    ///
    /// - Parameter rest: The time until they do; negative when they have gone on.
    /// - Returns: Nil if it could not have chosen that.
    func sharing(_ rest: Duration) -> Duration? {
        let isPossible =
            rest >= max(range.lowerBound, least).subtracting(Self.tolerance) && rest <= max(range.upperBound, least)
        return isPossible ? max(rest, least) : nil
    }
}
