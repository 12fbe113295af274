import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A deadline that only a call has", .limited)
struct CallDeadlineTests {
    private let clock = ManualClock()
    private let options: CallOptions

    init() async {
        // No clock of a real call begins at zero.
        await clock.advance(by: .seconds(1000))
        var options = CallOptions.with(clock, random: FixedRandom(units: 0.5))
        options.deadline = .seconds(5)
        self.options = options
    }

    private func start(_ chain: AskChain, _ options: CallOptions) -> Task<Result<Answer, Failure>, Never> {
        Task { await chain.result(Ask(), options: options) }
    }

    /// Notes how calls end.
    private struct Observer: Interceptor {
        let role: Role
        let ends = Notes<String>()

        func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
            do {
                return try await next(request)
            } catch {
                ends.add(Failure.Reason(classifying: error).code)
                throw error
            }
        }
    }

    @Test("ends it in any chain, and those that log it are told so", arguments: [false, true])
    func withoutInterceptor(traces: Bool) async throws {
        // given
        let observers = ["tracing", "metrics", "logging"].map { Observer(role: .custom($0)) }
        let inner = Observer(role: .custom("mine"))
        let chain = try AskChain(
            transport: Script<Ask, Answer>(.hang),
            interceptors: observers + [inner, Retry(), AttemptTimeout(.seconds(10))])
        var options = options
        options.tracesInterceptors = traces
        let task = start(chain, options)
        await clock.waitForSleeper(remaining: .seconds(5))
        // when
        await clock.advance(by: .seconds(5))
        // then
        #expect(await task.value.failure?.error(as: TimeoutError.self) == TimeoutError(.deadline, after: .seconds(5)))
        #expect(observers.map(\.ends.all) == Array(repeating: ["timeout.deadline"], count: 3))
    }

    @Test("ends it in a chain without interceptors")
    func bare() async throws {
        // given
        let chain = try AskChain(transport: Script<Ask, Answer>(.hang), interceptors: [])
        let task = start(chain, options)
        await clock.waitForSleeper(remaining: .seconds(5))
        // when
        await clock.advance(by: .seconds(5))
        // then
        #expect(await task.value.failure?.error(as: TimeoutError.self) == TimeoutError(.deadline, after: .seconds(5)))
    }
}
