internal import BackstopCore

/// Wraps an interceptor: records what it sees, and has its role, rules and settings.
struct RecordingInterceptor<Request: Sendable, Response: Sendable>: Interceptor {
    let interceptor: any Interceptor<Request, Response>
    let recorder: ChainRecorder

    var role: Role {
        interceptor.role
    }

    var orderRules: [OrderRule] {
        interceptor.orderRules
    }

    var settings: [InterceptorSetting] {
        interceptor.settings
    }

    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try await recorder.record(request, role: interceptor.role, name: interceptor.role.name, context: context) {
            try await interceptor.intercept(request, context: context, next: next)
        }
    }
}
