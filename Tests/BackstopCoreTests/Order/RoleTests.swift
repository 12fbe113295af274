import BackstopCore
import BackstopTestSupport
import Testing

@Suite("A role", .limited)
struct RoleTests {
    @Test("of the core is written with its name")
    func builtIn() {
        #expect(Role.retry.description == "retry")
        #expect(Role.retry.name == "retry")
        #expect(!Role.retry.isCustom)
    }

    @Test("brings the rules about it, and an app's own brings none")
    func rules() {
        #expect(Role.attemptTimeout.orderRules.map(\.outer) == [.retry, .deadline])
        #expect(Role.custom("attemptTimeout").orderRules.isEmpty)
    }

    @Test("of an app's own is written with its name", arguments: ["tenant", "a b", "x(y)", "retry"])
    func custom(name: String) {
        // given
        let role = Role.custom(name)
        // then
        #expect(role.description == "custom(\(name))")
        #expect(role.isCustom)
        #expect(role.name == name)
    }

    @Test("of an app's own is never a built-in one")
    func different() {
        #expect(Role.custom("retry") != .retry)
    }

    @Test("is by default the name of the interceptor's type, without its generic arguments")
    func defaultRole() {
        // given
        struct Plain<Request: Sendable, Response: Sendable>: Interceptor {
            func intercept(
                _ request: Request, context: CallContext, next: Next<Request, Response>
            ) async throws -> Response {
                try await next(request)
            }
        }
        // then
        #expect(Plain<Ask, Answer>().role == .custom("Plain"))
        #expect(Mark("a").role == .custom("Mark"))
        #expect(Plain<Ask, Answer>().orderRules.isEmpty)
    }

    @Test("of the core's own interceptors is the one they are named after")
    func ownLinks() throws {
        #expect(Retry<Ask, Answer>().role == .retry)
        #expect(AttemptTimeout<Ask, Answer>().role == .attemptTimeout)
        #expect(Deadline<Ask, Answer>().role == .deadline)
    }
}
