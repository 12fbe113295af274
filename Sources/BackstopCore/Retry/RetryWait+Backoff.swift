extension RetryWait {
    /// Draws the wait of a backoff; the parameters are those of ``Backoff/wait(failedAttempts:after:random:)``.
    package init(
        _ backoff: Backoff, failedAttempts: Int, after previous: Duration? = nil, random: any RandomSource
    ) {
        self.init(
            chosen: backoff.wait(failedAttempts: failedAttempts, after: previous, random: random), least: .zero,
            range: backoff.range(failedAttempts: failedAttempts, after: previous))
    }
}
