/// The interceptors and the transport of a chain, shared by all its calls.
final class ChainStorage<Request: Sendable, Response: Sendable>: Sendable {
    let interceptors: [any Interceptor<Request, Response>]
    let transport: any Transport<Request, Response>
    /// What is invalid in the settings of the interceptors.
    let invalid: ConfigurationError?
    /// The interceptors that note something before any other runs.
    private let noting: [any CallNoting]
    /// The interceptors, and after them the transport as an interceptor.
    private let running: [any Interceptor<Request, Response>]

    init(
        _ interceptors: [any Interceptor<Request, Response>], transport: any Transport<Request, Response>,
        invalid: ConfigurationError?
    ) {
        self.interceptors = interceptors
        self.transport = transport
        self.invalid = invalid
        noting = interceptors.compactMap { $0 as? any CallNoting }
        running = interceptors + [TransportEnd(transport: transport)]
    }

    /// A call that begins now and runs later; nil when no interceptor notes anything of it.
    func begun(_ options: CallOptions) -> ContinuedCall? {
        guard !noting.isEmpty else {
            return nil
        }
        let context = CallContext(options: options)
        let accountChanges = AccountChanges.count
        for interceptor in noting {
            interceptor.note(context)
        }
        return ContinuedCall(values: context.values, accountChanges: accountChanges)
    }

    /// Runs a request through all interceptors.
    nonisolated(nonsending) func run(_ request: Request, context: CallContext) async throws -> Response {
        for interceptor in noting {
            interceptor.note(context)
        }
        return try await run(request, at: 0, context: context)
    }

    /// Runs a request through the interceptors from a position on; the last wraps the transport and never goes on.
    nonisolated(nonsending) func run(
        _ request: Request, at position: Int, context: CallContext
    ) async throws -> Response {
        let next = Next(chain: self, position: position + 1, context: context)
        guard context.tracesInterceptors else {
            return try await running[position].intercept(request, context: context, next: next)
        }
        let name = position < interceptors.count ? interceptors[position].role.name : "transport"
        return try await context.traced(name, depth: position) {
            try await running[position].intercept(request, context: context, next: next)
        }
    }
}

/// The transport as the last interceptor, which never calls `next`. It records the request and the response, so that a
/// transport need not, and sends nothing once the task is cancelled.
private struct TransportEnd<Request: Sendable, Response: Sendable>: Interceptor {
    let transport: any Transport<Request, Response>

    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try Task.checkCancellation()
        let request = (request as? any DepartingRequest)?.departing(in: context) as? Request ?? request
        let context = try (request as? any CallRequest).map { try context.send($0) } ?? context
        do {
            var response = try await transport.send(request, context: context)
            if let intake = context.callIntake {
                response = try await intake.take(whole: response, context: context) as? Response ?? response
            }
            if let seen = response as? any CallResponse {
                context.recordTransportResponse(seen)
            }
            return response
        } catch {
            // An operation may have had an effect before the request that was not sent.
            if !(request is any OperationRequest) {
                context.takeBack(error)
            }
            let error = (Request.self as? any CallRequest.Type)?.recognized(error) ?? error
            // What the transport has made of the end of the body is what counts, if an interceptor hides it.
            context.callIntake?.explain(error)
            throw error
        }
    }
}

/// A request that leaves behind what must not go where it goes, once no interceptor can change it any more.
package protocol DepartingRequest: CallRequest {
    /// The request as it is sent.
    func departing(in context: CallContext) -> Self
}

/// An interceptor that notes something of the call before any other runs: those further out may wait.
package protocol CallNoting: Sendable {
    /// Notes it in the call's values.
    func note(_ context: CallContext)
}
