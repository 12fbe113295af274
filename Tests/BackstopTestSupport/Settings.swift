package import BackstopCore

/// Makes a chain with an interceptor, which throws what is invalid in its settings.
package func requireValid<Request: Sendable, Response: Sendable>(
    _ interceptor: some Interceptor<Request, Response>
) throws {
    _ = try Chain(transport: Unused<Request, Response>(), interceptors: [interceptor])
}

/// The end of a chain that is never called.
private struct Unused<Request: Sendable, Response: Sendable>: Transport {
    func send(_ request: Request, context: CallContext) async throws -> Response {
        throw CancellationError()
    }
}
