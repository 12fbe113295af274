#if Demo
    import Backstop
    import BackstopCore
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopCLI

    @Suite("The service of the sign-up page", .sockets)
    struct SignUpFormTests {
        private func withPage(_ form: SignUpForm = SignUpForm(), _ test: (Page) async throws -> Void) async throws {
            try await withServer(.init(retryAfter: 1), mounting: form.mounts) { try await test(Page(server: $0)) }
        }

        private static let json: HTTP.Headers = [.contentType: "application/json"]

        @Test("begins no session for another name or another origin, and serves nothing to them")
        func strangers() async throws {
            try await withPage { page in
                let strangers: [HTTP.Headers] = [
                    [.host: "evil.example:\(page.server.url.port ?? 0)"], ["Origin": "http://evil.example"],
                    ["Sec-Fetch-Site": "cross-site"],
                ]
                for headers in strangers {
                    for path in ["/signup", "/signup/signup.js", "/signup/events"] {
                        let reply = try await page.reply(to: path, headers: headers)
                        #expect([403, 421].contains(reply.status), "\(path) \(headers)")
                    }
                    var withType = headers
                    withType[.contentType] = "application/json"
                    let act = try await page.reply(to: "/signup/act", method: .post, headers: withType, body: "{}")
                    #expect([403, 421].contains(act.status), "\(headers)")
                }
            }
        }

        @Test(
            "refuses what no page of its own says",
            arguments: [
                ("", "application/json", 400), ("[]", "application/json", 400),
                (#"{"session":"a","kind":"drop"}"#, "application/json", 400),
                (#"{"session":"a","kind":"submit"}"#, "application/json", 404),
                (#"{"session":"a","kind":"submit"}"#, "Application/JSON; charset=utf-8", 404),
                (#"{"session":"a","kind":"submit"}"#, "application/jsonp", 415),
                (#"{"session":"a","kind":"submit"}"#, "text/plain; application/json", 415),
                (#"{"session":"a","kind":"submit"}"#, "text/plain", 415),
                (#"{"session":"a","kind":"submit"}"#, "application/x-www-form-urlencoded", 415),
                (
                    #"{"session":"a","kind":"type","userName":""# + String(repeating: "a", count: 5000) + #""}"#,
                    "application/json", 400
                ),
            ])
        func refused(body: String, type: String, status: Int) async throws {
            try await withPage { page in
                let reply = try await page.reply(
                    to: "/signup/act", method: .post, headers: [.contentType: type], body: body)
                #expect(reply.status == status)
            }
        }

        @Test("answers a GET to nothing that changes something")
        func methods() async throws {
            try await withPage { page in
                let act = try await page.reply(to: "/signup/act")
                let nothing = try await page.reply(to: "/signup/nothing")
                #expect(act.status == 405)
                #expect(nothing.status == 404)
            }
        }

        @Test("has so many sessions and no more, and ends each when nobody reads its events")
        @MainActor
        func sessions() async throws {
            let sessions = SignUpSessions(limit: 2, longest: .seconds(600))
            let origin = try #require(URL(string: "http://127.0.0.1:1"))
            let first = try sessions.open(at: origin)
            var second: AsyncStream<Data>? = try sessions.open(at: origin)
            #expect(throws: WebRefusal.self) { try sessions.open(at: origin) }
            #expect(second != nil)
            second = nil
            while sessions.count == 2 { await Task.yield() }
            #expect(throws: Never.self) { try sessions.open(at: origin) }
            withExtendedLifetime(first) {}
        }

        @Test("takes the latest of each kind of act, in whatever order they arrive")
        @MainActor
        func order() throws {
            let states = Lock<[String]>([])
            let origin = try #require(URL(string: "http://127.0.0.1:1"))
            let session = try SignUpSession(origin: origin) { event, json in
                if event == "state" {
                    states.withLock { $0.append(json) }
                }
            }
            let acts = [
                #""kind":"server","number":3,"isStopped":true"#, #""kind":"server","number":2,"isStopped":false"#,
                #""kind":"type","number":5,"userName":"ada.l""#, #""kind":"type","number":4,"userName":"ada""#,
                #""kind":"server","number":1,"isStopped":false"#,
            ]
            for act in acts {
                let json = Data(#"{"session":"a",\#(act)}"#.utf8)
                try session.perform(try JSONDecoder().decode(SignUpSession.Act.self, from: json))
            }
            let last = try #require(states.withLock { $0.last })
            let state = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
            #expect(state["number"] as? Int == 5)
            #expect(state["userName"] as? String == "ada.l")
            #expect(state["isServerStopped"] as? Bool == true)
            session.end()
        }

        @Test("ends a session that has lasted long enough")
        func longest() async throws {
            try await withPage(SignUpForm(longest: .milliseconds(300))) { page in
                let reply = try await page.reply(to: "/signup/events")
                let events = try reply.events
                #expect(events.first?.name == "session")
                let id = try #require(events.first?.data["id"] as? String)
                let act = try await page.reply(
                    to: "/signup/act", method: .post, headers: Self.json,
                    body: #"{"session":"\#(id)","kind":"submit","userName":"ada.l","number":1}"#)
                #expect(act.status == 404)
                #expect(page.server.requestCount(of: "/isUserNameAvailable") == 0)
            }
        }
    }
#endif
