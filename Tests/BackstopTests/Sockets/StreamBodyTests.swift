#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    /// A sequence that gives some pieces, and then does what it is told.
    private struct Producer: AsyncSequence, Sendable {
        enum Ending: Sendable {
            /// Waits for a chunk that never comes, until ``gate`` is open.
            case silence
            /// Goes on without end.
            case flood
        }

        /// Opened to let a silent sequence end.
        let gate = Gate()
        /// Opens when nobody reads the sequence any more.
        let released = Gate()
        /// How many chunks were asked for.
        let count = Counter()
        var first: [String] = []
        var ending = Ending.silence

        func makeAsyncIterator() -> Iterator {
            Iterator(self)
        }

        final class Iterator: AsyncIteratorProtocol {
            private let producer: Producer

            init(_ producer: Producer) {
                self.producer = producer
            }

            deinit {
                producer.released.open()
            }

            func next() async throws -> Data? {
                let number = producer.count.increment()
                if number <= producer.first.count {
                    return Data(producer.first[number - 1].utf8)
                }
                switch producer.ending {
                case .silence:
                    try await producer.gate.passUnlessCancelled()
                    return nil
                case .flood:
                    return Data(count: 65_536)
                }
            }
        }
    }

    @Suite("A body from an async sequence", .sockets)
    struct StreamBodyTests {
        static let lengths: [Int64?] = [nil, 1 << 40]

        @Test("goes out as it is produced", arguments: lengths)
        func incremental(length: Int64?) async throws {
            let sink = try ByteSink.start()
            let producer = Producer(first: ["one;", "", "two;"])
            let call = try put(.stream(length: length) { producer }, to: sink.origin)
            await sink.wait(for: "one;")
            await sink.wait(for: "two;")
            call.cancel()
            #expect(await call.value == "cancelled")
        }

        enum Moment: CaseIterable, Sendable {
            case beforeTheFirstChunk, betweenTwoChunks, inFullFlow
        }

        @Test(
            "is broken off when the call is cancelled, its task too, and no server has it whole",
            arguments: Moment.allCases, lengths)
        func cancelled(moment: Moment, length: Int64?) async throws {
            let sink = try ByteSink.start()
            let producer =
                switch moment {
                case .beforeTheFirstChunk: Producer()
                case .betweenTwoChunks: Producer(first: ["one;"])
                case .inFullFlow: Producer(first: ["one;"], ending: .flood)
                }
            let call = try put(.stream(length: length) { producer }, to: sink.origin)
            await sink.wait(for: moment == .beforeTheFirstChunk ? "\r\n\r\n" : "one;")
            call.cancel()
            #expect(await call.value == "cancelled")
            await producer.released.pass()
            await sink.waitForClosed(1)
            #expect(sink.connections.allSatisfy { !$0.hasLastChunk })
        }

        @Test("is broken off at the limit of an attempt that it keeps waiting", arguments: [0, 1], lengths)
        func timeout(chunks: Int, length: Int64?) async throws {
            let sink = try ByteSink.start()
            let producer = Producer(first: Array(repeating: "one;", count: chunks))
            let call = try put(
                .stream(length: length) { producer }, to: sink.origin, attemptTimeout: .milliseconds(300))
            #expect(await call.value == "timeout.attempt")
            await producer.released.pass()
            await sink.waitForClosed(sink.connections.count)
            #expect(sink.connections.allSatisfy { !$0.hasLastChunk })
        }

        @Test("is broken off where its sequence throws, with the error, and no server has it whole", arguments: lengths)
        func throwing(length: Int64?) async throws {
            struct Broken: Error {}
            let sink = try ByteSink.start()
            let body = HTTP.Body.stream(length: length) {
                FailingPieces(Data("one;".utf8), then: Broken())
            }
            #expect(await (try put(body, to: sink.origin)).value == "request.bodyUnreadable Broken")
            await sink.waitForClosed(1)
            #expect(sink.connections.allSatisfy { !$0.hasLastChunk })
        }

        @Test("that ends because its task is cancelled is not taken for complete")
        func endedByCancellation() async throws {
            let sink = try ByteSink.start()
            // Ends with nil when its task is cancelled.
            let (stream, source) = AsyncStream<Data>.makeStream()
            source.yield(Data("one;".utf8))
            let call = try put(.stream(once: stream), to: sink.origin)
            await sink.wait(for: "one;")
            call.cancel()
            #expect(await call.value == "cancelled")
            await sink.waitForClosed(1)
            #expect(sink.connections.allSatisfy { !$0.hasLastChunk })
        }

        @Test("is not read further than the network takes it", arguments: lengths)
        func backPressure(length: Int64?) async throws {
            let port = try ClosedPort.deaf()
            let producer = Producer(ending: .flood)
            let call = try put(.stream(length: length) { producer }, to: port.origin)
            // Until nothing is read for 0.4 s, which is enough for hundreds of chunks.
            var (count, still) = (0, 0)
            while still < 40, count <= 400 {
                try await Task.sleep(for: .milliseconds(10))
                let now = producer.count.value
                still = now > 0 && now == count ? still + 1 : 0
                count = now
            }
            // What fits into the buffers of the sockets, a few megabytes.
            #expect(count <= 400)
            call.cancel()
            #expect(await call.value == "cancelled")
            await producer.released.pass()
            withExtendedLifetime(port) {}
        }

        @Test("that never ends is stopped at its announced length")
        func endless() async throws {
            let sink = try ByteSink.start()
            let producer = Producer(ending: .flood)
            let call = try put(.stream(length: 1_000_000) { producer }, to: sink.origin)
            #expect(await call.value == "request.bodyLength")
            await sink.waitForClosed(1)
            #expect(producer.count.value < 20)
        }

        @Test("arrives whole where its chunks are huge, tiny or empty")
        func sizes() async throws {
            let data = sampleBytes(1_000_000)
            let cuts = [0, 0, 1, 2, 2, 65_538, 131_075, 999_999, 1_000_000, 1_000_000]
            let parts = zip(cuts, cuts.dropFirst()).map { data[$0..<$1] }
            for length in [nil, 1_000_000] as [Int64?] {
                try await withServer { server in
                    let body = HTTP.Body.stream(length: length) {
                        AsyncStream<Data> { source in
                            parts.forEach { source.yield($0) }
                            source.finish()
                        }
                    }
                    _ = try await server.client().send(WholeResponse(method: .put, target: "/no-content", body: body))
                    #expect(try await server.onlyRequest(to: "/no-content").body == data)
                }
            }
        }

        @Test("arrives whole, of 30 at once whose chunks come late, and a third of which are cancelled")
        func manyAtOnce() async throws {
            try await withServer { server in
                let client = try server.client(transport: try URLSessionTransport(connectionsPerHost: 40))
                let calls = (0..<30).map { number in
                    Task {
                        await client.perform(
                            WholeResponse(method: .put, target: "/no-content", body: .stream { Self.late(number) }))
                    }
                }
                for call in calls[..<10] {
                    call.cancel()
                }
                // Those that were faster have succeeded.
                var cancelled = 0
                for call in calls[..<10] where await call.value.value == nil {
                    cancelled += 1
                }
                for call in calls[10...] {
                    #expect(await call.value.value?.status == 204)
                }
                let bodies = await server.requests(to: "/no-content").map { String(decoding: $0.body, as: UTF8.self) }
                #expect(Set(bodies).isSuperset(of: (10..<30).map(Self.text)))
                #expect(Set(bodies).isSubset(of: (0..<30).map(Self.text)))
                #expect(Set(bodies).count == bodies.count)
                #expect(bodies.count >= 30 - cancelled)
            }
        }

        @Test("holds up another call until its next chunk comes, at most")
        func otherCall() async throws {
            try await withServer { server in
                let sink = try ByteSink.start()
                let producer = Producer(first: ["one;"])
                let stream = try put(.stream { producer }, to: sink.origin)
                await sink.wait(for: "one;")
                let client = try server.client()
                let other = Task { try await client.get("/books").status }
                // On Linux, `URLSession` waits for the chunk, and does nothing else.
                producer.gate.open()
                #expect(try await other.value == 200)
                stream.cancel()
                #expect(await stream.value == "cancelled")
            }
        }

        @Test("that exists once is not sent by a second call")
        func secondCall() async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let body = HTTP.Body.stream(once: pieces(of: sampleBytes(10)))
                let call = WholeResponse(method: .put, target: "/no-content", body: body)
                _ = try await client.send(call)
                let failure = try await failed { try await client.send(call) }
                #expect(failure.code == "request.bodyUnreadable")
                #expect(failure.attempts.count == 1)
                #expect(server.requestCount(of: "/no-content") == 1)
            }
        }

        @Test("is made anew for each attempt")
        func remade() async throws {
            try await withServer { server in
                let made = Counter()
                let body = HTTP.Body.stream { pieces(of: Data("attempt \(made.increment())".utf8)) }
                let client = try server.client(retry: .quick())
                _ = try await client.send(WholeResponse(method: .put, target: "/flaky/503?times=2&id=a", body: body))
                let sent = await server.requests(to: "/flaky/503").map { String(decoding: $0.body, as: UTF8.self) }
                #expect(sent == ["attempt 1", "attempt 2", "attempt 3"])
            }
        }

        @Test("is no longer read when the server answers before its end")
        func earlyResponse() async throws {
            let server = try RawServer.start(sending: "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
            let producer = Producer(ending: .flood)
            let code = await (try put(.stream { producer }, to: server.origin)).value
            #expect(code == "status.413" || code == "transport.lost")
            await producer.released.pass()
        }

        /// The text of a body, in chunks that come one by one.
        private static func late(_ number: Int) -> AsyncStream<Data> {
            AsyncStream { source in
                Task {
                    for byte in text(number).utf8 {
                        await Task.yield()
                        source.yield(Data([byte]))
                    }
                    source.finish()
                }
            }
        }

        private static func text(_ number: Int) -> String {
            "the body of call \(number)"
        }

        /// Sends a body; gives the code of the failure, and the type of its error behind a code for unreadable bodies.
        private func put(
            _ body: HTTP.Body, to origin: String, attemptTimeout: Duration = .seconds(3600)
        ) throws -> Task<String, Never> {
            let client = try Client.standard(
                baseURL: origin, retry: .never, attemptTimeout: attemptTimeout, logging: nil, handling: .silent)
            return Task {
                do throws(Failure) {
                    return "\(try await client.put("/", body: body).status)"
                } catch {
                    guard case .request(let request) = error.reason, let underlying = request.underlying else {
                        return "\(error.code)"
                    }
                    return "\(error.code) \(type(of: underlying))"
                }
            }
        }
    }
#endif
