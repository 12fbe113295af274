internal import BackstopCore

/// A link in the place of another: it records what that one sees, and has its role and rules.
struct RecordingLink<Request: Sendable, Response: Sendable>: Interceptor {
    let link: any Interceptor<Request, Response>
    let recorder: ChainRecorder

    var role: Role {
        link.role
    }

    var orderRules: [OrderRule] {
        link.orderRules
    }

    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try await recorder.record(request, role: link.role, name: link.role.name, context: context) {
            try await link.intercept(request, context: context, next: next)
        }
    }
}
