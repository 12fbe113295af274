extension CallContext {
    /// When the call must be over, on the scale of ``clock``'s `now`; nil for no limit.
    ///
    /// That of ``Deadline`` stands still while a stream is open: it is later by the time that a stream was open which
    /// turned out to be an answer in the place of one.
    public var deadline: Duration? {
        guard holdsUntilOpen, let fixedDeadline, let intake = callIntake else {
            return fixedDeadline
        }
        let deadline = fixedDeadline.adding(intake.timeInVain)
        return record.options.deadline.map { min(deadline, record.start.adding($0)) } ?? deadline
    }

    /// The same context with an earlier deadline; a later one than the current changes nothing.
    ///
    /// - Parameter deadline: The moment on the scale of ``clock``'s `now`.
    public func withDeadline(_ deadline: Duration) -> CallContext {
        withDeadline(deadline, untilOpen: nil)
    }

    /// The same with one that stands still while a stream is open, should that turn out to be none.
    func withDeadline(_ deadline: Duration, untilOpen intake: (any CallIntake)?) -> CallContext {
        guard deadline < self.deadline ?? .seconds(Int64.max) else {
            return self
        }
        let time = intake.map { deadline.subtracting($0.timeInVain) } ?? deadline
        return CallContext(self, deadline: (time, intake != nil), isDeadlineEnforced: false)
    }

    /// Why an attempt ended, for logs and the like: what the deadline has ended was not cancelled by anybody.
    package func reason(ofAttempt error: any Error) -> Failure.Reason {
        let reason = Failure.Reason(classifying: error)
        guard case .cancelled = reason, isDeadlineEnforced, let deadline, clock.now >= deadline else {
            return reason
        }
        return .timeout(TimeoutError(.deadline))
    }

    /// The same context, for a transport that ends the attempt itself.
    ///
    /// - Parameter rate: How many bytes make the limit a second longer; 0 for none.
    func limitingAttempt(to limit: Duration, rate: Int32) -> CallContext {
        CallContext(self, attemptLimit: (limit, rate))
    }
}
