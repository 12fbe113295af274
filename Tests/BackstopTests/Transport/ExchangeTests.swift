import Foundation
import Testing

@testable import Backstop

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("An exchange")
struct ExchangeTests {
    @Test("goes on up to the limit, and stops with the first byte beyond it")
    func limit() throws {
        let exchange = exchange(limit: 4)
        #expect(exchange.receive(try head()))
        #expect(exchange.receive(Data("abcd".utf8)))
        #expect(!exchange.receive(Data("e".utf8)))
        #expect(exchange.partialResponse?.body == Data("abcd".utf8))
        #expect(exchange.progress.bytesReceived == 5)
    }

    @Test("stops at the head of a response that announces too much")
    func announced() throws {
        #expect(!exchange(limit: 4).receive(try head(["Content-Length": "5"])))
        #expect(exchange(limit: 4).receive(try head(["Content-Length": "4"])))
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
        #expect(exchange.partialResponse == nil)
        #expect(exchange.progress.phase == .waiting)
        #expect(exchange.receive(try head()))
        #expect(exchange.partialResponse?.status == 200)
        #expect(exchange.progress.phase == .receiving)
    }

    @Test("takes a change of protocols for what it is, a response")
    func switchingProtocols() throws {
        let exchange = exchange(limit: 4)
        #expect(exchange.receive(try head(status: 101)))
        #expect(exchange.partialResponse?.status == 101)
    }

    @Test("has no response before one began")
    func noResponse() {
        #expect(exchange(limit: 4).partialResponse == nil)
    }

    @Test("bounds the response that a failure shows")
    func partialIsBounded() throws {
        let exchange = exchange(limit: 1 << 20)
        #expect(exchange.receive(try head()))
        #expect(exchange.receive(Data(repeating: 0, count: 100_000)))
        #expect(exchange.partialResponse?.body.count == 65_536)
        #expect(exchange.partialResponse?.bodySize == 100_000)
    }

    @Test("asks for nothing more after it was cancelled")
    func cancelled() throws {
        let exchange = exchange(limit: 4)
        exchange.end(with: CancellationError())
        exchange.end(with: CancellationError())
        #expect(!exchange.receive(try head()))
        exchange.complete(nil, error: nil)
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
