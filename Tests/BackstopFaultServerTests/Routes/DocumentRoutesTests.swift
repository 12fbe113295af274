#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Documents, good ones and ones that do not fit", .sockets)
    struct DocumentRoutesTests {
        private func reply(to target: String) async throws -> Reply {
            var reply: Reply?
            try await withServer { reply = try await $0.url.reply(to: target) }
            return try #require(reply)
        }

        @Test("/json is a list of books about as long as asked for", arguments: [1000, 4096, 100_000, 1_000_000])
        func books(_ size: Int) async throws {
            let reply = try await reply(to: "/json?bytes=\(size)")
            #expect((size - 200...size).contains(reply.body.utf8.count))
            let list = try #require(try reply.json() as? [[String: Any]])
            for book in list.prefix(20) {
                #expect(book["id"] is Int)
                #expect(book["title"] is String)
                #expect((book["author"] as? [String: Any])?["name"] is String)
                #expect(book["price"] is Double)
                #expect(book["tags"] is [String])
            }
        }

        @Test("/books is an envelope with two books")
        func envelope() async throws {
            let reply = try await reply(to: "/books")
            #expect(
                reply.body == #"{"data":[{"id":1,"title":"Dune","price":9.5},{"id":2,"title":"Emma","price":7.25}]}"#)
        }

        @Test("exactly one price has the wrong type, exactly one title is missing")
        func misfits() async throws {
            func items(_ target: String) async throws -> [[String: Any]] {
                let data = try (await reply(to: target).json() as? [String: Any])?["data"] as? [String: Any]
                return try #require(data?["items"] as? [[String: Any]])
            }
            let wrong = try await items("/wrong-type")
            #expect(wrong.map { $0["price"] is String } == [false, false, false, true, false])
            #expect(wrong[3]["price"] as? String == "9,50")
            let missing = try await items("/missing-key")
            #expect(missing.map { $0["title"] == nil } == [false, false, true, false, false])
        }

        @Test(
            "the body is to the letter",
            arguments: [("/empty", ""), ("/broken-json", "{\"a\": [1, 2,, 3]}"), ("/deep?depth=3", "[[[]]]")])
        func exact(_ target: String, _ body: String) async throws {
            let reply = try await reply(to: target)
            #expect(reply.status == 200)
            #expect(reply.body == body)
            #expect(reply.headers["content-type"] == "application/json")
            #expect(reply.headers["content-length"] == "\(body.utf8.count)")
        }

        @Test(
            "pages are HTML",
            arguments: [("/", 200, "<table>"), ("/html-404", 404, "<h1>"), ("/sign-in", 200, "<title>Sign in</title>")])
        func pages(_ target: String, _ status: Int, _ part: String) async throws {
            let reply = try await reply(to: target)
            #expect(reply.status == status)
            #expect(reply.headers["content-type"] == "text/html; charset=utf-8")
            #expect(reply.body.contains(part))
        }

        @Test("error bodies come with the status that is asked for", arguments: [200, 401, 404, 500])
        func errors(_ status: Int) async throws {
            let error = try await reply(to: "/api-error?status=\(status)")
            #expect(error.status == status)
            #expect(error.body.hasPrefix("{\"error\":true,\"reason\":\""))
            let problem = try await reply(to: "/problem?status=\(status)")
            #expect(problem.status == status)
            #expect(problem.headers["content-type"] == "application/problem+json")
            let members = try #require(try problem.json() as? [String: Any])
            #expect(
                Set(members.keys) == ["type", "title", "status", "detail", "instance", "balance"])
            #expect(members["status"] as? Int == status)
        }
    }
#endif
