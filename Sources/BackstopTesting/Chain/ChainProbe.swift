internal import BackstopCore

/// An interceptor that changes nothing and reports to a ``ChainRecorder``; created by ``ChainRecorder/probe(_:)``.
struct ChainProbe<Request: Sendable, Response: Sendable>: Interceptor {
    let name: String
    let recorder: ChainRecorder

    /// `.custom` with the probe's name.
    var role: Role {
        .custom(name)
    }

    /// Records the request and the response or error, and passes them on.
    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try await recorder.record(request, role: nil, name: name, context: context) {
            try await next(request)
        }
    }
}
