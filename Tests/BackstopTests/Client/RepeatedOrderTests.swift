import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// What is sent when a handler repeats a call, and its endpoint asks for something else meanwhile.
@Suite("An order that a handler repeats", .limited)
struct RepeatedOrderTests {
    /// Asks for one thing at first, then for another, with another key whenever a request is made.
    private struct Changing: Endpoint {
        struct Ask {
            var method = HTTP.Method.post
            var target = "orders"
            var body = HTTP.Body.text("Dune")
            var hasKey = true
        }

        let asks: [Ask]
        let step = Lock(0)
        let number = Counter()

        func makeRequest() throws -> HTTP.Request {
            let ask = asks[step.withLock { $0 }]
            var request = try HTTP.Request(ask.method, ask.target, body: ask.body)
            if ask.hasKey {
                request.headers[.idempotencyKey] = "key \(number.increment())"
            }
            return request
        }

        func content(from response: HTTP.Response) throws -> Int { response.status }
    }

    private static let stream = HTTP.Body.stream { pieces(of: Data("Dune".utf8)) }

    @Test(
        "keeps its key where it is the same, goes out once where nobody knows, and leaves what needs no key alone",
        arguments: [
            ([Changing.Ask()], ["POST orders key 1", "POST orders key 1"]),
            // A read in its place is no second order.
            ([.init(), .init(method: .get, body: .none, hasKey: false)], ["POST orders key 1", "GET orders no key"]),
            // Another place, and a key that says nothing.
            ([.init(), .init(target: "carts")], ["POST orders key 1"]),
            // The bytes of a stream are unknown, so that a new key may mean another order.
            ([.init(body: stream)], ["POST orders key 1"]),
            // The interceptor's key is that of the call.
            ([.init(body: stream, hasKey: false)], ["POST orders added", "POST orders added"]),
        ])
    private func changes(asks: [Changing.Ask], sent: [String]) async throws {
        // given
        let rig = Rig(.status(503), .status(200))
        let client = try rig.client {
            ClosureInterceptor { request, _, next in
                var request = request
                if request.method == .post, request.headers[.idempotencyKey] == nil {
                    request.headers[.idempotencyKey] = "added"
                }
                return try await next(request)
            }
            StatusValidation()
        }
        let endpoint = Changing(asks: asks)
        // when
        let outcome = await client.perform(endpoint) { failure in
            endpoint.step.withLock { $0 = asks.count - 1 }
            return failure.statusCode == 503 ? .retry : .handled
        }
        // then
        #expect(
            rig.transport.requests.map {
                "\($0.method) \($0.url.lastPathComponent) \($0.headers[.idempotencyKey] ?? "no key")"
            } == sent)
        #expect(outcome.failure?.code == (sent.count == 1 ? "rejected.idempotencyKey" : nil))
        // A refusal shows what was refused.
        let refused = outcome.failure?.originalRequest as? HTTP.Request
        #expect(refused?.url.lastPathComponent == (sent.count == 1 ? asks[asks.count - 1].target : nil))
    }

    @Test(
        "stays in doubt once it may have worked, whatever the repetition says",
        arguments: [
            (Step.failure(TransportError(.lost)), Step.status(503), true, false),
            // What was entered is corrected then, and sent with another key.
            (.status(502), .status(422), true, true),
            (.failure(TransportError(.lost)), .failure(TransportError(.refused, phase: .connecting)), true, false),
            (.status(503), .status(503), false, false), (.status(422), .status(503), false, false),
        ])
    func inDoubt(first: Step, then second: Step, isInDoubt: Bool, isWithKey: Bool) async throws {
        for (key, again) in [(nil, "post"), ("7", "post"), (nil, "get")] as [(String?, String)] {
            // given
            let rig = Rig(first, second, .status(503).repeated())
            let client = try rig.client { StatusValidation() }
            let failures = Notes<Failure>()
            // when: a person taps "Try again", whatever it says
            let headers: HTTP.Headers = key.map { ["Idempotency-Key": $0] } ?? [:]
            await client.perform(
                again == "post"
                    ? .post("orders", headers: headers, body: .text("Dune"), as: Int.self)
                    : .get("orders", as: Int.self)
            ) { failure in
                failures.add(failure)
                return failures.all.count < 3 ? .retry : .handled
            }
            // then
            let warning = "Please check whether it worked before you try again."
            let isWarned = isInDoubt && key == nil && again == "post"
            #expect(
                failures.all.map { $0.message.suggestion == warning }
                    == [isWarned, isWarned || isWithKey && key != nil, isWarned])
        }
    }

    @Test("stays in doubt where a key of its own came with each call, and the second was refused")
    func keyed() async throws {
        let rig = Rig(.failure(TransportError(.lost)).repeated())
        let keys = Counter()
        let client = try rig.client {
            ClosureInterceptor { request, _, next in
                var request = request
                request.headers[.idempotencyKey] = "key \(keys.increment())"
                return try await next(request)
            }
            Retry(try .quick())
        }
        let outcome = await client.perform(.post("orders", body: .text("Dune"), as: Int.self)) { failure in
            failure.code == "transport.lost" ? .retry : .handled
        }
        #expect(outcome.failure?.code == "rejected.idempotencyKey")
        #expect(outcome.failure?.message.suggestion == "Please check whether it worked before you try again.")
        #expect(rig.transport.requests.count == 3)
    }

    @Test("stays in doubt where an interceptor gave both calls the same key: a call that is made later may get another")
    func sameKey() async throws {
        let rig = Rig(.failure(TransportError(.lost)), .status(503).repeated())
        let client = try rig.client {
            ClosureInterceptor { request, _, next in
                var request = request
                request.headers[.idempotencyKey] = "added"
                return try await next(request)
            }
            StatusValidation()
        }
        let failures = Notes<Failure>()
        await client.perform(.post("orders", body: .text("Dune"), as: Int.self)) { failure in
            failures.add(failure)
            return failures.all.count == 1 ? .retry : .handled
        }
        let warning = "Please check whether it worked before you try again."
        #expect(failures.all.map(\.code) == ["transport.lost", "status.503"])
        #expect(failures.all.map { $0.message.suggestion == warning } == [true, true])
    }

    @Test("is in no doubt where its own key makes it safe, and the second was refused")
    func refusedWithKey() async throws {
        let rig = Rig(.failure(TransportError(.lost)).repeated())
        let calls = Counter()
        let client = try rig.client {
            ClosureInterceptor { request, _, next in
                guard calls.increment() == 1 else {
                    throw RejectionError(.breakerOpen, "open")
                }
                return try await next(request)
            }
        }
        let order = HTTP.Call<Int>.post("orders", headers: ["Idempotency-Key": "7"], body: .text("Dune"))
        let outcome = await client.perform(order) { failure in
            failure.code == "transport.lost" ? .retry : .handled
        }
        #expect(outcome.failure?.code == "rejected.breakerOpen")
        #expect(outcome.failure?.message.suggestion != "Please check whether it worked before you try again.")
    }

    @Test("stays in doubt where a call within ends the second, and leaves others within in none")
    func within() async throws {
        // given
        let rig = Rig(.failure(TransportError(.lost)), .status(200))
        let stock = try Rig(.status(503).repeated()).client { StatusValidation() }
        let (calls, inner) = (Counter(), Notes<Failure>())
        let client = try rig.client {
            ClosureInterceptor { request, _, next in
                let number = calls.increment()
                guard number > 1 else {
                    return try await next(request)
                }
                do {
                    _ = try await stock.post("reservations", json: ["Dune"])
                } catch {
                    inner.add(Failure(error))
                }
                _ = try await stock.get("stock")
                return try await next(request)
            }
        }
        // when
        let outcome = await client.perform(.post("orders", body: .text("Dune"), as: Int.self)) { failure in
            failure.code == "transport.lost" ? .retry : .handled
        }
        // then
        let warning = "Please check whether it worked before you try again."
        #expect(outcome.failure?.code == "status.503")
        #expect(outcome.failure?.message.suggestion == warning)
        #expect(inner.all.count == 1)
        #expect(inner.all.allSatisfy { $0.message.suggestion != warning })
    }

    @Test("stays in doubt where the call that fails then only reads: all of them would be made again")
    func flow() async throws {
        let rig = Rig(.status(200), .failure(TransportError(.lost)), .status(503))
        let rounds = Counter()
        let client = try rig.client { StatusValidation() }
        let failures = Notes<Failure>()
        let flow = FailureHandling()
        _ = await flow.perform(clock: SystemClock()) { failure in
            failures.add(failure)
            return failures.all.count < 3 ? .retry : .handled
        } call: { () async throws(Failure) in
            // The order is repeated with it, whatever this one is about.
            guard rounds.increment() != 2 else { throw Failure(StatusError(429)) }
            _ = try await client.get("cart")
            _ = try await client.post("orders", json: ["Dune"])
        }
        #expect(failures.all.map(\.code) == ["transport.lost", "status.429", "status.503"])
        let warning = "Please check whether it worked before you try again."
        #expect(failures.all.map { $0.message.suggestion == warning } == [true, true, true])
    }

    @Test("that deletes finds its item gone when it is made again", arguments: [true, false])
    func gone(wasLost: Bool) async throws {
        let rig = Rig(wasLost ? .failure(TransportError(.lost)) : .status(503), .status(404))
        let client = try rig.client { StatusValidation() }
        let failures = Notes<Failure>()
        await client.perform(.delete("orders/7")) { failure in
            failures.add(failure)
            return failure.statusCode == 404 ? .handled : .retry
        }
        let warning = "Please check whether it worked before you try again."
        #expect(failures.all.map(\.code) == [wasLost ? "transport.lost" : "status.503", "status.404"])
        #expect(failures.all.map { $0.message.suggestion == warning } == [false, wasLost])
    }

    @Test("is shown with the key that it was sent again with")
    func shown() async throws {
        // given
        let rig = Rig(.status(503).repeated())
        let failures = Notes<Failure>()
        // when
        _ = try await rig.client { StatusValidation() }.perform(Changing(asks: [.init()])) { failure in
            failures.add(failure)
            return failures.all.count == 1 ? .retry : .handled
        }
        // then
        let shown = failures.all.map { ($0.originalRequest as? HTTP.Request)?.headers[.idempotencyKey] }
        #expect(shown == ["key 1", "key 1"])
    }
}
