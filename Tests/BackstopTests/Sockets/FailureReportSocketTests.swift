#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("The printed failure of a real call", .sockets)
    struct FailureReportSocketTests {
        struct Item: Decodable, Sendable {
            let id: Int
            let title: String
            let price: Double
        }

        struct Items: Decodable, Sendable {
            struct Content: Decodable, Sendable { let items: [Item] }
            let data: Content
        }

        @Test("shows a 401 with what the service says")
        func unauthorized() async throws {
            let text = try await report(of: "/api-error", query: ["api_key": "hunter2"])
            expect(text, has: "service.SignUpError", "The token has expired", "401", "application/json", "GET")
            expect(text, has: "/api-error?api_key=<redacted>", "Authorization: <redacted>")
            expect(text, has: "attempts: 1. service.SignUpError", #"{"error":true,"reason":"The token has expired"}"#)
            #expect(!text.contains("hunter2"))
        }

        @Test("calls a sign-in page a sign-in page")
        func signIn() async throws {
            let text = try await report(of: "/sign-in", query: ["token": "hunter2"])
            expect(text, has: "decoding", "sign-in page", "\"Sign in\"", "200", "text/html", "token=<redacted>")
            expect(text, has: "<h1>Sign in</h1>", "attempts: 1. decoding")
            #expect(text.firstMatch(of: /text\/html; charset=utf-8, [1-9][0-9]+ bytes/) != nil)
            #expect(!text.contains("hunter2"))
        }

        @Test("shows the page that came with a 404")
        func notFound() async throws {
            let text = try await report(of: "/html-404", query: ["session": "hunter2"])
            expect(text, has: "status.404", "404 Not Found", "text/html", "session=<redacted>")
            expect(text, has: "There is no such page.", "attempts: 1. status.404")
            #expect(text.firstMatch(of: /text\/html; charset=utf-8, [1-9][0-9]+ bytes/) != nil)
            #expect(!text.contains("hunter2"))
        }

        @Test("shows where a wrong type is, and what is there")
        func wrongType() async throws {
            let text = try await report(of: "/wrong-type", query: ["signature": "hunter2"])
            expect(text, has: "$.data.items[3].price", "a number (Double)", "string \"9,50\"", "at byte", "excerpt:")
            expect(text, has: "200 OK, application/json", "signature=<redacted>", "attempts: 1. decoding")
            #expect(!text.contains("hunter2"))
        }

        @Test("shows every attempt, and why there is no other")
        func attempts() async throws {
            let text = try await report(of: "/status/503?body=Come%20back%20later")
            expect(text, has: "1. status.503 in", "2. status.503 in", "3. status.503 in", "all 3 attempts were used")
            expect(text, has: "Come back later", "text/plain")
        }

        @Test("shows what had come before the response was cut")
        func cut() async throws {
            let text = try await report(of: "/cut", query: ["sid": "hunter2"])
            expect(text, has: "transport.truncated", "receiving the response, after 300 bytes", "200 OK")
            expect(text, has: "sid=<redacted>")
            #expect(!text.contains("hunter2"))
        }

        @Test("hides a secret in a target that is also the name of the call")
        func secretInTarget() async throws {
            let text = try await report(of: "/html-404?session=hunter2")
            #expect(!text.contains("hunter2"))
        }

        @Test("says that nothing came where nothing did")
        func reset() async throws {
            let text = try await report(of: "/reset")
            expect(text, has: "transport.lost", "response: no response", "waiting for the response to begin")
        }

        /// What is printed of a call that asks for the items, with a token in a header.
        private func report(
            of target: String, query: HTTP.Query = [:]
        ) async throws -> String {
            var text = ""
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let failure = try await failed {
                    try await client.get(
                        target, query: query, headers: ["Authorization": "Bearer hunter2"], as: Items.self)
                }
                text = "\(failure)"
                expect(text, has: server.target(String(target.prefix { $0 != "?" })))
                #expect(String(describing: failure) == failure.report)
            }
            return text
        }

        private func expect(
            _ text: String, has parts: String..., at location: SourceLocation = #_sourceLocation
        ) {
            for part in parts {
                #expect(text.contains(part), "\(part) is missing in:\n\(text)", sourceLocation: location)
            }
        }
    }
#endif
