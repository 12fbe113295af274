import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The recipe for pagination", .limited)
struct PaginationTests {
    private func client(_ transport: ScriptedTransport) throws -> Client {
        try Client.standard(
            baseURL: "https://api.example.com/v1", transport: transport, retry: .never, logging: nil
        ).withOptions { $0.clock = RecordingClock() }
    }

    private func page(_ id: Int, next: String?) -> String {
        let next = next.map { #","next":"\#($0)""# } ?? ""
        return #"{"items":[{"id":\#(id),"title":"A"}]\#(next)}"#
    }

    @Test("the pages come in order, until one has no next") func allPages() async throws {
        let transport = ScriptedTransport(
            .json(200, page(1, next: "b")), .json(200, page(2, next: "c")), .json(200, page(3, next: nil)))
        var ids: [[Int]] = []

        for try await articles in ArticlePages(client: try client(transport)) {
            ids.append(articles.map(\.id))
        }

        #expect(ids == [[1], [2], [3]])
        let queries = transport.requests.map { $0.url.query }
        #expect(queries == ["limit=50", "limit=50&cursor=b", "limit=50&cursor=c"])
    }

    @Test("a page is asked for only when it is wanted") func lazy() async throws {
        let transport = ScriptedTransport(.json(200, page(1, next: "b")))

        for try await _ in ArticlePages(client: try client(transport)) {
            break
        }

        #expect(transport.requests.count == 1)
    }

    @Test("a server that gives the same cursor again does not keep the app busy forever") func sameCursor() async throws
    {
        let transport = ScriptedTransport(.json(200, page(1, next: "b")).repeated())
        var count = 0

        for try await _ in ArticlePages(client: try client(transport)) {
            count += 1
        }

        #expect(count == 2)
    }

    @Test("nor does one with ever new cursors") func endless() async throws {
        let page = page
        let transport = ScriptedTransport(
            .respond { _, context in
                HTTP.Response(status: 200, body: .init(page(1, "\(context.id)").utf8))
            }.repeated())
        var count = 0

        for try await _ in ArticlePages(client: try client(transport), maximumPages: 5) {
            count += 1
        }

        #expect(count == 5)
    }

    @Test("a page that failed can be asked for again") func failedPage() async throws {
        let transport = ScriptedTransport(
            .json(200, page(1, next: "b")), .status(503), .json(200, page(2, next: nil)))
        let pages = ArticlePages(client: try client(transport)).makeAsyncIterator()
        var iterator = pages
        #expect(try await iterator.next()?.map(\.id) == [1])

        let failure = await #expect(throws: Failure.self) { _ = try await iterator.next() }

        #expect(failure?.code == "status.503")
        #expect(try await iterator.next()?.map(\.id) == [2])
        #expect(try await iterator.next() == nil)
    }
}
