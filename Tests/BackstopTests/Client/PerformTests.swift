import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A client's perform", .limited)
struct PerformTests {
    @Test("gives the value, and asks no handler")
    func value() async throws {
        // given
        let rig = Rig(.json(200, Book.json).repeated())
        let client = try rig.standard().scoped("shop") { Otherwise { _ in Issue.record("Nothing failed.") } }
        // then
        #expect(await client.perform(BookEndpoint()).value == .dune)
        #expect(await client.perform(BookEndpoint()) { _ in .handled }.value == .dune)
        #expect(
            await client.perform(BookEndpoint()) { Otherwise { _ in Issue.record("Nothing failed.") } }.value == .dune)
        #expect(rig.observer.failures.isEmpty)
    }

    @Test("shows a failure to the scopes from the inside out, then to the defaults")
    func scopes() async throws {
        // given
        let rig = Rig(.status(401), .status(409), .status(404))
        let client = try rig.standard().scoped("outer") {
            On(status: 409) { _ in }
            On(status: 401) { _ in Issue.record("The inner scope is asked first.") }
        }.scoped("inner") { On(status: 401) { _ in } }
        // when
        let outcomes = await DefaultHandlers.withHandlers {
            Otherwise { _ in }
        } operation: {
            [
                await client.perform(BookEndpoint()), await client.perform(BookEndpoint()),
                await client.perform(BookEndpoint()),
            ]
        }
        // then
        #expect(outcomes.map(\.handledBy) == ["inner: On(status.401)", "outer: On(status.409)", "Otherwise"])
        #expect(rig.log.entries.filter { $0.level == .error }.isEmpty)
    }

    @Test("asks the call's own handler first, which may give a value")
    func own() async throws {
        // given
        let rig = Rig(.status(404))
        let client = try rig.standard().scoped("shop") { Otherwise { _ in Issue.record("The call answered.") } }
        // when
        let outcome = await client.perform(BookEndpoint()) { failure in
            failure.statusCode == 404 ? .value(Book(id: 0, title: "None")) : .unhandled
        }
        // then
        #expect(outcome.value?.title == "None")
        #expect(rig.observer.failures.map(\.outcome) == [.replaced(by: "call")])
    }

    @Test("asks the call's own handlers in their order")
    func ownHandlers() async throws {
        // given
        let rig = Rig(.json(422, #"{"error":true,"reason":"Username is too short."}"#))
        let reason = RecordingLog()
        // when
        let outcome = await (try rig.standard()).perform(BookEndpoint()) {
            On(.offline) { _ in Issue.record("It is not offline.") }
            On(error: SignUpError.self) { error, failure in reason.write(LogEntry(.info, error.reason)) }
            Otherwise { _ in Issue.record("It is handled already.") }
        }
        // then
        #expect(outcome.handledBy == "On(SignUpError)")
        #expect(reason.messages == ["Username is too short."])
    }

    @Test("sends the call anew when a handler says so, after the pause")
    func retry() async throws {
        // given
        let rig = Rig(.status(404), .json(200, Book.json))
        // when
        let outcome = await (try rig.standard()).perform(BookEndpoint()) { _ in .retry(after: .seconds(9)) }
        // then
        #expect(outcome.value == .dune)
        #expect(rig.clock.sleeps == [.seconds(9)])
        #expect(rig.observer.failures.map(\.outcome) == [.retried(by: "call")])
        #expect(Set(rig.observer.calls.map(\.id)).count == 2)
    }

    @Test("writes the report once when nobody handles the failure")
    func unhandled() async throws {
        // given
        let rig = Rig(.json(404, #"{"password":"hunter2"}"#))
        let client = try rig.client {
            Decoding()
            StatusValidation()
        }
        // when
        let outcome = await DefaultHandlers.withHandlers {
        } operation: {
            await client.perform(BookEndpoint())
        }
        // then
        let failure = try #require(outcome.failure)
        #expect(outcome.handledBy == nil)
        #expect(rig.log.entries.map(\.level) == [.error])
        #expect(rig.log.messages == ["No handler handled this failure.\n\(failure.report)"])
        #expect(!rig.log.messages.joined().contains("hunter2"))
    }

    @Test("is cancelled without asking anybody")
    func cancelled() async throws {
        // given
        let rig = Rig(.hang)
        let client = try rig.standard()
        let task = Task {
            await client.perform(BookEndpoint()) { Otherwise { _ in Issue.record("Nobody is asked.") } }
        }
        await rig.transport.waitForRequests(1)
        // when
        task.cancel()
        // then
        guard case .cancelled = await task.value else {
            Issue.record("The call was cancelled.")
            return
        }
        #expect(rig.observer.failures.map(\.outcome) == [.cancelled])
    }
}

@Suite("A client's perform for code without async", .limited)
struct PerformCallbackTests {
    /// Which closures were called.
    private let called = RecordingLog()

    private func note(_ text: String) {
        called.write(LogEntry(.info, text))
    }

    @Test("calls onSuccess with the content")
    func success() async throws {
        // given
        let client = try Rig(.json(200, Book.json)).standard()
        // when
        await client.perform(
            BookEndpoint(), onSuccess: { note("success \($0.title)") },
            onFailure: { failure in
                note("failure")
                return true
            }, onCancel: { note("cancel") }
        ).value
        // then
        #expect(called.messages == ["success Dune"])
    }

    @Test("calls onFailure, which may say that it handled it")
    func failureHandled() async throws {
        // given
        let client = try Rig(.status(404)).standard().scoped("shop") { Otherwise { _ in note("scope") } }
        // when
        await client.perform(
            BookEndpoint(), onSuccess: { _ in note("success") },
            onFailure: { failure in
                note(failure.code)
                return true
            }, onCancel: { note("cancel") }
        ).value
        // then
        #expect(called.messages == ["status.404"])
    }

    @Test("asks the scopes when onFailure did not handle it, or is not there")
    func failureUnhandled() async throws {
        // given
        let client = try Rig(.status(404).repeated()).standard().scoped("shop") { Otherwise { _ in note("scope") } }
        // when
        await client.perform(
            BookEndpoint(), onSuccess: { _ in note("success") },
            onFailure: { failure in
                note(failure.code)
                return false
            }
        ).value
        await client.perform(BookEndpoint(), onSuccess: { _ in note("success") }, onFailure: nil).value
        // then
        #expect(called.messages == ["status.404", "scope", "scope"])
    }

    @Test("calls onCancel alone when the task is cancelled")
    func cancelled() async throws {
        // given
        let rig = Rig(.hang)
        let task = try rig.standard().perform(
            BookEndpoint(), onSuccess: { _ in note("success") },
            onFailure: { _ in
                note("failure")
                return true
            }, onCancel: { note("cancel") })
        await rig.transport.waitForRequests(1)
        // when
        task.cancel()
        await task.value
        // then
        #expect(called.messages == ["cancel"])
    }

    /// An order that has another key whenever it is made.
    private struct Order: Endpoint {
        let number = Counter()

        func makeRequest() throws -> HTTP.Request {
            try HTTP.Request(.post, "orders", headers: ["Idempotency-Key": "key \(number.increment())"])
        }

        func content(from response: HTTP.Response) throws -> HTTP.Response { response }
    }

    @Test("sends the call anew under the key of its first request, though the endpoint makes another")
    func keptKey() async throws {
        // given
        let rig = Rig(.status(503), .status(503), .status(200))
        let client = try rig.client { StatusValidation() }
        // when
        let outcome = await client.perform(Order()) { _ in .retry }
        // then
        #expect(outcome.value?.status == 200)
        #expect(rig.transport.requests.map { $0.headers[.idempotencyKey] } == ["key 1", "key 1", "key 1"])
    }

    /// An order that somebody still edits.
    private struct Draft: Endpoint {
        struct Form: Sendable {
            var text: String
            var key: String?
        }

        let current: Lock<Form>
        let number = Counter()

        func makeRequest() throws -> HTTP.Request {
            let content = current.withLock { $0 }
            return try HTTP.Request(
                .post, "orders", headers: ["Idempotency-Key": content.key ?? "key \(number.increment())"],
                body: .text(content.text))
        }

        func content(from response: HTTP.Response) throws -> Int { response.status }
    }

    @Test(
        "gives an order that has changed no key but its own, and sends none whose key says nothing",
        arguments: [
            // The same order under its own key; another order; the same with another key, which only looks like another.
            ("Emma", "own", "own", ["own", "own"]), ("Emma", "own", "next", ["own", "next"]),
            ("Dune", "own", "next", ["own", "own"]),
            // A key that is made for each request says whether the order is the same only if nothing else has changed.
            ("Dune", nil, nil, ["key 1", "key 1"]), ("Emma", nil, nil, ["key 1"]),
        ])
    func draft(next: String, firstKey: String?, nextKey: String?, sent: [String]) async throws {
        // given
        let rig = Rig(.status(503), .status(200).repeated(2))
        let client = try rig.client { StatusValidation() }
        let draft = Draft(current: Lock(.init(text: "Dune", key: firstKey)))
        // when
        let outcome = await client.perform(draft) { failure in
            guard failure.statusCode == 503 else {
                return .handled
            }
            draft.current.withLock { $0 = .init(text: next, key: nextKey) }
            return .retry
        }
        // then
        #expect(rig.transport.requests.compactMap { $0.headers[.idempotencyKey] } == sent)
        #expect(outcome.failure?.code == (sent.count == 1 ? "rejected.idempotencyKey" : nil))
    }

    /// An order without a key.
    private struct Bare: Endpoint {
        var key: String?
        /// Whether its body is another one whenever it is made, as with a time in it.
        var changes = false
        var method = HTTP.Method.post
        let number = Counter()

        func makeRequest() throws -> HTTP.Request {
            var request = try HTTP.Request.json(method, "orders", ["at": changes ? number.increment() : 0])
            request.headers[.idempotencyKey] = key
            return request
        }

        func content(from response: HTTP.Response) throws -> Int { response.status }
    }

    @Test(
        "sends an order anew under the key that an interceptor gave it, or not at all",
        arguments: [
            (Bare(), true, ["key 1", "key 1", "key 1"]), (Bare(), false, ["key 1"]),
            (Bare(changes: true), true, ["key 1"]), (Bare(key: "own", changes: true), false, ["key 1"]),
            // An interceptor makes an order of it.
            (Bare(method: .put), true, ["key 1", "key 1", "key 1"]), (Bare(method: .put), false, ["key 1"]),
        ])
    private func interceptorKey(order: Bare, keeps: Bool, sent: [String]) async throws {
        // given
        let rig = Rig(.status(503), .status(503), .status(200))
        let client = try rig.client {
            ClosureInterceptor { request, _, next in
                var request = request
                request.method = .post
                return try await next(request)
            }
            AddingKey(keeps: keeps)
            Retry(attempts: 1)
            StatusValidation()
        }
        let canRetry = Notes<Bool>()
        // when
        let outcome = await client.perform(order) { failure in
            canRetry.add(FailureHandling.canRetry)
            return .retry
        }
        // then
        #expect(rig.transport.requests.map { $0.headers[.idempotencyKey] } == sent)
        #expect(outcome.failure?.code == (sent.count == 1 ? "rejected.idempotencyKey" : nil))
        #expect(canRetry.all == (sent.count == 1 ? [true, false] : [true, true]))
        #expect(outcome.failure?.report.contains("inside Retry") != true)
    }

    @Test("offers no repetition of a body that was read once, but one of a call that was refused unsent")
    func readOnce() async throws {
        // given
        let rig = Rig(.status(503))
        let sending = try rig.client { StatusValidation() }
        let refusing = try rig.client {
            ClosureInterceptor { _, _, _ in throw RejectionError(.limit, "1 call is running") }
        }
        let canRetry = Notes<Bool>()
        // when
        for client in [sending, refusing] {
            let chunks = AsyncStream<Data> { $0.finish() }
            await client.perform(.put("files/1", body: .stream(once: chunks))) { _ in
                canRetry.add(FailureHandling.canRetry)
            }
        }
        // then
        #expect(canRetry.all == [false, true])
    }

    @Test("sends a POST with a blank key once", arguments: ["", " ", "\t "])
    func blankKey(key: String) async throws {
        // given
        let rig = Rig(.status(503), .status(200))
        let client = try rig.client {
            Retry()
            StatusValidation()
        }
        // when
        let outcome = await client.perform(.post("orders", headers: [.idempotencyKey: key]))
        // then
        #expect(rig.transport.requests.count == 1)
        #expect(outcome.failure?.stopReason == .notIdempotent)
        #expect(outcome.failure?.isRetryable == false)
    }
}
