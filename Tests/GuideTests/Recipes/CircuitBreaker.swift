import Backstop

/// Stops sending to a service that is down. After a pause, one call may try; its result alone decides.
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
    private var round = 0  // a new one each time it opens or tries

    /// - Parameters:
    ///   - threshold: How many failures in a row open the breaker.
    ///   - pause: How long nothing is sent after that.
    init(threshold: Int = 5, pause: Duration = .seconds(30)) {
        self.threshold = threshold
        self.pause = pause
    }

    func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
        let round = try admit(now: context.clock.now)
        do {
            let response = try await next(request)
            judge(isDown: false, in: round, now: context.clock.now)
            return response
        } catch {
            let isDown = isDown(error, status: context.receivedResponse?.statusCode)
            judge(isDown: isDown, in: round, now: context.clock.now)
            throw error
        }
    }

    /// The round that the call belongs to; throws if nothing may be sent.
    private func admit(now: Duration) throws -> Int {
        switch state {
        case .closed:
            break
        case .open(let end) where now >= end:
            state = .trying
            round += 1
        case .open, .trying:
            throw RejectionError("breakerOpen", "The service was down a moment ago.", isTransient: true)
        }
        return round
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

    private func judge(isDown: Bool?, in round: Int, now: Duration) {
        // A call that began before the breaker opened says nothing about the service as it is now.
        guard round == self.round else { return }
        switch (state, isDown) {
        case (.closed(let failures), true) where failures + 1 < threshold:
            state = .closed(failures: failures + 1)
        case (.closed, true), (.trying, true):
            state = .open(until: now + pause)
            self.round += 1
        case (.closed, false), (.trying, false):
            state = .closed(failures: 0)  // a refusal shows that the service works
        case (.trying, nil):
            state = .open(until: now)  // the next call may try
        case (.closed, nil), (.open, _):
            break
        }
    }
}

func makeClientWithBreaker(transport: any HTTP.Transport = URLSessionTransport()) throws -> Client {
    // One breaker for all calls of the client, just inside retry.
    try Client.standard(baseURL: "https://api.example.com/v1", transport: transport)
        .withChain { try $0.inserting(CircuitBreaker(), inside: .retry) }
}
