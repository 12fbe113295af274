import Backstop

nonisolated struct Article: Decodable, Sendable, Hashable {
    var id: Int
    var title: String
}

/// Requests one page; the server sends {"items": [...], "next": "cursor"}, without "next" on the last page.
struct ArticlePage: JSONEndpoint {
    struct Content: Decodable, Sendable {
        var items: [Article]
        var next: String?
    }

    var cursor: String?

    func makeRequest() throws -> HTTP.Request {
        try HTTP.Request(.get, "articles", query: ["limit": 50, "cursor": cursor])
    }
}

/// All pages, each requested on demand: `for try await articles in ArticlePages(client: client)`.
nonisolated struct ArticlePages: AsyncSequence, Sendable {
    let client: Client
    /// Guards against a server that never stops sending "next".
    var maximumPages = 1000

    nonisolated struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let client: Client
        fileprivate var pagesLeft: Int
        private var page: ArticlePage? = ArticlePage()

        fileprivate init(client: Client, pagesLeft: Int) {
            self.client = client
            self.pagesLeft = pagesLeft
        }

        mutating func next() async throws -> [Article]? {
            guard let asked = page, pagesLeft > 0 else { return nil }
            let content = try await client.send(asked)  // after a failure, the page can be requested again
            pagesLeft -= 1
            // The same cursor again would give the same page again.
            page = content.next.flatMap { $0 == asked.cursor ? nil : ArticlePage(cursor: $0) }
            return content.items
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(client: client, pagesLeft: maximumPages)
    }
}
