import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A scripted transport", .limited)
struct ScriptedTransportTests {
    @Test("answers the requests in the order of its entries and keeps them")
    func sequence() async throws {
        // given
        let transport = ScriptedTransport(
            .status(503, headers: ["Retry-After": "2"], body: "busy"),
            .json(200, #"{"id":1}"#))
        let chain = try Sample.chain(transport)
        // when
        let first = try await chain.call(Sample.request(.get, "/a"))
        let second = try await chain.call(Sample.request(.post, "/b"))
        // then
        #expect(first.status == 503)
        #expect(first.headers[.retryAfter] == "2")
        #expect(String(decoding: first.body, as: UTF8.self) == "busy")
        #expect(first.url?.path == "/a")
        #expect(second.headers[.contentType] == "application/json")
        #expect(String(decoding: second.body, as: UTF8.self) == #"{"id":1}"#)
        #expect(transport.requests.map(\.description).count == 2)
        #expect(transport.requests.map(\.method) == [.get, .post])
        #expect(transport.requests.map(\.url.path) == ["/a", "/b"])
        try transport.checkFinished()
    }

    @Test("encodes a value as JSON")
    func encoding() async throws {
        // given
        let transport = try ScriptedTransport(.json(encoding: ["id": 1]), .data(200, Data([0xFF])))
        // when
        let response = try await Sample.chain(transport).call(Sample.request())
        let bytes = try await Sample.chain(transport).call(Sample.request())
        // then
        #expect(try JSONDecoder().decode([String: Int].self, from: response.body) == ["id": 1])
        #expect(bytes.body == Data([0xFF]))
    }

    @Test("throws a failure as it is written, with the request in it and without a response")
    func failure() async throws {
        // given
        let transport = ScriptedTransport(.failure(TransportError(.lost, phase: .receiving)))
        // when
        let failure = await #expect(throws: Failure.self) {
            try await Sample.chain(transport).call(Sample.request(.get, "/a"))
        }
        // then
        #expect(failure?.code == "transport.lost")
        #expect(failure?.request?.url.path == "/a")
        #expect(failure?.response == nil)
    }

    @Test("records what it sends and gets in the context, as a real transport does")
    func records() async throws {
        // given
        let transport = ScriptedTransport(.status(404, body: "gone"))
        let chain = try HTTP.Chain(transport: transport) { Sample.StatusCheck() }
        // when
        let failure = await #expect(throws: Failure.self) { try await chain.call(Sample.request()) }
        // then
        #expect(failure?.code == "status.404")
        #expect(failure?.response?.status == 404)
        #expect(failure?.request != nil)
    }

    @Test("waits by the call's clock before a delayed entry answers")
    func delay() async throws {
        // given
        let clock = ManualClock()
        let transport = ScriptedTransport(.delay(.seconds(3), then: .status(200)))
        let request = try Sample.request()
        let task = Task { try await Sample.chain(transport).call(request, options: Sample.options(clock)) }
        // when
        await clock.waitForSleepers(1)
        #expect(clock.sleepers == [.seconds(3)])
        await clock.advance(by: .seconds(3))
        // then
        #expect(try await task.value.status == 200)
    }

    @Test("ends as cancelled when the call is cancelled while it hangs or is delayed", arguments: [true, false])
    func cancellation(hangs: Bool) async throws {
        // given
        let clock = ManualClock()
        let transport = ScriptedTransport(hangs ? .hang : .delay(.seconds(3), then: .status(200)))
        let request = try Sample.request()
        let task = Task { try await Sample.chain(transport).call(request, options: Sample.options(clock)) }
        await transport.waitForRequests(1)
        // when
        task.cancel()
        // then
        let failure = await #expect(throws: Failure.self) { try await task.value }
        #expect(failure?.isCancelled == true)
        #expect(failure?.underlying is CancellationError)
        #expect(clock.sleepers.isEmpty)
        try transport.checkFinished()
    }

    @Test("a call that hangs while no time passes fails, and says which clock to use")
    func hangsWithoutTime() async throws {
        // given
        let transport = ScriptedTransport(.hang(upTo: .milliseconds(1)))
        let chain = try HTTP.Chain(transport: transport) { Deadline() }
        var options = CallOptions()
        options.clock = RecordingClock()
        options.deadline = .seconds(5)
        let request = try HTTP.Request(.get, "https://a.example")
        // when
        let failure = await #expect(throws: Failure.self) { try await chain.call(request, options: options) }
        // then
        #expect(failure?.code == "rejected.script")
        #expect(failure?.explanation.contains("Use a ManualClock and advance it") == true)
    }

    @Test("says how far a call had come that hangs or fails in the middle of a response")
    func partial() async throws {
        // given
        let transport = ScriptedTransport(
            .partial(200, headers: ["Content-Length": "9"], body: "[1,", then: .hang),
            .partial(206, body: "[1", then: .failure(TransportError(.lost, phase: .receiving))),
            .on(.get, "/c", .progress(TransferProgress(.connecting), then: .hang)))
        let clock = ManualClock()
        let request = try Sample.request(.get, "/a")
        let other = try Sample.request(.get, "/c")
        let chain = try HTTP.Chain(transport: transport) { AttemptTimeout() }
        func failure(of request: HTTP.Request, number: Int, hangs: Bool) async -> Failure? {
            let task = Task { try await chain.call(request, options: Sample.options(clock)) }
            if hangs {
                await transport.waitForRequests(number)
                await clock.waitForSleepers(1)
                await clock.advance(by: .seconds(30))
            }
            return await #expect(throws: Failure.self) { try await task.value }
        }
        // when
        let hung = await failure(of: request, number: 1, hangs: true)
        let lost = await failure(of: request, number: 2, hangs: false)
        let unconnected = await failure(of: other, number: 3, hangs: true)
        // then
        #expect(hung?.code == "timeout.attempt")
        #expect(hung?.progress?.phase == .receiving)
        #expect(hung?.progress?.bytesReceived == 3)
        #expect(hung?.response?.status == 200)
        #expect(hung?.response.map { String(decoding: $0.body, as: UTF8.self) } == "[1,")
        #expect(lost?.code == "transport.lost")
        #expect(lost?.response?.status == 206)
        #expect(lost?.progress?.bytesReceived == 2)
        #expect(unconnected?.progress?.phase == .connecting)
        #expect(unconnected?.response == nil)
        try transport.checkFinished()
    }

    @Test("counts the requests that were given up before they had their answer, for each entry")
    func cancellations() async throws {
        // given
        let transport = ScriptedTransport(.status(200), .hang.repeated(2), .failure(TransportError(.lost)))
        let chain = try Sample.chain(transport)
        let request = try Sample.request()
        _ = try await chain.call(request)
        let tasks = (0..<2).map { _ in Task { try await chain.call(request) } }
        await transport.waitForRequests(3)
        #expect(transport.cancellations == 0)
        // when
        tasks.forEach { $0.cancel() }
        await transport.waitForCancellations(2)
        _ = try? await chain.call(request)
        // then
        #expect(transport.cancellations == 2)
        #expect(transport.usages.map(\.cancelled) == [0, 2, 0])
        #expect(transport.lateRequests.isEmpty)
    }

    @Test("keeps apart what an interceptor sends after its call was cancelled")
    func late() async throws {
        // given
        let transport = ScriptedTransport(.status(200).repeated())
        let stray = Stray()
        let chain = try HTTP.Chain(transport: transport) { stray }
        let request = try Sample.request(.get, "/stray")
        let task = Task { try await chain.call(request) }
        await stray.hasBegun.waitForSleepers(1)
        // when
        task.cancel()
        await #expect(throws: Failure.self) { try await task.value }
        await stray.hasBegun.advance(by: .seconds(1))
        // then
        await transport.waitForRequests(1)
        #expect(transport.lateRequests.map(\.url.path) == ["/stray"])
        _ = try await Sample.chain(transport).call(Sample.request(.get, "/new"))
        #expect(transport.lateRequests.count == 1)
    }

    /// An interceptor with a mistake: it sends in a task of its own, whether the call goes on or not.
    private struct Stray: HTTP.Interceptor {
        let hasBegun = ManualClock()

        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            Task {
                try await hasBegun.sleep(for: .seconds(1))
                return try await next(request)
            }
            try await ManualClock().sleep(for: .seconds(1))
            throw CancellationError()
        }
    }

    @Test("sends nothing for a call that is cancelled already")
    func cancelledBefore() async throws {
        // given
        let transport = ScriptedTransport(.status(200))
        let request = try Sample.request()
        let gate = ManualClock()
        let task = Task {
            try? await gate.sleep(for: .seconds(1))
            return try await Sample.chain(transport).call(request)
        }
        await gate.waitForSleepers(1)
        // when
        task.cancel()
        // then
        await #expect(throws: Failure.self) { try await task.value }
        #expect(transport.requests.isEmpty)
    }

    @Test("lets a closure answer, which sees request and context, and may throw")
    func closure() async throws {
        // given
        let transport = ScriptedTransport(
            .respond { request, context in
                HTTP.Response(status: 200, headers: ["X-Path": request.url.path, "X-Attempt": "\(context.attempt)"])
            },
            .respond("a refusal") { _, _ in throw TransportError(.refused) })
        // when
        let response = try await Sample.chain(transport).call(Sample.request(.get, "/a"))
        let failure = await #expect(throws: Failure.self) { try await Sample.chain(transport).call(Sample.request()) }
        // then
        #expect(response.headers["X-Path"] == "/a")
        #expect(response.headers["X-Attempt"] == "1")
        #expect(failure?.code == "transport.refused")
    }

    @Test("fails the call when a scripted header cannot be sent")
    func brokenHeader() async throws {
        // given
        let transport = ScriptedTransport(.status(200, headers: ["X-Broken": "a\nb"]))
        // when
        let failure = await #expect(throws: Failure.self) { try await Sample.chain(transport).call(Sample.request()) }
        // then
        #expect(failure?.code == "request.invalidHeader")
    }

    @Test("can be made of an array and of repeated entries")
    func arrays() async throws {
        // given
        let first = [500, 502].map { ScriptedTransport.Step.status($0) }
        let rest: [ScriptedTransport.Step] = [.status(503).repeated(2), .status(200).repeated()]
        let transport = ScriptedTransport(first + rest)
        // when
        var statuses: [Int] = []
        for _ in 0..<6 {
            statuses.append(try await Sample.chain(transport).call(Sample.request()).status)
        }
        // then
        #expect(statuses == [500, 502, 503, 503, 200, 200])
        try transport.checkFinished()
    }

    @Test("wakes who waits for a request, and who waits in vain is woken by cancellation")
    func waitForRequests() async throws {
        // given
        let transport = ScriptedTransport(.status(200))
        let forOne = Task { await transport.waitForRequests(1) }
        let forTwo = Task { await transport.waitForRequests(2) }
        // when
        _ = try await Sample.chain(transport).call(Sample.request())
        forTwo.cancel()
        // then
        await forOne.value
        await forTwo.value
        #expect(transport.requests.count == 1)
    }

    @Test("serves calls side by side, each entry once")
    func concurrency() async throws {
        // given
        let transport = ScriptedTransport((0..<200).map { .status(200 + $0) })
        let request = try Sample.request()
        // when
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask { try await Sample.chain(transport).call(request).status }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        // then
        #expect(statuses == Set(200..<400))
        try transport.checkFinished()
    }
}
