package import Backstop
package import BackstopCore

/// Writes its name around what passes, so that the order shows in the texts.
package struct Mark: Interceptor {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    package func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
        var request = request
        request.text += ">\(name)"
        var answer = try await next(request)
        answer.body += "<\(name)"
        return answer
    }
}

/// Stands for a role and passes everything on.
package struct Stand: Interceptor {
    package let role: Role
    package var orderRules: [OrderRule] = []
    package var settings: [InterceptorSetting] = []

    package init(_ role: Role, _ settings: InterceptorSetting..., rules: [OrderRule] = []) {
        self.role = role
        self.settings = settings
        orderRules = rules
    }

    package func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
        try await next(request)
    }
}

/// Does with a call what a closure says.
package struct Step: Interceptor {
    package let perform: @Sendable (Ask, CallContext, AskNext) async throws -> Answer

    package init(_ perform: @escaping @Sendable (Ask, CallContext, AskNext) async throws -> Answer) {
        self.perform = perform
    }

    package func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
        try await perform(request, context, next)
    }
}

/// Turns a status from 400 up into an error.
package struct Judge: Interceptor {
    package init() {}

    package var role: Role { .custom("statusValidation") }

    package func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
        let answer = try await next(request)
        guard let status = answer.status, status >= 400 else {
            return answer
        }
        throw StatusError(status, response: answer)
    }
}

/// Gives back what it was asked.
package struct Echo: Transport {
    package init() {}

    package func send(_ request: Ask, context: CallContext) async throws -> Answer {
        Answer(request.text)
    }
}

/// Gives an order an `Idempotency-Key`, a new one each time or the one that it has.
package struct AddingKey: HTTP.Interceptor {
    private let keeps: Bool
    private let number = Counter()

    package init(keeps: Bool) {
        self.keeps = keeps
    }

    package func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        var request = request
        if !keeps || request.headers[.idempotencyKey] == nil {
            request.headers[.idempotencyKey] = "key \(number.increment())"
        }
        return try await next(request)
    }
}
