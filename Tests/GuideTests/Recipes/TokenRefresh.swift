import Backstop

/// The tokens that the server issues at sign-in and at each renewal.
nonisolated struct Tokens: Codable, Sendable {
    var access: String
    var refresh: String
}

/// Why there is no new access token: `failure.error(as: RenewalError.self)?.cause.isOffline`.
nonisolated struct RenewalError: Error, FailureReasonConvertible {
    let cause: Failure

    // Not transient: `Retry` would make each waiting call try the renewal again.
    var classifiedReason: Failure.Reason { .rejected(RejectionError("renewal", "Renewal failed with \(cause.code).")) }
}

/// The tokens of the signed-in user. One renewal runs at a time, however many calls ask for it.
actor TokenStore {
    /// The access token of one request.
    struct Ticket: Sendable {
        let access: String
        fileprivate let round: Int
    }

    private var tokens: Tokens
    private let renew: @Sendable (Tokens) async throws(Failure) -> Tokens?
    private var renewal: Task<Void, Never>?
    private var rounds = 0  // completed renewals
    private var error: RenewalError?  // of the last renewal
    private var isSignedOut = false  // the refresh token was refused; it is not sent again

    /// - Parameter renew: Returns new tokens; nil when the old ones are refused for good.
    init(_ tokens: Tokens, renew: @escaping @Sendable (Tokens) async throws(Failure) -> Tokens?) {
        self.tokens = tokens
        self.renew = renew
    }

    var ticket: Ticket { Ticket(access: tokens.access, round: rounds) }

    /// Takes the tokens of a new sign-in of the same person. Another account needs a store and a client of its own, so
    /// that nothing of one is sent as the other.
    func signIn(_ tokens: Tokens) {
        self.tokens = tokens
        (isSignedOut, error, renewal) = (false, nil, nil)
        rounds += 1
    }

    /// A ticket with a new token; nil when there is none until the user signs in again.
    func ticket(insteadOf refused: Ticket) async throws -> Ticket? {
        // A renewal that ended during the call counts for the call, even if it failed.
        if refused.access == tokens.access, refused.round == rounds, !isSignedOut {
            let running = renewal ?? Task { await renewOnce() }
            renewal = running
            await running.value
        }
        if refused.access != tokens.access { return ticket }
        if let error { throw error }
        return nil
    }

    /// Runs in a task of its own, so that cancelling one call does not cancel it for the others.
    private func renewOnce() async {
        let round = rounds
        do throws(Failure) {
            let renewed = try await renew(tokens)
            guard round == rounds else { return }  // somebody has signed in meanwhile
            tokens = renewed ?? tokens
            isSignedOut = renewed == nil
            error = nil
        } catch {
            guard round == rounds else { return }
            self.error = RenewalError(cause: error)
        }
        renewal = nil
        rounds += 1
    }
}

struct BearerToken: HTTP.Interceptor {
    let store: TokenStore

    var role: Role { .authentication }  // the order rules for authentication apply

    func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
        let ticket = await store.ticket
        do {
            return try await next(signed(request, ticket))
        } catch let error where context.receivedResponse?.statusCode == 401 && request.isReplayable {
            guard let renewed = try await store.ticket(insteadOf: ticket) else {
                throw error  // the 401, for `On(status: 401)`
            }
            let second = context.nextAttempt(after: error, waited: .zero, because: "token renewed")
            return try await next(signed(request, renewed), context: second)
        }
    }

    private func signed(_ request: HTTP.Request, _ ticket: TokenStore.Ticket) -> HTTP.Request {
        var request = request
        request.headers[.authorization] = "Bearer \(ticket.access)"
        return request
    }
}

/// - Parameter login: A client without `BearerToken`, so that a renewal never waits for itself.
func makeTokenStore(_ tokens: Tokens, login: Client) -> TokenStore {
    TokenStore(tokens) { tokens async throws(Failure) in
        do throws(Failure) {
            return try await login.post("token", json: ["refresh": tokens.refresh], as: Tokens.self)
        } catch {
            guard error.statusCode == 400 || error.statusCode == 401 else { throw error }
            return nil
        }
    }
}

func makeClient(_ store: TokenStore, transport: any HTTP.Transport = URLSessionTransport()) throws -> Client {
    try Client.standard(
        baseURL: "https://api.example.com/v1", transport: transport, authentication: BearerToken(store: store))
}
