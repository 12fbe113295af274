import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A client's send", .limited)
struct SendTests {
    private struct Answering<Content: Sendable>: Endpoint {
        var name: String { "answering" }
        let read: @Sendable (HTTP.Response) throws -> Content
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books/1") }
        func content(from response: HTTP.Response) throws -> Content { try read(response) }
    }

    private struct MaybeNumber: JSONEndpoint {
        typealias Content = Int?
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "count") }
    }

    private struct Ping: EmptyEndpoint {
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "ping") }
    }

    @Test("gives the content")
    func content() async throws {
        // given
        let rig = Rig(.json(200, Book.json))
        // when
        let book = try await rig.standard().send(BookEndpoint())
        // then
        #expect(book == .dune)
        #expect(rig.urls == ["https://api.example.com/v1/books/1"])
        #expect(rig.observer.failures.isEmpty)
    }

    @Test("throws nothing but failures, so that a switch over the reason is complete")
    func typed() async throws {
        // given
        let client = try Rig(.status(404)).standard()
        // when
        var kind = ""
        do throws(Failure) {
            _ = try await client.send(BookEndpoint())
        } catch {
            switch error.reason {
            case .status(let status): kind = "status \(status.code)"
            case .cancelled, .request, .transport, .timeout, .service, .decoding, .rejected, .storage, .other:
                kind = "other"
            }
        }
        // then
        #expect(kind == "status 404")
    }

    @Test("tells the observers of the response as the chain returned it")
    func observedResponse() async throws {
        // given
        let rig = Rig(.json(200, Book.json))
        let client = try rig.client {
            ClosureInterceptor { request, context, next in
                var response = try await next(request)
                response.headers["X-Changed"] = "yes"
                return response
            }
        }
        // when
        _ = try await client.send(BookEndpoint())
        // then
        let response = try #require(rig.observer.calls.first?.response as? HTTP.Response)
        #expect(response.headers["X-Changed"] == "yes")
    }

    @Test("says of a failure outside retry that retry never saw it, and of a request that retrying would not fix it")
    func stopReasons() async throws {
        // given
        let rejecting = ClosureInterceptor { _, _, _ in throw RejectionError(.limit, "Full.") }
        let standard = try Rig().standard()
        let plain = try Rig().client { rejecting }
        // when
        let outside = await #expect(throws: Failure.self) {
            try await standard.withChain { $0.prepending(rejecting) }.send(Ping())
        }
        let request = await #expect(throws: Failure.self) { try await standard.get("../x") }
        let alone = await #expect(throws: Failure.self) { try await plain.send(Ping()) }
        // then
        #expect(outside?.stopReason == .outsideRetry)
        #expect(request?.stopReason == .notRetryable)
        #expect(alone?.stopReason == .noRetry)
    }

    @Test("tells the observers of a failure once, and asks no handler")
    func observed() async throws {
        // given
        let rig = Rig(.status(404))
        let client = try rig.standard().scoped("shop") { Otherwise { _ in Issue.record("No handler runs for send.") } }
        // when
        await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        // then
        #expect(rig.observer.failures.map(\.outcome) == [.thrown])
        #expect(rig.observer.failures.map(\.failure.code) == ["status.404"])
        #expect(rig.observer.calls.count == 1)
    }

    @Test("gives null as nil where the content is optional", arguments: [("null", nil), ("7", 7)] as [(String, Int?)])
    func optional(json: String, expected: Int?) async throws {
        // given
        let rig = Rig(.json(200, json), .json(200, json), .json(200, json))
        // then
        #expect(try await rig.standard().send(MaybeNumber()) == expected)
        #expect(try await rig.client().send(MaybeNumber()) == expected)
        #expect(try await rig.standard().get("count", as: Int?.self) == expected)
    }

    @Test("gives nothing where the endpoint has no content, whatever the body is", arguments: ["", "{}", "<html>"])
    func void(body: String) async throws {
        // given
        let rig = Rig(.status(204, body: body), .status(200, body: body))
        // then
        try await rig.standard().send(Ping())
        try await rig.client().send(Ping())
        try rig.transport.checkFinished()
    }

    @Test("fails with request.invalid when the endpoint throws an error of its own, and sends nothing")
    func makeRequestThrows() async throws {
        // given
        let rig = Rig()
        let client = try rig.standard()
        // when
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.send(RawEndpoint { throw OwnError(number: 7) }) })
        // then
        #expect(failure.code == "request.invalid")
        #expect(failure.explanation.contains("RawEndpoint.makeRequest threw: OwnError(number: 7)"))
        #expect(failure.error(as: RequestError.self)?.underlying as? OwnError == OwnError(number: 7))
        #expect(failure.report.contains("request:  nothing was sent"))
        #expect(rig.transport.requests.isEmpty)
    }

    private static let makeErrors: [(any Error & Sendable, String)] = [
        (RequestError(.invalidURL, "No."), "request.invalidURL"),
        (EncodingError.invalidValue(1, .init(codingPath: [], debugDescription: "No.")), "request.encoding"),
        (StatusError(404), "request.invalid"),
    ]

    @Test("keeps the code of what the endpoint throws while it makes the request", arguments: makeErrors)
    func makeRequestCodes(error: any Error & Sendable, code: String) async throws {
        let client = try Rig().standard()
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.send(RawEndpoint { throw error }) })
        #expect(failure.code == code)
    }

    private static let contentErrors: [(any Error & Sendable, String)] = [
        (DecodingError.valueNotFound(Int.self, .init(codingPath: [], debugDescription: "No.")), "decoding"),
        (DecodingFailure(OwnError(), decoding: Book.self, from: [UInt8](), contentType: nil), "decoding"),
        (OwnError(number: 3), "other"), (StatusError(418), "status.418"),
        (SignUpError(error: true, reason: "No."), "service.SignUpError"),
    ]

    @Test(
        "keeps the kind of what reading the content throws, inside the chain and at its edge", arguments: contentErrors)
    func contentCodes(error: any Error & Sendable, code: String) async throws {
        // given
        let rig = Rig(.json(200, "{}"), .json(200, "{}"))
        let endpoint = Answering<Int> { _ in throw error }
        for client in [try rig.standard(), try rig.client()] {
            // when
            let failure = try #require(await #expect(throws: Failure.self) { try await client.send(endpoint) })
            // then
            #expect(failure.code == code)
            #expect(failure.response?.status == 200)
            #expect(failure.attempts.count == 1)
        }
        try rig.transport.checkFinished()
    }

    @Test("explains a DecodingError of the endpoint's own by the body")
    func explained() async throws {
        // given
        let client = try Rig(.json(200, #"{"id":"one","title":"Dune"}"#)).standard()
        let endpoint = Answering { try JSONDecoder().decode(Book.self, from: $0.body) }
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(endpoint) })
        // then
        #expect(failure.explanation.contains("$.id should be"))
        #expect(failure.explanation.contains(#"string "one""#))
    }

    @Test("comes out as cancelled when the task is cancelled, whatever the transport made of it")
    func cancelled() async throws {
        // given
        let rig = Rig(.hang)
        let client = try rig.standard()
        let task = Task { try await client.send(BookEndpoint()) }
        await rig.transport.waitForRequests(1)
        // when
        task.cancel()
        // then
        let failure = try #require(await #expect(throws: Failure.self) { try await task.value })
        #expect(failure.code == "cancelled")
        #expect(failure.stopReason == .cancelled)
        #expect(rig.observer.failures.map(\.outcome) == [.cancelled])
    }

    @Test("names the call after its endpoint, or as the options say")
    func names() async throws {
        // given
        let rig = Rig(.json(200, Book.json), .json(200, "1"), .json(200, Book.json))
        let client = try rig.standard()
        // when
        _ = try await client.send(BookEndpoint())
        _ = try await client.send(Answering { _ in 1 })
        _ = try await client.withOptions { $0.name = "chosen" }.send(BookEndpoint())
        // then
        #expect(rig.observer.calls.map(\.name) == ["BookEndpoint", "answering", "chosen"])
        #expect(Set(rig.observer.calls.map(\.id)).count == 3)
    }

    @Test("tells of the request that it was made for, where nothing was sent")
    func unsent() async throws {
        // given
        let rig = Rig()
        let client = try rig.client { ClosureInterceptor { _, _, _ in throw RejectionError("limit", "Too many.") } }
        // when
        let failure = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        // then
        #expect(failure?.request?.url.absoluteString == "https://api.example.com/v1/books/1")
        #expect(failure?.requests.isEmpty == true)
    }

    @Test("has its content read once, by the chain where that decodes, and else at its edge", arguments: [true, false])
    func readOnce(decodes: Bool) async throws {
        // given
        let rig = Rig(.json(200, Book.json))
        let client = try rig.client {
            if decodes {
                Decoding()
            }
        }
        let reads = Counter()
        // when
        let count = try await client.send(Answering { response in reads.increment() + response.body.count })
        // then
        #expect(count == 1 + Book.json.utf8.count)
        #expect(reads.value == 1)
    }

    @Test("knows an error of the system that an interceptor throws")
    func systemError() async throws {
        // given
        let client = try Rig().client { ClosureInterceptor { _, _, _ in throw URLError(.notConnectedToInternet) } }
        // when
        let failure = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        // then
        #expect(failure?.code == "transport.offline")
    }

    @Test("shows the response that could not be read, as an interceptor had changed it")
    func changedResponse() async throws {
        // given
        let rig = Rig(.json(200, Book.json))
        let client = try rig.client {
            ClosureInterceptor { request, _, next in
                var response = try await next(request)
                response.body = Data("nothing".utf8)
                return response
            }
        }
        // when
        let failure = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        // then
        #expect(failure?.code == "decoding")
        #expect(failure?.response?.body == Data("nothing".utf8))
    }
}
