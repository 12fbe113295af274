internal import BackstopCore

extension Stub {
    /// Lets the request through to the client's transport, for a fault that only holds it up:
    ///
    /// ```swift
    /// let faults = FaultInjection()
    /// faults.next = .delay(.seconds(5), then: .network)
    /// ```
    /// Only ``FaultInjection`` has a transport behind it; in a ``Script`` the request fails with `rejected.script`.
    public static var network: Stub {
        Stub("network", goesOn: true) { _, _ in throw GoesOn() }
    }
}

/// What a stub throws to let the request through.
struct GoesOn: Error, FailureReasonConvertible {
    var classifiedReason: Failure.Reason {
        .rejected(
            RejectionError(.script, "The stub .network is for FaultInjection: a script has no transport behind it."))
    }
}
