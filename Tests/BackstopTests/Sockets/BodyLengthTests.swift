#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    /// A server that takes a part of a body for the whole does with it what nobody asked for.
    @Suite("A body of another length than was announced", .sockets)
    struct BodyLengthTests {
        static let announced = 200_000

        @Test("fails at once with both numbers, and no server has it", arguments: [-199_999, -1, 1, 100_000])
        func stream(difference: Int) async throws {
            let size = Self.announced + difference
            let body = HTTP.Body.stream(length: Int64(Self.announced)) { pieces(of: sampleBytes(size)) }
            try await expectFailure(
                body, difference < 0 ? "ended after \(size) of the 200000" : "after the 200000 announced bytes")
        }

        @Test("fails where something comes although nothing was announced")
        func nothing() async throws {
            let body = HTTP.Body.stream(length: 0) { pieces(of: sampleBytes(1)) }
            try await expectFailure(body, "after the 0 announced bytes")
        }

        @Test("fails where a stream breaks off, with its error")
        func broken() async throws {
            struct Broken: Error {}
            let body = HTTP.Body.stream { FailingPieces(sampleBytes(100_000), then: Broken()) }
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let call = WholeResponse(method: .put, target: "/no-content", body: body)
                let failure = try await failed { try await client.send(call) }
                #expect(failure.code == "request.bodyUnreadable")
                #expect(failure.error(as: Broken.self) != nil)
                #expect(server.requestCount(of: "/no-content") == 0)
            }
        }

        @Test("is the caller's fault after a redirect as well")
        func redirected() async throws {
            try await withServer { server in
                let opened = Lock(0)
                let body = HTTP.Body.stream(length: 10) {
                    let count = opened.withLock { opened in
                        opened += 1
                        return opened
                    }
                    return pieces(of: sampleBytes(count == 1 ? 10 : 5))
                }
                let target = "/redirect?to=/no-content&status=307"
                let call = WholeResponse(method: .put, target: target, body: body)
                let failure = try await failed { try await server.client(retry: .quick()).send(call) }
                #expect(failure.code == "request.bodyLength")
                #expect(failure.sentRequests.count == 2)
            }
        }

        private func expectFailure(_ body: HTTP.Body, _ words: String) async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let call = WholeResponse(method: .put, target: "/no-content", body: body)
                let failure = try await failed { try await client.send(call) }
                #expect(failure.code == "request.bodyLength")
                #expect(failure.attempts.count == 1)
                #expect(failure.report.contains(words), "\(failure.report)")
                // The connection that was broken off carries nothing more.
                _ = try await client.get("/books")
                #expect(server.requestCount(of: "/no-content") == 0)
            }
        }
    }
#endif
