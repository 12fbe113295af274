import BackstopCore
import BackstopTestSupport
import Testing

@Suite("A derived chain", .limited)
struct ChainDerivingTests {
    private let chain: AskChain
    private let extra = Stand(.custom("extra"))

    init() throws {
        chain = try AskChain(
            transport: Echo(), interceptors: [Stand(.deadline), Stand(.retry), Stand(.retry), Stand(.attemptTimeout)],
            orderRules: [.once(.attemptTimeout, reason: "of a test")])
    }

    @Test("has another interceptor in the place of the first one of a role")
    func replacing() throws {
        #expect(
            try chain.replacing(.retry, with: extra).roles == [.deadline, .custom("extra"), .retry, .attemptTimeout])
    }

    @Test("tells what is invalid in it, however it was derived")
    func invalid() throws {
        let wrong = chain.appending(AttemptTimeout<Ask, Answer>(.zero))
        #expect(throws: ConfigurationError.self) { try wrong.requireValidSettings() }
        #expect(throws: ConfigurationError.self) { try wrong.appending(extra).requireValidSettings() }
        #expect(throws: ConfigurationError.self) { try wrong.replacing(transport: Echo()).requireValidSettings() }
        #expect(throws: Never.self) { try wrong.removing(.attemptTimeout).requireValidSettings() }
    }

    @Test("has nothing in the place of an interceptor that is replaced by nil")
    func replacingWithNil() throws {
        #expect(try chain.replacing(.deadline, with: nil).roles == [.retry, .retry, .attemptTimeout])
    }

    @Test("lacks all interceptors of a role that was removed")
    func removing() {
        #expect(chain.removing(.retry).roles == [.deadline, .attemptTimeout])
    }

    @Test("is the same when the role to remove is not there")
    func removingAbsent() {
        #expect(chain.removing(.cache).roles == chain.roles)
    }

    @Test("has an interceptor just outside the first one of a role")
    func outside() throws {
        #expect(
            try chain.inserting(extra, outside: .retry).roles
                == [.deadline, .custom("extra"), .retry, .retry, .attemptTimeout])
    }

    @Test("has an interceptor just inside the last one of a role")
    func inside() throws {
        #expect(
            try chain.inserting(extra, inside: .retry).roles
                == [.deadline, .retry, .retry, .custom("extra"), .attemptTimeout])
    }

    @Test("has several interceptors together, outermost first")
    func several() throws {
        let extras = [extra, Stand(.custom("second"))]
        #expect(
            try chain.inserting(extras, outside: .retry).roles
                == [.deadline, .custom("extra"), .custom("second"), .retry, .retry, .attemptTimeout])
        #expect(
            try chain.inserting(extras, inside: .retry).roles
                == [.deadline, .retry, .retry, .custom("extra"), .custom("second"), .attemptTimeout])
        #expect(try chain.inserting([], inside: .retry).roles == chain.roles)
    }

    @Test("has an interceptor outside or inside all others")
    func ends() {
        #expect(chain.prepending(extra).roles.first == .custom("extra"))
        #expect(chain.appending(extra).roles.last == .custom("extra"))
        #expect(chain.prepending(extra).roles.count == 5)
        #expect(chain.appending(extra).roles.count == 5)
    }

    @Test("has the same interceptors before another transport")
    func transport() async throws {
        // given
        struct Fixed: Transport {
            func send(_ request: Ask, context: CallContext) async throws -> Answer { Answer("fixed") }
        }
        // when
        let derived = chain.replacing(transport: Fixed())
        // then
        #expect(derived.roles == chain.roles)
        #expect(try await derived.call(Ask()).body == "fixed")
    }

    @Test("keeps the app's order rules")
    func rules() throws {
        #expect(chain.removing(.retry).orderRules == chain.orderRules)
        #expect(try chain.replacing(.retry, with: nil).orderRules == chain.orderRules)
        #expect(chain.replacing(transport: Echo()).orderRules == chain.orderRules)
        #expect(chain.prepending(extra).orderRules == chain.orderRules)
        #expect(try chain.inserting(extra, inside: .retry).orderRules == chain.orderRules)
    }

    @Test("leaves the chain it comes from as it was")
    func original() throws {
        // when
        _ = chain.removing(.retry).prepending(extra)
        // then
        #expect(chain.roles == [.deadline, .retry, .retry, .attemptTimeout])
    }

    @Test("runs its interceptors in the new order")
    func runs() async throws {
        // given
        let marks = try AskChain(transport: Echo()) { Mark("b") }
        // when
        let derived = try marks.prepending(Mark("a")).inserting(Mark("c"), inside: .custom("Mark"))
        // then
        #expect(try await derived.call(Ask("x")).body == "x>a>b>c<c<b<a")
    }

    @Test("cannot be made by a role that is not there, and the error names those that are")
    func absent() throws {
        let attempts: [() throws -> AskChain] = [
            { try chain.replacing(.cache, with: extra) },
            { try chain.replacing(.cache, with: nil) },
            { try chain.inserting(extra, outside: .cache) },
            { try chain.inserting(extra, inside: .cache) },
            { try chain.inserting([], outside: .cache) },
            { try chain.inserting([extra], inside: .cache) },
        ]
        for attempt in attempts {
            // when
            let error = try #require(throws: ChainError.self) { try attempt() }
            // then
            #expect(error.missing == .cache)
            #expect(error.roles == chain.roles)
            #expect(error.description.contains("cache"))
            #expect(error.description.contains("deadline, retry, retry, attemptTimeout"))
        }
    }

    @Test("says so when there are no roles at all")
    func absentOfNone() throws {
        // given
        let empty = try AskChain(transport: Echo(), interceptors: [])
        // when
        let error = try #require(throws: ChainError.self) { try empty.inserting(extra, inside: .custom("a")) }
        // then
        #expect(error.description.contains("custom(a)"))
        #expect(error.description.contains("The chain has no interceptors"))
    }
}
