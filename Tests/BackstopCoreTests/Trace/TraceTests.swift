import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The trace of a call", .limited)
struct TraceTests {
    private let clock = RecordingClock()

    private func options(tracesInterceptors: Bool = false) -> CallOptions {
        var options = CallOptions.with(clock, random: FixedRandom(units: 0.5))
        options.name = "books"
        options.tracesInterceptors = tracesInterceptors
        return options
    }

    private func chain() throws -> AskChain {
        let clock = clock
        let transport = Script<Ask, Answer>(
            .respond { _, _ in
                clock.advance(by: .milliseconds(10))
                throw TransportError(.lost)
            },
            .respond { _, _ in
                clock.advance(by: .milliseconds(40))
                return Answer(status: 404)
            })
        return try AskChain(transport: transport) {
            Retry(.standard)
            Step { request, context, next in
                context.note("cache", "miss \(context.attempt)")
                return try await next(request)
            }
            Judge()
        }
    }

    @Test("has attempts, waits and the notes of interceptors")
    func content() async throws {
        // when
        let trace = try #require(try await chain().result(Ask(), options: options()).failure).trace
        // then
        #expect(trace.name == "books")
        #expect(trace.id > 0)
        #expect(trace.outcome == "status.404")
        #expect(trace.duration == .milliseconds(300))
        #expect(trace.attempts.map(\.wait) == [.zero, .milliseconds(250)])
        #expect(trace.attempts.map(\.start) == [.zero, .milliseconds(260)])
        #expect(trace.events.map(\.kind) == [.note, .note])
        #expect(trace.events.map(\.text) == ["miss 1", "miss 2"])
        #expect(trace.events.map(\.time) == [.zero, .milliseconds(260)])
        #expect(trace.events.map(\.attempt) == [1, 2])
        #expect(trace.droppedEvents == 0)
    }

    @Test("has no interceptors unless they are asked for")
    func noLinks() async throws {
        let trace = try #require(try await chain().result(Ask(), options: options()).failure).trace
        #expect(!trace.events.contains { $0.kind == .interceptor })
    }

    @Test("has the interceptors when they are asked for, each as it was left")
    func interceptors() async throws {
        // when
        let trace = try #require(try await chain().result(Ask(), options: options(tracesInterceptors: true)).failure)
            .trace
        // then
        let interceptors = trace.events.filter { $0.kind == .interceptor }
        #expect(
            interceptors.map {
                "\($0.depth ?? -1) \($0.name) \($0.text) \($0.attempt) \($0.time.text) \($0.duration?.text ?? "")"
            }
                == [
                    "3 transport transport.lost 1 0 ms 10 ms",
                    "2 statusValidation transport.lost 1 0 ms 10 ms",
                    "1 Step transport.lost 1 0 ms 10 ms",
                    "3 transport ok 2 260 ms 40 ms",
                    "2 statusValidation status.404 2 260 ms 40 ms",
                    "1 Step status.404 2 260 ms 40 ms",
                    "0 retry status.404 1 0 ms 300 ms",
                ])
    }

    @Test("keeps a thousand events, and counts those it leaves out")
    func limit() async throws {
        // given
        let chain = try AskChain(transport: Echo()) {
            Step { _, context, _ in
                for number in 0..<1234 {
                    context.note("note", "\(number)")
                }
                throw ShopError()
            }
        }
        // when
        let trace = try #require(await chain.result(Ask(), options: options()).failure).trace
        // then
        #expect(trace.events.count == 1000)
        #expect(trace.events.last?.text == "999")
        #expect(trace.droppedEvents == 234)
        #expect(trace.json.hasSuffix(#""droppedEvents":234}"#))
    }

    @Test("shows the attempt that is under way as running")
    func running() async throws {
        // given
        let seen = Notes<Trace>()
        let clock = clock
        let chain = try AskChain(transport: Echo()) {
            Step { request, context, next in
                clock.advance(by: .milliseconds(5))
                seen.add(context.trace)
                return try await next(request)
            }
        }
        // when
        _ = try await chain.call(Ask(), options: options())
        // then
        let trace = try #require(seen.all.first)
        #expect(trace.outcome == nil)
        #expect(trace.attempts == [Attempt(number: 1, duration: .milliseconds(5), result: .running)])
    }

    @Test("is JSON for machines, with times in milliseconds")
    func json() async throws {
        // given
        let failure = try #require(try await chain().result(Ask(), options: options(tracesInterceptors: true)).failure)
        // when
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(failure.trace.json.utf8)) as? [String: Any])
        // then
        #expect(!failure.trace.json.contains("\n"))
        #expect(object["name"] as? String == "books")
        #expect(object["id"] as? UInt64 == failure.id)
        #expect(object["durationMs"] as? Double == 300)
        #expect(object["outcome"] as? String == "status.404")
        #expect(object["droppedEvents"] as? Int == 0)
        let attempts = try #require(object["attempts"] as? [[String: Any]])
        #expect(attempts.map { $0["number"] as? Int } == [1, 2])
        #expect(attempts.map { $0["startMs"] as? Double } == [0, 260])
        #expect(attempts.map { $0["waitMs"] as? Double } == [0, 250])
        #expect(attempts.map { $0["durationMs"] as? Double } == [10, 40])
        #expect(attempts.map { $0["waitReason"] as? String } == [nil, "backoff"])
        #expect(attempts.map { $0["result"] as? String } == ["transport.lost", "status.404"])
        let events = try #require(object["events"] as? [[String: Any]])
        #expect(events.count == 9)
        #expect(events.first?["kind"] as? String == "note")
        #expect(events.first?["durationMs"] == nil)
        #expect(events.last?["kind"] as? String == "interceptor")
        #expect(events.last?["depth"] as? Int == 0)
        #expect(events.last?["durationMs"] as? Double == 300)
    }

    @Test(
        "is JSON whatever the texts are",
        arguments: ["\"\\\n\r\t\u{0}\u{1F}\u{7F}\u{2028}\u{2029}", "é😀", "", "</script>"])
    func jsonTexts(text: String) async throws {
        // given
        var options = options()
        options.name = text
        let chain = try AskChain(transport: Echo()) {
            Step { _, context, _ in
                context.note(text, text)
                throw ShopError()
            }
        }
        // when
        let trace = try #require(await chain.result(Ask(), options: options).failure).trace
        let object = try JSONSerialization.jsonObject(with: Data(trace.json.utf8)) as? [String: Any]
        // then
        #expect(object?["name"] as? String == text)
        let events = try #require(object?["events"] as? [[String: Any]])
        #expect(events.first?["name"] as? String == text)
        #expect(events.first?["text"] as? String == text)
    }

    @Test("writes numbers with at most three decimals")
    func numbers() throws {
        let expected: [(Double, String)] = [
            (0, "0"), (1, "1"), (1.5, "1.5"), (0.001, "0.001"), (0.0004, "0"), (-0.25, "-0.25"), (-2, "-2"),
            (1234.5678, "1234.568"), (.infinity, "0"), (.nan, "0"), (0.1 + 0.2, "0.3"), (1.05, "1.05"),
        ]
        for (number, text) in expected {
            #expect(JSONWriter.number(number) == text)
        }
    }
}
