#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Answers whose status is asked for", .sockets)
    struct StatusRoutesTests {
        @Test("every status from 200 to 599 can be had", arguments: [200, 201, 299, 301, 400, 401, 404, 429, 503, 599])
        func status(_ status: Int) async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: "/status/\(status)")
                #expect(reply.status == status)
                #expect(reply.body.hasPrefix("\(status) "))
                #expect(reply.headers["retry-after"] == nil)
            }
        }

        @Test("statuses without a body have none, and no length", arguments: ["/no-content", "/status/304"])
        func noBody(_ target: String) async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: target)
                #expect(reply.body.isEmpty)
                #expect(reply.headers["content-length"] == nil)
            }
        }

        @Test(
            "what is no status is a bad request", arguments: ["/status/199", "/status/600", "/status/abc", "/status/"])
        func noStatus(_ target: String) async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: target)
                #expect(reply.status == 400)
            }
        }

        @Test("the query chooses the body and the header")
        func options() async throws {
            try await withServer { server in
                let plain = try await server.url.reply(to: "/status/503?retryAfter=2&body=come%20back")
                #expect(plain.headers["retry-after"] == "2")
                #expect(plain.body == "come back")
                let json = try await server.url.reply(to: "/status/400?json=1")
                #expect(json.body == "{\"error\":true,\"reason\":\"Bad Request\"}")
            }
        }

        @Test("retryAfterDate is a date so many seconds ahead")
        func retryAfterDate() async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: "/status/503?retryAfterDate=3600")
                let formatter = DateFormatter()
                formatter.locale = Locale(identifier: "en_US_POSIX")
                formatter.timeZone = TimeZone(secondsFromGMT: 0)
                formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
                let date = try #require(formatter.date(from: reply.headers["retry-after"] ?? ""))
                let sent = try #require(formatter.date(from: reply.headers["date"] ?? ""))
                #expect((3600...3660).contains(date.timeIntervalSince(sent)))
            }
        }

        @Test("/flaky fails as often as it is told, for each id apart, also with POST")
        func flaky() async throws {
            try await withServer { server in
                for (method, key, status) in [
                    ("GET", "a", 503), ("GET", "b", 503), ("POST", "a", 503), ("POST", "a", 200), ("GET", "b", 503),
                    ("GET", "b", 200),
                ] {
                    let reply = try await server.url.reply(
                        to: "/flaky/503?times=2&id=\(key)&retryAfter=1", method: method)
                    #expect(reply.status == status)
                    #expect(reply.headers["retry-after"] == (status == 503 ? "1" : nil))
                    if status == 200 { #expect(reply.body == "{\"ok\":true,\"calls\":3}") }
                }
            }
        }

        @Test("/headers sends a header field as long as asked for")
        func longHeader() async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: "/headers?bytes=100000")
                #expect(reply.headers["x-fill"]?.count == 100_000)
            }
        }
    }
#endif
