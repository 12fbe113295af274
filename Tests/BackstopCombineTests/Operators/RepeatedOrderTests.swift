#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopCore
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    /// The key of an order goes to no other, and no order goes out with two.
    @Suite("Orders that are repeated", .limited)
    struct RepeatedOrderTests {
        /// An order with a key of its own.
        private struct Save: Endpoint {
            var text: String
            var key: String

            func makeRequest() throws -> HTTP.Request {
                try HTTP.Request(.post, "orders", headers: ["Idempotency-Key": key], body: .text(text))
            }

            func content(from response: HTTP.Response) throws -> Int { response.status }
        }

        /// An order that gets another key whenever its request is made.
        private struct Fresh: Endpoint {
            let text: @Sendable () -> String
            let count: Counter

            init(_ text: @escaping @Sendable @autoclosure () -> String, _ count: Counter = Counter()) {
                self.text = text
                self.count = count
            }

            func makeRequest() throws -> HTTP.Request {
                try HTTP.Request(
                    .post, "orders", headers: ["Idempotency-Key": "key \(count.increment())"], body: .text(text()))
            }

            func content(from response: HTTP.Response) throws -> Int { response.status }
        }

        /// What the server saw: the body and its key.
        private func seen(_ rig: Rig) -> [String] {
            rig.transport.requests.map { request in
                "\(String(decoding: request.body.data ?? Data(), as: UTF8.self)): "
                    + (request.headers[.idempotencyKey] ?? "no key")
            }
        }

        private func run<P: Publisher>(_ publisher: P) async -> Recorder<P.Output, P.Failure> where P.Output: Sendable {
            let recorder = Recorder<P.Output, P.Failure>()
            publisher.subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            return recorder
        }

        @Test("keep their own keys where the latest one is sent again")
        func latest() async throws {
            let rig = Rig(.status(200), .status(503), .status(200))
            let client = try rig.client()
            let document = CurrentValueSubject<Save, Never>(Save(text: "version 1", key: "1"))
            let recorder = Recorder<Int, Never>()
            document
                .map { client.publisher(for: $0).handleFailures { Otherwise { _ in .retry } } }
                .switchToLatest()
                .subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEvents(1)
            document.send(Save(text: "version 2", key: "2"))
            await recorder.waitForEvents(2)
            #expect(seen(rig) == ["version 1: 1", "version 2: 2", "version 2: 2"])
        }

        @Test("go out once where a later value of a subject started them, which the operator cannot know")
        func later() async throws {
            let rig = Rig(.status(200), .status(503).repeated())
            let client = try rig.client()
            let document = CurrentValueSubject<Save, BackstopCore.Failure>(Save(text: "version 1", key: "1"))
            let recorder = Recorder<Int, Never>()
            document.map { client.publisher(for: $0) }.switchToLatest()
                .handleFailures { Otherwise { _ in FailureHandling.canRetry ? .retry : .handled } }
                .subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEvents(1)
            document.send(Save(text: "version 2", key: "2"))
            await recorder.waitForEnd()
            #expect(seen(rig) == ["version 1: 1", "version 2: 2"])
        }

        private static let warning = "Please check whether it worked before you try again."

        /// What a handler is told that repeats a publisher twice.
        private func failures<P: Publisher>(of publisher: P) async -> [BackstopCore.Failure]
        where P.Output: Sendable, P.Failure == BackstopCore.Failure {
            let failures = Notes<BackstopCore.Failure>()
            _ = await run(
                publisher.handleFailures {
                    Otherwise { failure -> BackstopCore.Verdict in
                        failures.add(failure)
                        return failures.all.count < 3 ? .retry : .handled
                    }
                })
            return failures.all
        }

        @Test("stay in doubt where something fails in between that nobody has called")
        func byHand() async throws {
            let rig = Rig(.status(500), .status(503))
            let client = try rig.client()
            let rounds = Counter()
            let failures = await failures(
                of: Deferred { () -> AnyPublisher<HTTP.Response, BackstopCore.Failure> in
                    rounds.increment() == 2
                        ? Fail(error: BackstopCore.Failure(TransportError(.offline))).eraseToAnyPublisher()
                        : client.publisher(for: .post("orders", body: .text("Dune"))).eraseToAnyPublisher()
                })
            #expect(failures.map(\.code) == ["status.500", "transport.offline", "status.503"])
            #expect(failures.allSatisfy { $0.message.suggestion == Self.warning })
        }

        @Test("that delete find their item gone when they are repeated")
        func gone() async throws {
            let rig = Rig(.failure(TransportError(.lost)), .status(404))
            let recorder = await run(try rig.client().publisher(for: .delete("orders/7")).retry(.standard))
            #expect(recorder.failure?.code == "status.404")
            #expect(recorder.failure?.message.suggestion == Self.warning)
        }

        @Test("stay in doubt where a handler repeats them and they may have worked before")
        func inDoubt() async throws {
            let rig = Rig(.failure(TransportError(.lost)), .status(503).repeated())
            let client = try rig.client()
            let failures = await failures(of: client.publisher(for: .post("orders", body: .text("Dune"), as: Int.self)))
            #expect(failures.map(\.code) == ["transport.lost", "status.503", "status.503"])
            #expect(failures.allSatisfy { $0.message.suggestion == Self.warning })
        }

        @Test("keep their own keys where another order takes the place of the first, even an equal one")
        func edited() async throws {
            for next in ["Emma", "Dune"] {
                let rig = Rig(.status(503), .status(200))
                let client = try rig.client()
                let cart = Lock(Save(text: "Dune", key: "first"))
                _ = await run(
                    Deferred { client.publisher(for: cart.withLock { $0 }) }
                        .handleFailures {
                            Otherwise { _ -> BackstopCore.Verdict in
                                cart.withLock { $0 = Save(text: next, key: "second") }
                                return .retry
                            }
                        })
                #expect(seen(rig) == ["Dune: first", "\(next): second"])
            }
        }

        @Test("keep their own keys where those that are done have left the list", arguments: [false, true])
        func outbox(retries: Bool) async throws {
            let rig = Rig(
                .on("A", where: { $0.body.data == Data("A".utf8) }, .status(200).repeated()),
                .on("B", where: { $0.body.data == Data("B".utf8) }, .status(503), repeating: 1),
                .on("B", where: { $0.body.data == Data("B".utf8) }, .status(200)))
            let client = try rig.client()
            let pending = Lock([Save(text: "A", key: "a"), Save(text: "B", key: "b")])
            let outbox = Deferred {
                pending.withLock { $0 }.publisher.setFailureType(to: BackstopCore.Failure.self)
                    .flatMap { order in
                        client.publisher(for: order)
                            .handleEvents(receiveOutput: { _ in
                                pending.withLock { $0.removeAll { $0.key == order.key } }
                            })
                    }
            }
            if retries {
                _ = await run(outbox.retry(.standard))
            } else {
                _ = await run(outbox.handleFailures { Otherwise { _ in .retry } })
            }
            // Whether A was done when B failed is left to chance.
            #expect(pending.withLock { $0.isEmpty })
            #expect(Set(seen(rig)) == ["A: a", "B: b"])
            #expect(seen(rig).count { $0 == "B: b" } == 2)
        }

        @Test("that stand beside each other are each sent again under their own key, as far as they were sent")
        func beside() async throws {
            let rig = Rig(.status(503).repeated(2), .status(200).repeated(2))
            let client = try rig.client()
            let count = Counter()
            let recorder = await run(
                [Fresh("Dune", count), Fresh("Dune", count)].publisher.setFailureType(to: BackstopCore.Failure.self)
                    .flatMap { client.publisher(for: $0).asResult().setFailureType(to: BackstopCore.Failure.self) }
                    .collect()
                    .tryMap { results in try results.map { try $0.get() } }
                    .mapError { $0 as? BackstopCore.Failure ?? Failure($0) }
                    .handleFailures { Otherwise { _ in .retry } })
            #expect(recorder.values == [[200, 200]])
            #expect(seen(rig).sorted() == ["Dune: key 1", "Dune: key 1", "Dune: key 2", "Dune: key 2"])
        }

        @Test("keep a key that changes in each request, where the publisher is made anew")
        func madeAnew() async throws {
            let rig = Rig(.status(503), .status(200))
            let client = try rig.client()
            let count = Counter()
            _ = await run(Deferred { client.publisher(for: Fresh("Dune", count)) }.retry(.standard))
            #expect(seen(rig) == ["Dune: key 1", "Dune: key 1"])
        }

        @Test("keep the key that an interceptor gave them, though their call still ends when they are repeated")
        func unwinding() async throws {
            let rig = Rig(.status(503).repeated())
            let (given, count, held) = (Counter(), Counter(), Gate())
            let client = try rig.client().withChain { chain in
                chain.prepending(
                    ClosureInterceptor { request, _, next in
                        guard request.method == .post else {
                            while given.value == 0 { await Task.yield() }
                            return try await next(request)
                        }
                        var request = request
                        if request.headers[.idempotencyKey] == nil {
                            request.headers[.idempotencyKey] = "key \(count.increment())"
                        }
                        do {
                            return try await next(request)
                        } catch {
                            given.increment()
                            // Ends only after it was cancelled and made again.
                            await held.pass()
                            throw error
                        }
                    })
            }
            let failures = Counter()
            let read = client.publisher(for: .get("books"))
            let order = client.publisher(for: .post("orders", body: .text("Dune")))
            let recorder = Recorder<String, Never>()
            read.beside(order)
                .handleFailures {
                    Otherwise { _ -> BackstopCore.Verdict in
                        failures.increment()
                        return failures.value == 1 ? .retry : .handled
                    }
                }
                .map { _ in "both" }
                .subscribe(recorder)
            recorder.request(.unlimited)
            while rig.transport.requests.count(where: { $0.method == .post }) < 2, failures.value < 2 {
                await Task.yield()
            }
            held.open()
            await recorder.waitForEnd()
            let keys = rig.transport.requests.filter { $0.method == .post }.map { $0.headers[.idempotencyKey] }
            #expect(Set(keys) == ["key 1"])
        }

        @Test(
            "keep the key that an interceptor gave them, or go out once",
            arguments: [true, false], ["handler", "retry", "anew", "changed", "stream", "hop"])
        func interceptorKey(keeps: Bool, how: String) async throws {
            let rig = Rig(.status(503).repeated())
            let client = try rig.client().withChain { $0.prepending(AddingKey(keeps: keeps)) }
            let count = Counter()
            let canRetry = RecordingLog()
            let order = HTTP.Call(.post, "orders", body: .text("Dune"))
            let stream = HTTP.Body.stream { pieces(of: Data("Dune".utf8)) }
            let anew = Deferred {
                client.publisher(for: .post("orders", body: .text(how == "changed" ? "\(count.increment())" : "Dune")))
            }
            let publisher: AnyPublisher<HTTP.Response, BackstopCore.Failure> =
                switch how {
                case "anew", "changed": anew.eraseToAnyPublisher()
                case "stream":
                    // Which stream it is nobody knows.
                    Deferred { client.publisher(for: .post("orders", body: stream)) }.eraseToAnyPublisher()
                case "hop": client.publisher(for: order).subscribe(on: Hop()).eraseToAnyPublisher()
                default: client.publisher(for: order).eraseToAnyPublisher()
                }
            if how == "retry" {
                _ = await run(publisher.retry(.standard))
            } else {
                _ = await run(
                    publisher.handleFailures {
                        Otherwise { _ -> BackstopCore.Verdict in
                            canRetry.write(LogEntry(.info, "\(FailureHandling.canRetry)"))
                            return .retry
                        }
                    })
            }
            let keys = rig.transport.requests.map { $0.headers[.idempotencyKey] }
            switch (how, keeps) {
            case ("handler", true), ("anew", true): #expect(keys == Array(repeating: "key 1", count: 4))
            case ("retry", true): #expect(keys == Array(repeating: "key 1", count: 3))
            default: #expect(keys == ["key 1"])
            }
            #expect(how == "retry" || canRetry.entries.last?.message == "false")
        }

        /// An order to some place that has another key whenever its request is made, or the same.
        private struct Placed: Endpoint {
            var target: String
            var key: Counter
            var stays: Int?

            func makeRequest() throws -> HTTP.Request {
                try HTTP.Request(
                    .post, target, headers: [.idempotencyKey: "key \(stays ?? key.increment())"], body: .text("Dune"))
            }

            func content(from response: HTTP.Response) throws -> Int { response.status }
        }

        @Test(
            "are sent under their own key where an order to another place takes the place of the first",
            arguments: [true, false])
        func elsewhere(stays: Bool) async throws {
            let rig = Rig(.status(503), .status(200))
            let client = try rig.client()
            let target = Lock("orders")
            let key = Counter()
            _ = await run(
                Deferred {
                    client.publisher(
                        for: Placed(
                            target: target.withLock { $0 }, key: key, stays: stays ? key.increment() : nil))
                }
                .handleFailures {
                    Otherwise { _ -> BackstopCore.Verdict in
                        target.withLock { $0 = "carts" }
                        return .retry
                    }
                })
            #expect(rig.transport.requests.map(\.url.lastPathComponent) == ["orders", "carts"])
            #expect(seen(rig) == ["Dune: key 1", "Dune: key 2"])
        }

        @Test("go out once if the order has changed and its key says nothing")
        func changed() async throws {
            let rig = Rig(.status(503).repeated())
            let draft = Lock("Dune")
            let codes = RecordingLog()
            let publisher = try rig.client().publisher(for: Fresh(draft.withLock { $0 }))
            _ = await run(
                publisher.handleFailures {
                    Otherwise { failure -> BackstopCore.Verdict in
                        codes.write(LogEntry(.info, failure.code))
                        draft.withLock { $0 = "Emma" }
                        return codes.entries.count == 1 ? .retry : .handled
                    }
                })
            #expect(seen(rig) == ["Dune: key 1"])
            #expect(codes.entries.map(\.message) == ["status.503", "rejected.idempotencyKey"])
        }

        @Test("go out once where a scheduler stands between call and handler")
        func hop() async throws {
            let rig = Rig(.status(503).repeated())
            let publisher = try rig.client().publisher(for: Fresh("Dune"))
            let canRetry = RecordingLog()
            let handler = Otherwise { _ -> BackstopCore.Verdict in
                canRetry.write(LogEntry(.info, "\(FailureHandling.canRetry)"))
                return FailureHandling.canRetry ? .retry : .handled
            }
            _ = await run(publisher.subscribe(on: Hop()).handleFailures { handler })
            _ = await run(
                Just(1).setFailureType(to: BackstopCore.Failure.self).delay(for: .zero, scheduler: Hop())
                    .flatMap { _ in publisher }.handleFailures { handler })
            #expect(seen(rig) == ["Dune: key 1", "Dune: key 2"])
            #expect(canRetry.entries.map(\.message) == ["false", "false"])
            // A GET is repeated all the same.
            let books = Rig(.status(503), .json(200, Book.json))
            let recorder = await run(
                try books.client().publisher(for: BookEndpoint()).subscribe(on: Hop()).handleFailures { handler })
            #expect(recorder.values == [.dune])
        }

        @Test("say why they were not repeated where a scheduler stands between call and retry")
        func hopOfRetry() async throws {
            let rig = Rig(.status(503).repeated())
            let recorder = await run(
                try rig.client().publisher(for: Fresh("Dune")).subscribe(on: Hop()).retry(.standard))
            #expect(seen(rig) == ["Dune: key 1"])
            #expect(recorder.failure?.stopReason.code == "idempotencyKeyChanged")
        }
    }
#endif
