import BackstopCore
import Testing

@Suite("A role")
struct RoleTests {
    @Test("of the built-in ones has a name of its own, and is read back from it", arguments: Role.builtIn)
    func builtIn(role: Role) {
        #expect(Role(role.description) == role)
        #expect(role.description == role.name)
        #expect(!role.isCustom)
        #expect(Role.builtIn.filter { $0.name == role.name }.count == 1)
    }

    @Test("of an app's own is written with its name, and is read back", arguments: ["tenant", "a b", "x(y)", "retry"])
    func custom(name: String) {
        // given
        let role = Role.custom(name)
        // then
        #expect(role.description == "custom(\(name))")
        #expect(role.isCustom)
        #expect(role.name == name)
        #expect(Role(role.description) == role)
    }

    @Test(
        "cannot be read from a text that names none",
        arguments: ["", "Retry", "custom", "custom()", "retry ", "nothing"])
    func unknown(text: String) {
        #expect(Role(text) == nil)
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
