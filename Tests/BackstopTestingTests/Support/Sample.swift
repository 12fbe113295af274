import Backstop
import BackstopTesting

/// What several tests of the test kit need.
enum Sample {
    static func request(_ method: HTTP.Method = .get, _ path: String = "/books") throws -> HTTP.Request {
        try HTTP.Request(method, "https://api.example.com\(path)")
    }

    static func options(_ clock: any CallClock, random: any RandomSource = FixedRandom(units: 0.5)) -> CallOptions {
        var options = CallOptions()
        options.clock = clock
        options.random = random
        return options
    }

    static func chain(_ transport: ScriptedTransport) throws -> HTTP.Chain {
        try HTTP.Chain(transport: transport) {}
    }

    /// An interceptor that turns a status of 400 or more into an error.
    struct StatusCheck: HTTP.Interceptor {
        var role: Role { .statusValidation }
        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            let response = try await next(request)
            guard response.status < 400 else {
                throw StatusError(response.status)
            }
            return response
        }
    }

    /// An interceptor that does nothing, of any role.
    struct Plain: HTTP.Interceptor {
        let role: Role
        var orderRules: [OrderRule] = []
        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            try await next(request)
        }
    }
}
