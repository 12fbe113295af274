import BackstopCore

/// Writes its name around what passes, so that the order shows in the texts.
struct Mark: Interceptor {
    let name: String

    init(_ name: String) {
        self.name = name
    }

    func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
        var request = request
        request.text += ">\(name)"
        var answer = try await next(request)
        answer.body += "<\(name)"
        return answer
    }
}

/// Stands for a role and passes everything on.
struct Stand: Interceptor {
    let role: Role
    var orderRules: [OrderRule] = []
    var settings: [InterceptorSetting] = []

    init(_ role: Role, _ settings: InterceptorSetting..., rules: [OrderRule] = []) {
        self.role = role
        self.settings = settings
        orderRules = rules
    }

    func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
        try await next(request)
    }
}

/// Does with a call what a closure says.
struct Step: Interceptor {
    let perform: @Sendable (Ask, CallContext, AskNext) async throws -> Answer

    init(_ perform: @escaping @Sendable (Ask, CallContext, AskNext) async throws -> Answer) {
        self.perform = perform
    }

    func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
        try await perform(request, context, next)
    }
}

/// Turns a status from 400 up into an error.
struct Judge: Interceptor {
    var role: Role { .custom("statusValidation") }

    func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
        let answer = try await next(request)
        guard let status = answer.status, status >= 400 else {
            return answer
        }
        throw StatusError(status, response: answer)
    }
}

/// Gives back what it was asked.
struct Echo: Transport {
    func send(_ request: Ask, context: CallContext) async throws -> Answer {
        Answer(request.text)
    }
}
