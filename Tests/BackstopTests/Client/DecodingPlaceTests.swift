import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Content is decoded", .limited)
struct DecodingPlaceTests {
    @Test("inside the chain, so that a logger outside sees the failure and retry does not try again")
    func inside() async throws {
        // given
        let rig = Rig(.json(200, #"{"id":1}"#))
        let recorder = ChainRecorder()
        let client = try rig.standard().withChain { recorder.recording($0) }
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) })
        // then
        #expect(failure.code == "decoding")
        #expect(failure.stopReason == .notRetryable)
        #expect(failure.attempts.map(\.result) == [.failed(code: "decoding")])
        #expect(
            recorder.lines.suffix(4)
                == ["decoding ! decoding", "retry ! decoding", "deadline ! decoding", "logging ! decoding"])
        #expect(rig.log.messages.count == 1)
        #expect(rig.log.messages.first?.contains("-> decoding in") == true)
    }

    @Test("anew, where an interceptor outside it has changed the body")
    func place() async throws {
        // given
        let rig = Rig(.json(200, #"{"id":2,"title":"Emma"}"#))
        let client = try rig.client {
            ClosureInterceptor { request, context, next in
                var response = try await next(request)
                response.body = Data(Book.json.utf8)
                return response
            }
            Decoding()
        }
        // then
        #expect(try await client.send(BookEndpoint()) == .dune)
    }

    @Test("at the edge of a chain that has no interceptor for it")
    func edge() async throws {
        // given
        let rig = Rig(.json(200, Book.json), .json(200, #"{"id":1}"#))
        let recorder = ChainRecorder()
        let client = try rig.client { Retry() }.withChain { recorder.recording($0) }
        // when
        let book = try await client.send(BookEndpoint())
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) })
        // then
        #expect(book == .dune)
        #expect(failure.code == "decoding")
        #expect(failure.response?.status == 200)
        #expect(recorder.lines.last == "retry < 200")
    }

    @Test("at the edge of a response that an interceptor outside gives in the place of a failure")
    func substitute() async throws {
        // given
        let rig = Rig(.status(503))
        let client = try rig.client {
            ClosureInterceptor(role: .custom("substitute")) { request, context, next in
                do {
                    return try await next(request)
                } catch is StatusError {
                    return HTTP.Response(status: 200, body: Data(Book.json.utf8))
                }
            }
            Decoding()
            StatusValidation()
        }
        // then
        #expect(try await client.send(BookEndpoint()) == .dune)
    }

    @Test("of the good attempt, after a bad one")
    func afterRetry() async throws {
        // given
        let rig = Rig(.json(503, #"{"id":9,"title":"Wrong"}"#), .json(200, Book.json))
        // then
        #expect(try await rig.standard().send(BookEndpoint()) == .dune)
        #expect(rig.observer.calls.first?.trace.attempts.map(\.result) == [.failed(code: "status.503"), .ok])
    }

    /// Decodes until the test lets it go.
    private struct Slow: Endpoint {
        let isHeld = DispatchSemaphore(value: 0)
        let entered: AsyncStream<Void>.Continuation

        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "a") }

        func content(from response: HTTP.Response) throws -> Int {
            entered.yield()
            isHeld.wait()
            return 1
        }
    }

    @Test("under the deadline outside, which does not wait for it, and not under the limit of the attempt")
    func deadline() async throws {
        // given
        let clock = ManualClock()
        let (entries, entered) = AsyncStream.makeStream(of: Void.self)
        let endpoint = Slow(entered: entered)
        let client = try Rig(.json(200, "1")).client {
            Deadline(.seconds(30))
            Decoding()
            AttemptTimeout(.seconds(10))
        }.withOptions { $0.clock = clock }
        let call = Task { await client.perform(endpoint) {} }
        for await _ in entries { break }
        // when
        await clock.advance(by: .seconds(10))
        await clock.advance(by: .seconds(20))
        let failure = await call.value.failure
        // then
        #expect(failure?.code == "timeout.deadline")
        endpoint.isHeld.signal()
    }
}
