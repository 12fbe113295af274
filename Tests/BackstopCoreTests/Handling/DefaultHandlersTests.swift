import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The default handlers", .limited)
struct DefaultHandlersTests {
    /// Only this suite's registration deals with it, so that what stays registered disturbs no other test.
    private struct RegisteredProbe: Error {}

    private func perform(_ error: any Error, by handling: FailureHandling) async -> Outcome<Int> {
        await handling.perform(clock: RecordingClock()) { () async throws(Failure) -> Int in throw Failure(error) }
    }

    // What is registered stays for the process, so one test shows all of it; others use `withHandlers`.
    @Test("are registered once, and a second time is refused with both places")
    func register() async throws {
        // given
        var handling = FailureHandling()
        handling.log = RecordingLog()
        try DefaultHandlers.register(fileID: "App/First.swift", line: 1) {
            On(error: RegisteredProbe.self) { _, _ in }
        }
        // when
        let error = try #require(throws: RegistrationError.self) {
            try DefaultHandlers.register {
                Otherwise(name: "second") { _ in }
            }
        }
        // then: both places are named
        #expect(error.first == "App/First.swift:1")
        #expect(error.second.hasPrefix("BackstopCoreTests/DefaultHandlersTests.swift:"))
        #expect(error.description.contains(error.first))
        #expect(error.description.contains(error.second))
        // then: the first registration counts
        #expect(await perform(RegisteredProbe(), by: handling).handledBy == "On(RegisteredProbe)")
        #expect(await perform(ShopError(), by: handling).word == "unhandled")
        // then: a replacement hides it
        let hidden = await DefaultHandlers.withHandlers {
        } operation: {
            await perform(RegisteredProbe(), by: handling)
        }
        #expect(hidden.word == "unhandled")
    }

    @Test("can be replaced for a task, and others do not see it")
    func taskLocal() async {
        // given
        let gate = Gate()
        func outcome(_ name: String) async -> Outcome<Int> {
            await DefaultHandlers.withHandlers {
                Otherwise(name: name) { _ in }
            } operation: {
                await gate.pass()
                return await perform(ShopError(), by: FailureHandling())
            }
        }
        // when
        async let first = outcome("first")
        async let second = outcome("second")
        await gate.waitForArrivals(2)
        gate.open()
        // then
        #expect(await first.handledBy == "first")
        #expect(await second.handledBy == "second")
    }

    @Test("that were replaced are seen by the tasks that begin inside")
    func innerTasks() async {
        let names = await DefaultHandlers.withHandlers {
            Otherwise(name: "inside") { _ in }
        } operation: {
            async let child = perform(ShopError(), by: FailureHandling())
            let task = Task { await perform(ShopError(), by: FailureHandling()) }
            return [await child.handledBy, await task.value.handledBy]
        }
        #expect(names == ["inside", "inside"])
    }

    @Test("are those of the innermost replacement, and come back after it")
    func nested() async {
        let names = await DefaultHandlers.withHandlers {
            Otherwise(name: "outer") { _ in }
        } operation: {
            let inner = await DefaultHandlers.withHandlers {
                Otherwise(name: "inner") { _ in }
            } operation: {
                await perform(ShopError(), by: FailureHandling())
            }
            return [inner.handledBy, await perform(ShopError(), by: FailureHandling()).handledBy]
        }
        #expect(names == ["inner", "outer"])
    }

    @Test("are replaced also where the operation throws")
    func throwing() async {
        await #expect(throws: ShopError()) {
            try await DefaultHandlers.withHandlers {
                Otherwise { _ in }
            } operation: {
                throw ShopError()
            }
        }
    }
}
