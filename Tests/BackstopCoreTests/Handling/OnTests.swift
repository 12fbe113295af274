import BackstopCore
import BackstopTestSupport
import Testing

@Suite("A ready-made handler", .limited)
struct OnTests {
    private let offline = Failure(TransportError(.offline))
    private let missing = Failure(StatusError(404))

    @Test("has handled the failure when its closure returns nothing")
    func void() async {
        #expect(await On(.offline) { _ in }.handle(offline) == .handled)
        #expect(await On(.offline) { failure in _ = failure.code }.handle(offline) == .handled)
        #expect(await On(status: 404) { _ in }.handle(missing) == .handled)
        #expect(await Otherwise { _ in }.handle(missing) == .handled)
        #expect(await On(error: ShopError.self) { _, _ in }.handle(Failure(ShopError())) == .handled)
    }

    @Test("has handled the failure when its closure does several things and returns nothing")
    func voidStatements() async {
        // given
        let seen = Notes<String>()
        let on = On(.any) { failure in
            let code = failure.code
            seen.add(code)
        }
        let named = On(.any, name: "named") { failure in
            guard failure.isOffline else {
                return
            }
            seen.add("offline")
        }
        let otherwise = Otherwise { failure in
            let code = failure.code
            seen.add(code)
        }
        // then
        #expect(await on.handle(offline) == .handled)
        #expect(await named.handle(missing) == .handled)
        #expect(await otherwise.handle(missing) == .handled)
        #expect(seen.all == ["transport.offline", "status.404"])
    }

    @Test("says what its closure says", arguments: [Verdict.handled, .unhandled, .retry, .retry(after: .seconds(3))])
    func verdict(verdict: Verdict) async {
        #expect(await On(.offline) { _ in return verdict }.handle(offline) == verdict)
        #expect(await On(status: 404) { _ in return verdict }.handle(missing) == verdict)
        #expect(await Otherwise { _ in return verdict }.handle(offline) == verdict)
        #expect(await On(error: ShopError.self) { _, _ in return verdict }.handle(Failure(ShopError())) == verdict)
    }

    @Test("says what its closure says, also when the closure is one expression")
    func verdictExpression() async {
        // given: a function, so that the type of the expression is known
        @Sendable func decide(_ failure: Failure) async -> Verdict { .unhandled }
        let shop = Failure(ShopError())
        // then
        #expect(await On(.any) { await decide($0) }.handle(shop) == .unhandled)
        #expect(await On(.any) { _ in Verdict.retry }.handle(shop) == .retry)
        #expect(await On(.any, name: "named") { await decide($0) }.handle(shop) == .unhandled)
        #expect(await On(status: 404) { await decide($0) }.handle(missing) == .unhandled)
        #expect(await On(status: 404, name: "named") { await decide($0) }.handle(missing) == .unhandled)
        #expect(await On(error: ShopError.self) { await decide($1) }.handle(shop) == .unhandled)
        #expect(await On(error: ShopError.self, name: "named") { await decide($1) }.handle(shop) == .unhandled)
        #expect(await Otherwise { await decide($0) }.handle(shop) == .unhandled)
        #expect(await Otherwise(name: "named") { await decide($0) }.handle(shop) == .unhandled)
        #expect(await On(.any, perform: decide).handle(shop) == .unhandled)
        #expect(await Otherwise(perform: decide).handle(shop) == .unhandled)
    }

    @Test("leaves what it is not for, and does not run")
    func unmatched() async {
        let fail: @Sendable (Failure) async -> Void = { Issue.record("asked about \($0.code)") }
        #expect(await On(.offline, perform: fail).handle(missing) == .unhandled)
        #expect(await On(status: 401, perform: fail).handle(missing) == .unhandled)
        let typed = On(error: SoldOut.self) { _, failure in Issue.record("asked about \(failure.code)") }
        #expect(await typed.handle(Failure(ShopError())) == .unhandled)
    }

    @Test("for an app's own error is given that error")
    func typed() async {
        // given
        let handler = On(error: ShopError.self) { error, failure in
            error.article == "lamp" && failure.code == "other" ? .handled : .unhandled
        }
        let service = On(error: SoldOut.self) { error, _ in error.article == "chair" ? .handled : .unhandled }
        // then
        #expect(await handler.handle(Failure(ShopError(article: "lamp"))) == .handled)
        #expect(await handler.handle(Failure(ShopError(article: "chair"))) == .unhandled)
        #expect(await service.handle(Failure(SoldOut(article: "chair"))) == .handled)
        #expect(await service.handle(Failure(SoldOut(article: "lamp"))) == .unhandled)
    }

    @Test("may run on the main actor")
    func mainActor() async {
        let handler = On(.any) { @MainActor _ in MainActor.assertIsolated() }
        #expect(await handler.handle(offline) == .handled)
    }

    @Test("is named after what it is for, or as it is told")
    func names() {
        #expect(On(.offline) { _ in }.name == "On(offline)")
        #expect(On(status: 401) { _ in }.name == "On(status.401)")
        #expect(On(error: ShopError.self) { _, _ in }.name == "On(ShopError)")
        #expect(On(.status(500...599)) { _ in }.name == "On(status(500...599))")
        #expect(On(.offline, name: "banner") { _ in }.name == "banner")
        #expect(On(status: 401, name: "sign in") { _ in .handled }.name == "sign in")
        #expect(On(error: ShopError.self, name: "shop") { _, _ in }.name == "shop")
        #expect(Otherwise { _ in }.name == "Otherwise")
        #expect(Otherwise(name: "last") { _ in .handled }.name == "last")
    }
}
