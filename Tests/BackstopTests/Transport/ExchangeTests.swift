import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import Backstop

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("An exchange", .limited)
struct ExchangeTests {
    @Test("goes on up to the limit, and stops with the first byte beyond it")
    func limit() throws {
        let exchange = exchange(limit: 4)
        #expect(exchange.receive(try head()))
        #expect(exchange.receive(Data("abcd".utf8)))
        #expect(!exchange.receive(Data("e".utf8)))
        #expect(partialResponse(of: exchange)?.body == Data("abcd".utf8))
        #expect(exchange.progress.bytesReceived == 5)
    }

    @Test("stops at the head of a response that announces too much")
    func announced() throws {
        #expect(!exchange(limit: 4).receive(try head(["Content-Length": "5"])))
        #expect(exchange(limit: 4).receive(try head(["Content-Length": "4"])))
    }

    @Test("goes by the chunks of a body that has a length as well")
    func announcedBesideChunks() throws {
        let exchange = exchange(limit: 4)
        #expect(exchange.receive(try head(["Content-Length": "5", "Transfer-Encoding": "chunked"])))
        #expect(exchange.progress.announcedLength == nil)
    }

    @Test("takes no offence at the length in the head of a HEAD or a 304")
    func announcedWithoutBody() throws {
        let exchange = Exchange(responseLimit: 4, hasContent: false, isHead: true, returnsRedirects: false)
        #expect(exchange.receive(try head(["Content-Length": "5"])))
        #expect(self.exchange(limit: 4).receive(try head(["Content-Length": "5"], status: 304)))
    }

    @Test("takes no interim response for the real one, but for a sign that the server has the request")
    func interim() throws {
        let exchange = exchange(limit: 4)
        #expect(exchange.progress.phase == .unknown)
        #expect(exchange.receive(try head(status: 103)))
        #expect(partialResponse(of: exchange) == nil)
        #expect(exchange.progress.phase == .waiting)
        #expect(exchange.receive(try head()))
        #expect(partialResponse(of: exchange)?.status == 200)
        #expect(exchange.progress.phase == .receiving)
    }

    @Test("takes a change of protocols for what it is, a response")
    func switchingProtocols() throws {
        let exchange = exchange(limit: 4)
        #expect(exchange.receive(try head(status: 101)))
        #expect(partialResponse(of: exchange)?.status == 101)
    }

    @Test("has no response before one began")
    func noResponse() {
        #expect(partialResponse(of: exchange(limit: 4)) == nil)
    }

    @Test("bounds the response that a failure shows")
    func partialIsBounded() throws {
        let exchange = exchange(limit: 1 << 20)
        #expect(exchange.receive(try head()))
        #expect(exchange.receive(Data(repeating: 0, count: 100_000)))
        #expect(partialResponse(of: exchange)?.body.count == 65_536)
        #expect(partialResponse(of: exchange)?.bodySize == 100_000)
    }

    @Test("asks for nothing more after it was cancelled")
    func cancelled() throws {
        let exchange = exchange(limit: 4)
        exchange.end(with: CancellationError())
        exchange.end(with: CancellationError())
        #expect(!exchange.receive(try head()))
        exchange.complete(nil, error: nil)
    }

    @Test("tells of what had happened by its end, whatever comes after", arguments: [false, true])
    func frozen(hasBegun: Bool) throws {
        // given
        let exchange = Exchange(responseLimit: 100, hasContent: true, isHead: false, returnsRedirects: false)
        if hasBegun {
            #expect(exchange.receive(try head(["X-Which": "first"])))
            #expect(exchange.receive(Data("abc".utf8)))
        }
        exchange.end(with: TimeoutError(.attempt))
        // when
        #expect(!exchange.receive(try head(["X-Which": "second"], status: 503)))
        #expect(!exchange.receive(try head(status: 103)))
        _ = exchange.receive(Data("def".utf8))
        _ = exchange.redirect(try head(status: 302))
        exchange.didSend(5, of: 10)
        exchange.contentEvents.ended(5)
        exchange.complete(try head(status: 500), error: nil)
        // then
        #expect(exchange.transferProgress.phase == (hasBegun ? .receiving : .connecting))
        #expect(exchange.transferProgress.bytesReceived == (hasBegun ? 3 : nil))
        let response = exchange.transferProgress.response as? HTTP.Response
        #expect(response?.status == (hasBegun ? 200 : nil))
        #expect(response?.headers["X-Which"] == (hasBegun ? "first" : nil))
        #expect(response?.body == (hasBegun ? Data("abc".utf8) : nil))
    }

    @Test("that gives redirects as they are tells nothing of one that comes after its end")
    func frozenBeforeRedirect() throws {
        let exchange = Exchange(responseLimit: 100, hasContent: false, isHead: false, returnsRedirects: true)
        exchange.end(with: TimeoutError(.attempt))
        _ = exchange.redirect(try head(status: 302))
        #expect(exchange.transferProgress.response == nil)
    }

    @Test(
        "does not say that nothing was sent of a body that is not counted yet, unless the error does",
        arguments: [
            ("Recv failure: Connection reset by peer", .sending),
            ("OpenSSL SSL_read: SSL_ERROR_SYSCALL, errno 104", .sending),
            ("OpenSSL SSL_connect: Connection reset by peer in connection to a:443", .connecting),
        ] as [(String, TransportError.Phase)])
    func lost(text: String, phase: TransportError.Phase) throws {
        // given
        let exchange = Exchange(responseLimit: 100, hasContent: true, isHead: false, returnsRedirects: false)
        let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
        // when
        let mapped = exchange.mapped(error, timeout: .seconds(1))
        // then
        let own = try #require(mapped as? TransportError)
        #expect((own.phase == .unknown ? exchange.transferProgress.phase : own.phase) == phase)
    }

    @Test("takes no answer of a proxy that makes no tunnel for one of the server")
    func tunnel() throws {
        // given
        let exchange = Exchange(responseLimit: 100, hasContent: true, isHead: false, returnsRedirects: false)
        #expect(exchange.receive(try head(["Content-Length": "6"], status: 502)))
        let text = "CONNECT tunnel failed, response 502"
        let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
        // when
        exchange.complete(nil, error: error)
        // then
        #expect(exchange.transferProgress.response == nil)
        #expect(exchange.transferProgress.phase == .connecting)
        let own = try #require(exchange.mapped(error, timeout: .seconds(1)) as? TransportError)
        #expect(own.code == .unreachable && own.phase == .connecting && own.bytesReceived == nil)
        #expect(Failure(own).nextStep?.hasPrefix("Check the transport's proxy setting") == true)
    }

    @Test("opens no body once it is over", arguments: [false, true])
    func noBodyAfterEnd(isOver: Bool) throws {
        // given
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("abc".utf8).write(to: file)
        defer {
            try? FileManager.default.removeItem(at: file)
        }
        let request = try HTTP.Request(.post, "https://a.example/", body: .file(file))
        let outgoing = try OutgoingRequest(request, timeout: 1)
        let exchange = Exchange(responseLimit: 4, hasContent: true, isHead: false, returnsRedirects: false)
        exchange.state.withLock { $0.outgoing = outgoing }
        if isOver {
            exchange.end(with: CancellationError())
        }
        // then
        #expect((exchange.newBodyStream() == nil) == isOver)
    }

    @Test("gives its place back once when it waits for connectivity, says so, and its time stands still")
    func connectivity() async {
        // given
        let clock = ManualClock()
        await clock.advance(by: .seconds(7))
        let notes = Lock<[String]>([])
        let exchange = Exchange(
            responseLimit: 4, hasContent: false, isHead: false, returnsRedirects: false, clock: clock
        ) { name, text in
            notes.withLock { $0.append("\(name): \(text)") }
        }
        // when
        #expect(exchange.waitForConnectivity())
        await clock.advance(by: .seconds(60))
        // then
        #expect(!exchange.waitForConnectivity())
        #expect(!exchange.leavePlace())
        #expect(exchange.waitsSince == .seconds(7))
        #expect(!exchange.state.isOver)
        #expect(notes.withLock { $0.first } == "connectivity: waiting for connectivity")
        exchange.measured(hasBegun: false, "h2")
        #expect(notes.withLock { $0.last } == "network: h2")
        #expect(exchange.progress.phase == .connecting)
        exchange.end(with: CancellationError())
        #expect(exchange.state.withLock { $0.note == nil })
    }

    @Test("waits for nothing after its end, and learns nothing more of its progress")
    func nothingAfterEnd() {
        let exchange = exchange(limit: 4)
        exchange.end(with: TimeoutError(.attempt))
        #expect(exchange.waitForConnectivity())
        #expect(exchange.waitsSince == nil)
        exchange.measured(hasBegun: true, "h2")
        #expect(exchange.progress.hasBegun == nil)
    }

    @Test("lets 64 KiB more come after its end, to keep the connection, and no more")
    func drained() throws {
        let exchange = exchange(limit: 1 << 20)
        #expect(exchange.receive(try head()))
        #expect(exchange.receive(Data(count: 100_000)))
        exchange.end(with: CancellationError())
        #expect(exchange.receive(Data(count: 65_536)))
        #expect(!exchange.receive(Data(count: 1)))
    }

    private func partialResponse(of exchange: Exchange) -> HTTP.Response? {
        exchange.transferProgress.response as? HTTP.Response
    }

    private func exchange(limit: Int) -> Exchange {
        Exchange(responseLimit: limit, hasContent: false, isHead: false, returnsRedirects: false)
    }

    private func head(_ headers: [String: String] = [:], status: Int = 200) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "https://a.example/"))
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers))
    }
}
