internal import BackstopCore

/// An interceptor that changes nothing and tells a ``ChainRecorder`` what passes; made by ``ChainRecorder/probe(_:)``.
struct ChainProbe<Request: Sendable, Response: Sendable>: Interceptor {
    let name: String
    let recorder: ChainRecorder

    /// `.custom` with the probe's name.
    var role: Role {
        .custom(name)
    }

    /// Records the request and what comes back, and passes both on.
    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try await recorder.record(request, role: nil, name: name, context: context) {
            try await next(request)
        }
    }
}
