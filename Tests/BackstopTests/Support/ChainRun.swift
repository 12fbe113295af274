import Backstop
import BackstopCore
import BackstopTestSupport
import BackstopTesting

typealias Step = Stub<HTTP.Request, HTTP.Response>

/// What came of one call through a chain.
struct ChainRun {
    /// `ok`, or the failure's code.
    let outcome: String
    let failure: Failure?
    let requests: [HTTP.Request]
    /// The waits on the clock, those of the server included.
    let sleeps: [Duration]
    /// The severity and the finding of each issue.
    let issues: [String]
}

extension ChainRun {
    /// Makes a call whose waits cost no time, to a server that gives these answers.
    init(
        _ method: HTTP.Method = .get, _ steps: Step...,
        @HTTP.ChainBuilder interceptors: () throws -> [any HTTP.Interceptor]
    ) async throws {
        let transport = ScriptedTransport(steps)
        let clock = RecordingClock()
        let chain = try HTTP.Chain(transport: transport, interceptors: try interceptors())
        var options = CallOptions()
        options.clock = clock
        options.random = FixedRandom(units: 0)
        let request = try HTTP.Request(method, "https://api.example.com/numbers")
        var failure: Failure?
        do throws(Failure) {
            _ = try await chain.call(request, options: options)
        } catch {
            failure = error
        }
        self.init(
            outcome: failure?.code ?? "ok", failure: failure, requests: transport.requests, sleeps: clock.sleeps,
            issues: chain.orderIssues.map { "\($0.rule.severity): \($0.finding)" })
    }
}
