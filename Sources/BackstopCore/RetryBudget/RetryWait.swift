/// The wait that a policy has chosen, and what else it could have chosen: calls that were lost together go on together if
/// the policy of each allows it.
package struct RetryWait: Sendable {
    /// How much later than the others a call may still go on with them.
    static let tolerance = Duration.milliseconds(250)

    /// How long the call waits by itself.
    package let chosen: Duration
    /// What a server, or whoever else knows, demands at least.
    let least: Duration
    let range: ClosedRange<Duration>

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

    /// How long to wait to go on with others that were lost at the same moment.
    ///
    /// - Parameters:
    ///   - chosen: How long the first of them waits.
    ///   - rest: How much of that is left; negative when they have gone on.
    /// - Returns: Nil if it could not have chosen the same.
    func sharing(_ chosen: Duration, rest: Duration) -> Duration? {
        let isPossible =
            chosen >= range.lowerBound && chosen <= max(range.upperBound, least)
            && rest >= least.subtracting(Self.tolerance)
        return isPossible ? max(rest, least) : nil
    }
}
