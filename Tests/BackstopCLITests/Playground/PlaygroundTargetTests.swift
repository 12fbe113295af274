#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopCLI

    @Suite("A target of the playground", .limited)
    struct PlaygroundTargetTests {
        @Test(
            "is a path of the faults of this server",
            arguments: [
                "/flaky/503?times=2", "/status/503?retryAfterDate=2&body=a%20b", "/graphql?query=%7Bhero%7D",
                "/redirect?to=/echo", "/books/", "/a.b/c..d", "/redirect?to=../x",
            ])
        func accepted(text: String) throws {
            #expect(try PlaygroundTarget(text).text == text)
        }

        @Test(
            "is nothing else, in whatever encoding",
            arguments: [
                "", "books", "http://127.0.0.1/", "HTTP://127.0.0.1/books", "https://example.com", "//example.com/a",
                "///a", "/\\example.com", "\\\\example.com", "/a//b", "/..", "/.", "/a/../b", "/a/./b", "/%2e%2e/b",
                "/%2E./b", "/a/%2e", "/%252e%252e/b", "/%25252e%25252e/b", "/%2fexample.com", "/%2F%2Fexample.com",
                "/%252fexample.com", "/a%2f..%2fb", "/%5cexample.com", "/%255Cexample.com", "/", "/?a=1", "/%2f",
                "/playground", "/playground/run?target=/books", "/Playground/faults", "/%70layground/run",
                "/%2570layground/run", "/signup", "/signup/", "/%73ignup/events", "/a b", "/a\tb", "/a\r\nHost: b",
                "/a#b", "/%00", "/%0d%0aHost:%20b", "/%ff", "/%", "/%zz", "/é", "/a?b=\"", "user@example.com/a",
                "@example.com/a", ":80/a", "/" + String(repeating: "a", count: 2048),
            ])
        func refused(text: String) {
            #expect(throws: WebRefusal.self) { try PlaygroundTarget(text) }
        }

        @Test("counts anew in each run, unless it names an identifier")
        func fresh() throws {
            let first = try PlaygroundTarget("/flaky/503?times=2").fresh
            let second = try PlaygroundTarget("/flaky/503?times=2").fresh
            #expect(first.hasPrefix("/flaky/503?times=2&id="))
            #expect(first != second)
            #expect(try PlaygroundTarget("/flaky/503").fresh.hasPrefix("/flaky/503?id="))
            #expect(try PlaygroundTarget("/flaky/503?id=a").fresh == "/flaky/503?id=a")
            #expect(try PlaygroundTarget("/status/503").fresh == "/status/503")
        }

        @Test(
            "may be redirected to a fault of one of the two origins only",
            arguments: [
                ("http://127.0.0.1:8080/books", true), ("http://127.0.0.1:8081/echo?a=//b", true),
                ("http://127.0.0.1:8082/books", false), ("http://localhost:8080/books", false),
                ("http://127.0.0.1/books", false), ("https://127.0.0.1:8080/books", false),
                ("http://a@127.0.0.1:8080/books", false), ("http://example.com:8080/books", false),
                ("http://127.0.0.1:8080/playground/run", false), ("http://127.0.0.1:8080/", false),
                ("http://127.0.0.1:8080", false), ("http://127.0.0.1:8080/%70layground/run", false),
            ])
        func redirects(text: String, expected: Bool) throws {
            let origins = try ["http://127.0.0.1:8080", "http://127.0.0.1:8081"].map { try #require(URL(string: $0)) }
            #expect(PlaygroundTarget.allows(try #require(URL(string: text)), of: origins) == expected)
        }
    }
#endif
