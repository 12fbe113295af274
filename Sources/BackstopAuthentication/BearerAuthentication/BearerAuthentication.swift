public import Backstop
public import BackstopCore
internal import Foundation

/// Sends the access token of whoever is signed in, and refreshes it when it has expired or is refused (RFC 6750).
///
/// It belongs inside retry and outside decoding and status validation: the place of `authentication:` in the standard
/// chain. There it sees a 401 as the error that they make of it, gives each attempt the current token, and its second
/// request is not counted as a retry.
///
/// ```swift
/// func makeClient(_ credentials: Credentials) throws -> Client {
///     try Client.standard(
///         baseURL: "https://api.example.com/v1", authentication: BearerAuthentication(credentials))
/// }
/// ```
/// For an OAuth server: ``oauth(tokenURL:clientID:clientSecret:parameters:tokens:store:login:)``.
///
/// * The token goes only to the origin of the client's base URL and to ``origins``: scheme, host and port. It never
///   goes elsewhere, neither with an absolute URL nor over a redirect, and so never from https to http.
/// * A refused request is sent once more with a new token. If others have refreshed it meanwhile, there is no further
///   refresh. If the second one is refused too, its 401 is the result.
/// * A 401 says that the request was not applied (RFC 9110, 15.5.2), so a `POST` is sent again as well; but not if it
///   was redirected and a hop before may have had an effect. A body that can be read only once is not sent again, nor is
///   the request of a stream that has begun: the next call then refreshes before it sends.
/// * A request with an `Authorization` of its own keeps it.
public struct BearerAuthentication: HTTP.Interceptor {
    /// The tokens, shared by all clients of the account.
    public let credentials: Credentials
    /// Further origins that get the token, in addition to that of the client's base URL, such as
    /// `https://images.example.com`.
    public let origins: [String]
    private let refusals: [TokenRefusal]
    private let invalid: [ConfigurationError]

    /// `.authentication`
    public var role: Role { .authentication }

    /// What is invalid.
    public var settings: [InterceptorSetting] { invalid.map { .invalid($0) } }

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - credentials: The tokens.
    ///   - origins: The origins that get the token, in addition to that of the client's base URL: absolute `http` or
    ///     `https` URLs. Default: none.
    ///   - refusals: How the server refuses a token. Default: with status 401.
    public init(
        _ credentials: Credentials, origins: [String] = [], refusedBy refusals: [TokenRefusal] = [.unauthorized]
    ) {
        self.credentials = credentials
        self.refusals = refusals
        var known: [String] = []
        var invalid: [ConfigurationError] = []
        for origin in origins {
            guard !origin.contains("*"), let url = try? RequestURL.base(origin).url() else {
                invalid.append(
                    ConfigurationError(
                        setting: "BearerAuthentication.origins",
                        problem: "must be http or https URLs, but one is "
                            + "\"\(Redaction.standard.url(Excerpt.cut(origin, to: 200)).debugText)\"",
                        fix: "Write the scheme and the host of each, such as https://images.example.com"))
                continue
            }
            known.append(RequestURL.origin(of: url))
        }
        self.invalid = invalid
        self.origins = known
    }

    private init(rehearsing original: Self) {
        credentials = Credentials(rehearsing: original.credentials)
        origins = original.origins
        refusals = original.refusals
        invalid = original.invalid
    }

    /// Sends the request with a token, and once more with a new one if it is refused.
    public nonisolated(nonsending) func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        guard request.headers[.authorization] == nil, context.isOwn(request.url, or: origins),
            let ticket = try await credentials.ticket(for: context)
        else {
            return try await next(request)
        }
        let signed = signed(request, ticket.access, context)
        let sentBefore = context.sentCount
        let result = try await send(signed, ticket, context, next)
        guard let effect = effect(of: result, signed, context) else {
            return try result.get()
        }
        if let obstacle = obstacle(to: request, effect, context) {
            credentials.mark(ticket)
            context.stop(obstacle)
            // An error that counts more than the status knows what was done.
            let own = (error(of: result) as? any StatusMeaning).flatMap { $0.meansMore ? $0 : nil }
            if case .maybeApplied = effect, obstacle == .notIdempotent, own?.leavesDoubt != false {
                context.recordDoubt(.order)
            }
            return try result.get()
        }
        // An interceptor further in may make another key than that of what it has sent before the refusal, also in the
        // place of the call's own.
        let key = context.keySent(
            for: request.idempotencyKey, after: sentBefore, withoutLast: effect == .notApplied)
        let start = context.clock.now
        let refusal = error(of: result)
        // The attempt ends here: what follows is a wait for a token, however long the server took to refuse the old one.
        context.endAttempt(failing: refusal)
        let renewed = try await credentials.ticket(insteadOf: ticket, context)
        guard let renewed else {
            if let words = credentials.refusal(of: ticket) {
                context.remark("renewal", words)
            }
            context.closeAttempt(failing: refusal)
            return try result.get()
        }
        let second = context.nextAttempt(
            after: refusal, waited: context.clock.now - start, because: Attempt.tokenRefused,
            requiring: key ?? context.requiredKey, isRetry: false)
        return try await send(self.signed(request, renewed.access, second), renewed, second, next).get()
    }

    /// Sends a request.
    ///
    /// - Returns: What came of it, as long as the account is that of the ticket: nobody sees what somebody else was
    ///   answered, be it a refusal.
    private nonisolated(nonsending) func send(
        _ request: HTTP.Request, _ ticket: CredentialsState.Ticket, _ context: CallContext, _ next: HTTP.Next
    ) async throws -> Result<HTTP.Response, any Error> {
        let result: Result<HTTP.Response, any Error>
        do {
            result = .success(
                try await context.checkingParts({ try credentials.confirm(ticket) }) {
                    try await next(request, context: context)
                })
        } catch {
            if case .cancelled = Failure.Reason(classifying: error) {
                throw error
            }
            result = .failure(error)
        }
        do {
            try credentials.confirm(ticket)
        } catch {
            if let received = context.receivedResponse as? HTTP.Response {
                // Its fields may be about somebody else, but not the type of what is not shown.
                var head = HTTP.Response(status: received.status)
                head.headers[.contentType] = received.headers[.contentType]
                context.recordReceived(head.withoutBody(ofSize: received.bodySize))
            }
            throw error
        }
        return result
    }

    private func signed(_ request: HTTP.Request, _ token: String, _ context: CallContext) -> HTTP.Request {
        request.signed("Bearer \(token)", for: origins, in: context)
    }

    /// What a refused request may have done; nil when it was not refused, or its last hop did not carry the token.
    private func effect(
        of result: Result<HTTP.Response, any Error>, _ signed: HTTP.Request, _ context: CallContext
    ) -> TokenRefusal.Effect? {
        guard !Task.isCancelled else {
            return nil
        }
        for refusal in refusals {
            guard let effect = refusal.effect(result, context) else {
                continue
            }
            // After a redirect to another origin, the refusal says nothing about the token.
            let last = context.sentRequest as? HTTP.Request
            return last == nil || last?.headers[.authorization] == signed.headers[.authorization] ? effect : nil
        }
        return nil
    }

    /// Why a refused request cannot be sent again; nil when it can.
    private func obstacle(
        to request: HTTP.Request, _ effect: TokenRefusal.Effect, _ context: CallContext
    ) -> StopReason? {
        // What was answered with 401 was not applied. What was answered with a redirect may have been.
        let applied =
            switch effect {
            case .notApplied: context.sentRequests.dropLast()
            case .maybeApplied: context.sentRequests[...]
            }
        // Whoever reads a stream that has begun would get two of them.
        guard context.callIntake?.isOpen != true else {
            return .begun
        }
        guard request.isReplayable else {
            return .notReplayable
        }
        return applied.allSatisfy(\.isIdempotent) ? nil : .notIdempotent
    }

    private func error(of result: Result<HTTP.Response, any Error>) -> any Error {
        switch result {
        case .success(let response):
            refusals.lazy.compactMap { $0.error(response) }.first ?? StatusError(response.status, response: response)
        case .failure(let error): error
        }
    }
}

extension BearerAuthentication: CallNoting {
    /// Whose call it is: an interceptor further out may wait, and somebody else sign in meanwhile.
    package func note(_ context: CallContext) {
        credentials.bind(context)
    }
}

extension BearerAuthentication: StatefulInterceptor {
    package func withNewState() -> Self {
        Self(rehearsing: self)
    }
}

extension BearerAuthentication: CustomStringConvertible, CustomReflectable {
    /// The name; no token is shown.
    public var description: String { "BearerAuthentication" }

    /// The same with the origins, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["origins": origins], displayStyle: .struct)
    }
}
