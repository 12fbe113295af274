import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A form", .limited)
struct FormTests {
    private static let type = "application/x-www-form-urlencoded"

    private static func text(_ body: HTTP.Body) -> String? {
        body.data.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "is written as browsers do (WHATWG URL, 5.2)",
        arguments: [
            ([:], ""), (["a": "1", "b": 2, "a": true], "a=1&b=2&a=true"), (["a b": "c d"], "a+b=c+d"),
            (["a": "1&2=3+4%20"], "a=1%262%3D3%2B4%2520"), (["a": "*-._~!'()"], "a=*-._%7E%21%27%28%29"),
            (["å": "€😀"], "%C3%A5=%E2%82%AC%F0%9F%98%80"), (["a": "\r\n\0"], "a=%0D%0A%00"),
            (["a\nb": "\n\r\r\n\n\u{301}\u{2028}"], "a%0D%0Ab=%0D%0A%0D%0A%0D%0A%0D%0A%CC%81%E2%80%A8"),
            (["all": HTTP.Query.nameOnly, "none": String?.none, "list": ["x", "y"]], "all=&list=x&list=y"),
            (["": ""], "="),
        ] as [(HTTP.Query, String)])
    func text(fields: HTTP.Query, expected: String) {
        #expect(Self.text(.form(fields)) == expected)
        #expect(HTTP.Body.form(fields).isReplayable)
    }

    @Test("says in the request what it is, unless the headers say something else")
    func contentType() throws {
        let form = HTTP.Body.form(["a": 1])
        var request = try HTTP.Request(.post, "x", body: form)
        #expect(request.headers[.contentType] == Self.type)
        let own = "\(Self.type); charset=utf-8"
        #expect(try HTTP.Request(.post, "x", headers: [.contentType: own], body: form).headers[.contentType] == own)
        request = try .json(.post, "x", ["a": 1])
        request.body = form
        #expect(request.headers[.contentType] == Self.type)
        request.body = .text("a=1")
        #expect(request.headers[.contentType] == nil)
        #expect(try HTTP.Request(.post, "x", body: .text("a=1")).headers[.contentType] == nil)
    }

    @Test("goes out by each one-liner that has a body, and the answer is decoded if asked for")
    func oneLiners() async throws {
        let rig = Rig(.json(200, Book.json).repeated(10))
        let client = try rig.standard()
        let form: HTTP.Query = ["title": "Dune Messiah"]
        var books: [Book] = []

        books.append(try await client.post("books", form: form, query: ["q": 1], headers: ["X-A": "1"]))
        books.append(try await client.put("books", form: form, as: Book.self))
        books.append(try await client.patch("books", form: form))
        books.append(try await client.send(HTTP.Call(.delete, "books", form: form, as: Book.self)))
        books.append(try await client.send(.post("books", form: form, as: Book.self)))
        _ = try await client.post("books", form: form).status
        try await client.put("books", form: form)
        try await client.patch("books", form: ["title": "Dune Messiah"])
        _ = try await client.send(HTTP.Call(.post, "books", form: form))
        await client.perform(.post("books", form: form, as: Book.self), onSuccess: { _ in }).value

        #expect(books == Array(repeating: .dune, count: 5))
        for (index, request) in rig.transport.requests.enumerated() {
            #expect(Self.text(request.body) == "title=Dune+Messiah")
            #expect(request.headers[.contentType] == Self.type)
            #expect(request.headers[.accept] == (index < 5 || index == 9 ? "application/json" : nil))
        }
        #expect(rig.transport.requests.first?.url.query == "q=1")
        #expect(rig.transport.requests.first?.headers["X-A"] == "1")
        try rig.transport.checkFinished()
    }

    @Test("shows nothing of a secret field") func hidden() throws {
        let request = try HTTP.Request(.post, "token", body: .form(["refresh_token": "hunter2", "scope": "read"]))
        #expect(request.details(.standard).joined().contains("scope=read"))
        #expect(!request.details(.standard).joined().contains("hunter2"))
    }

    @Test("JSON goes out by a call of any method") func json() async throws {
        let rig = Rig(.json(200, Book.json).repeated(2))
        let client = try rig.standard()

        let book = try await client.send(HTTP.Call(.delete, "books", json: Book.dune, as: Book.self))
        _ = try await client.send(HTTP.Call(.put, "books", json: Book.dune))

        #expect(book == .dune)
        for request in rig.transport.requests {
            #expect(try JSONDecoder().decode(Book.self, from: #require(request.body.data)) == .dune)
            #expect(request.headers[.contentType] == "application/json")
        }
    }
}
