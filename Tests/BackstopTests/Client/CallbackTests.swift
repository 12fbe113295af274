import Backstop
import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// Asks for nothing in particular.
private struct Ping: EmptyEndpoint {
    func makeRequest() throws -> HTTP.Request {
        try HTTP.Request(.get, "ping")
    }
}

/// A clock in whose pauses the call is cancelled, and which says nothing of it.
private struct CancellingClock: CallClock {
    var now: Duration { .zero }
    var date: Duration { .zero }

    func sleep(for duration: Duration) async throws {
        withUnsafeCurrentTask { $0?.cancel() }
    }
}

@Suite("A call with callbacks", .limited)
struct CallbackTests {
    private let events = Lock<[String]>([])

    private func note(_ event: String) {
        events.withLock { $0.append(event) }
    }

    private func client(
        _ transport: ScriptedTransport, clock: any CallClock = RecordingClock(),
        @HandlerBuilder handlers: () -> [any FailureHandler] = { [] }
    ) throws -> Client {
        var options = CallOptions()
        options.clock = clock
        var handling = FailureHandling()
        handling.log = RecordingLog()
        return try Client(baseURL: Rig.base, transport: transport, options: options, handling: handling) {
            StatusValidation()
        }
        .scoped("shop", handlers: handlers)
    }

    @Test("is not told of a cancellation once it was told of a failure")
    func cancelledWhileTold() async throws {
        // given
        let client = try client(ScriptedTransport(.status(500)))
        // when
        await client.perform(
            Ping(),
            onSuccess: { note("success") },
            onFailure: { _ in
                note("failure")
                withUnsafeCurrentTask { $0?.cancel() }
                return false
            },
            onCancel: { note("cancel") }
        ).value
        // then
        #expect(events.withLock { $0 } == ["failure"])
    }

    @Test("is told of a cancellation in the pause that a scope's handler asked for, when onFailure is left out")
    func cancelledInPause() async throws {
        // given
        let transport = ScriptedTransport(.status(500))
        let client = try client(transport, clock: CancellingClock()) { Otherwise { _ in .retry(after: .seconds(30)) } }
        // when
        await client.perform(Ping(), onSuccess: { note("success") }, onFailure: nil, onCancel: { note("cancel") }).value
        // then
        #expect(events.withLock { $0 } == ["cancel"])
        #expect(transport.requests.count == 1)
    }

    @Test("receives a final failure: a later handler can no longer repeat the call")
    func finalFailure() async throws {
        // given
        let transport = ScriptedTransport(.status(500))
        let client = try client(transport) {
            Otherwise { _ in
                note("scope, can retry: \(FailureHandling.canRetry)")
                return .retry
            }
        }
        // when
        await client.perform(
            Ping(), onSuccess: { note("success") },
            onFailure: { _ in
                note("failure")
                return false
            }, onCancel: { note("cancel") }
        ).value
        // then
        #expect(events.withLock { $0 } == ["failure", "scope, can retry: false"])
        #expect(transport.requests.count == 1)
    }

    @Test("receives the success of a call that a scope's handler repeated, without onFailure")
    func sentAnew() async throws {
        // given
        let client = try client(ScriptedTransport(.status(500), .status(200))) {
            Otherwise { _ in
                note("scope, can retry: \(FailureHandling.canRetry)")
                return .retry
            }
        }
        // when
        await client.perform(Ping(), onSuccess: { note("success") }, onFailure: nil, onCancel: { note("cancel") }).value
        // then
        #expect(events.withLock { $0 } == ["scope, can retry: true", "success"])
    }

    @Test("with a completion receives the outcome once, after all repetitions")
    func completion() async throws {
        // given
        let steps: [[ScriptedTransport.Step]] = [
            [.status(200)], [.status(500), .status(200)], [.status(404)], [.status(403)],
        ]
        for step in steps {
            let client = try client(ScriptedTransport(step)) {
                On(status: 500) { _ in .retry }
                On(status: 404) { _ in }
            }
            // when
            await DefaultHandlers.withHandlers {
            } operation: {
                await client.perform(
                    Ping(),
                    completion: { outcome in
                        switch outcome {
                        case .value: note("value")
                        case .handled(_, let name): note("handled by \(name)")
                        case .unhandled: note("unhandled")
                        case .cancelled: note("cancelled")
                        }
                    }
                ).value
            }
        }
        // then
        #expect(events.withLock { $0 } == ["value", "value", "handled by shop: On(status.404)", "unhandled"])
    }

    /// What one call meets, drawn before it begins.
    private struct Plan {
        let fails: Int
        let verdicts: [Verdict]
        let handlesItself: Bool
        let hasFailureClosure: Bool
        /// After how many steps the call is cancelled; nil for never.
        let cancelAt: Int?

        init(_ numbers: inout SeededNumbers) {
            fails = Int.random(in: 0...3, using: &numbers)
            verdicts = (0..<4).map { _ in
                [.handled, .unhandled, .retry, .retry(after: .seconds(1))].randomElement(using: &numbers) ?? .handled
            }
            handlesItself = Bool.random(using: &numbers)
            hasFailureClosure = Bool.random(using: &numbers)
            cancelAt = Bool.random(using: &numbers) ? Int.random(in: 0...6, using: &numbers) : nil
        }
    }

    @Test(
        "runs exactly one of its closures, once, whatever its handlers say and whenever it is cancelled",
        arguments: Seed.ofRun)
    func exactlyOne(seed: Seed) async throws {
        var numbers = seed.numbers
        var seen: [String: Int] = [:]
        for _ in 0..<2000 {
            // given
            let plan = Plan(&numbers)
            let events = Lock<[String]>([])
            let steps = Lock(0)
            let step: @Sendable () -> Void = {
                let number = steps.withLock { number in
                    defer { number += 1 }
                    return number
                }
                if number == plan.cancelAt {
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            let transport = ScriptedTransport(
                ScriptedTransport.Step.respond { _, _ in
                    step()
                    let sent = events.withLock { events in
                        events.append("sent")
                        return events.filter { $0 == "sent" }.count
                    }
                    return HTTP.Response(status: sent <= plan.fails ? 500 : 200)
                }.repeated())
            let verdicts = Lock(plan.verdicts)
            let client = try client(transport) {
                Otherwise { _ -> Verdict in
                    #expect(!Task.isCancelled)
                    step()
                    return verdicts.withLock { $0.isEmpty ? .unhandled : $0.removeFirst() }
                }
            }
            // when
            let onFailure: @MainActor (Failure) async -> Bool = { _ in
                events.withLock { $0.append("failure") }
                step()
                return plan.handlesItself
            }
            await DefaultHandlers.withHandlers {
            } operation: {
                await client.perform(
                    Ping(), onSuccess: { events.withLock { $0.append("success") } },
                    onFailure: plan.hasFailureClosure ? onFailure : nil,
                    onCancel: { events.withLock { $0.append("cancel") } }
                ).value
            }
            // then
            let closures = events.withLock { $0 }.filter { $0 != "sent" }
            seen[closures.first ?? "none", default: 0] += 1
            #expect(closures.count == 1 || closures.isEmpty && !plan.hasFailureClosure, "\(plan): \(closures)")
            // Nothing is sent after a closure was called.
            #expect(closures.isEmpty || events.withLock { $0.last } != "sent", "\(plan)")
        }
        #expect(Set(seen.keys) == ["success", "failure", "cancel", "none"], "\(seen)")
    }
}
