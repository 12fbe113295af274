import Backstop

/// Stops sending to a service that is down. After a pause, one call may try; its result decides.
actor CircuitBreaker: HTTP.Interceptor {
    private enum State {
        case closed(failures: Int)
        case open(until: Duration)
        case trying
    }

    nonisolated var role: Role { .circuitBreaker }  // the order rules for breakers apply

    private let threshold: Int
    private let pause: Duration
    private var state = State.closed(failures: 0)

    /// - Parameters:
    /// - threshold: How many failures in a row open the breaker.
    /// - pause: How long nothing is sent after that.
    init(threshold: Int = 5, pause: Duration = .seconds(30)) {
        self.threshold = threshold
        self.pause = pause
    }

    func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
        let isTrying = try admit(now: context.clock.now)
        do {
            let response = try await next(request)
            state = .closed(failures: 0)
            return response
        } catch {
            let isDown = isDown(error, status: context.receivedResponse?.statusCode)
            judge(isDown: isDown, isTrying: isTrying, now: context.clock.now)
            throw error
        }
    }

    /// Whether the call is the one that tries; throws if nothing may be sent.
    private func admit(now: Duration) throws -> Bool {
        switch state {
        case .closed:
            return false
        case .open(let end) where now >= end:
            state = .trying
            return true
        case .open, .trying:
            throw RejectionError("breakerOpen", "The service was down a moment ago.", isTransient: true)
        }
    }

    /// Whether the failure means that the service is down; nil when it says nothing about the service.
    private func isDown(_ error: any Error, status: Int?) -> Bool? {
        switch Failure.Reason(classifying: error) {
        case .cancelled, .request, .rejected: nil
        case .transport(let error) where error.code == .offline: nil
        case .transport, .timeout: true
        case .status, .service, .decoding, .other: status ?? 0 >= 500
        }
    }

    private func judge(isDown: Bool?, isTrying: Bool, now: Duration) {
        switch (state, isDown) {
        case (.closed(let failures), true) where failures + 1 < threshold:
            state = .closed(failures: failures + 1)
        case (.closed, true), (.trying, true):
            state = .open(until: now + pause)
        case (.closed, false), (.trying, false):
            state = .closed(failures: 0)  // a refusal shows that the service works
        case (.trying, nil) where isTrying:
            state = .open(until: now)  // the next call may try
        case (.closed, nil), (.trying, nil), (.open, _):
            break
        }
    }
}

func makeClientWithBreaker(transport: any HTTP.Transport = URLSessionTransport()) throws -> Client {
    // One breaker for all calls of the client, just inside retry.
    try Client.standard(baseURL: "https://api.example.com/v1", transport: transport)
        .withChain { try $0.inserting(CircuitBreaker(), inside: .retry) }
}
