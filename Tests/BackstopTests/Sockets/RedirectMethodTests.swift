#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("A redirect of a request with a body", .sockets)
    struct RedirectMethodTests {
        struct Rule: Sendable {
            let status: Int
            let method: HTTP.Method
            let isGetAfterwards: Bool
        }

        /// RFC 9110, 15.4, and what browsers do (Fetch, 4.4).
        static let rules = [
            Rule(status: 301, method: .post, isGetAfterwards: true),  // what browsers always did
            Rule(status: 302, method: .post, isGetAfterwards: true),  // the same
            Rule(status: 303, method: .post, isGetAfterwards: true),  // "see other" means GET
            Rule(status: 303, method: .put, isGetAfterwards: true),  // for all methods
            Rule(status: 301, method: .put, isGetAfterwards: false),  // the exception is for POST only
            Rule(status: 302, method: .patch, isGetAfterwards: false),  // the same
            Rule(status: 307, method: .post, isGetAfterwards: false),  // made for keeping it
            Rule(status: 308, method: .post, isGetAfterwards: false),  // the same, for good
            Rule(status: 307, method: .put, isGetAfterwards: false),
        ]

        @Test("keeps or changes the method by the rules, and the body with it", arguments: rules)
        func method(_ rule: Rule) async throws {
            try await withServer { server in
                let body = Data(#"{"title":"Dune"}"#.utf8)
                _ = try await server.client().send(
                    WholeResponse(
                        method: rule.method, target: "/redirect?to=/echo&status=\(rule.status)",
                        headers: ["Content-Type": "application/json", "X-Color": "blue"], body: .data(body)))
                let first = try await server.onlyRequest(to: "/redirect")
                #expect(first.method == rule.method.name)
                #expect(first.body == body)
                let second = try await server.onlyRequest(to: "/echo")
                #expect(second.method == (rule.isGetAfterwards ? "GET" : rule.method.name))
                #expect(second.body == (rule.isGetAfterwards ? Data() : body))
                #expect(second.values(of: "Content-Type") == (rule.isGetAfterwards ? [] : ["application/json"]))
                #expect(second.values(of: "X-Color") == ["blue"])
            }
        }

        @Test("keeps HEAD", arguments: [301, 302, 303, 307, 308])
        func head(status: Int) async throws {
            try await withServer { server in
                let call = WholeResponse(method: .head, target: "/redirect?to=/echo&status=\(status)")
                _ = try await server.client().send(call)
                #expect(try await server.onlyRequest(to: "/echo").method == "HEAD")
            }
        }

        @Test("sends a file again", arguments: [307, 308])
        func file(status: Int) async throws {
            try await withFile(of: sampleBytes(100_000)) { file in
                try await expectReplay(of: .file(file), status: status)
            }
        }

        @Test("sends a stream again that can be opened again", arguments: [nil, 100_000] as [Int64?])
        func replayableStream(length: Int64?) async throws {
            try await expectReplay(of: .stream(length: length) { pieces(of: sampleBytes(100_000)) }, status: 307)
        }

        @Test("is refused where the body is a stream that can be read only once", arguments: [307, 308])
        func stream(status: Int) async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let call = streamCall(status: status)
                let failure = try await failed { try await client.send(call) }
                #expect(failure.code == "transport.redirectRefused")
                #expect(failure.response?.status == status)
                #expect(server.requestCount(of: "/redirect") == 1)
                #expect(server.requestCount(of: "/echo") == 0)
            }
        }

        @Test("is followed with GET where the body is a stream that can be read only once")
        func streamToGet() async throws {
            try await withServer { server in
                _ = try await server.client().send(streamCall(status: 303))
                #expect(try await server.onlyRequest(to: "/echo").method == "GET")
            }
        }

        private func streamCall(status: Int) -> WholeResponse {
            WholeResponse(
                method: .put, target: "/redirect?to=/echo&status=\(status)",
                body: .stream(once: pieces(of: Data("once".utf8)), length: 4))
        }

        private func expectReplay(of body: HTTP.Body, status: Int) async throws {
            try await withServer { server in
                _ = try await server.client().send(
                    WholeResponse(
                        method: .post, target: "/redirect?to=/echo&status=\(status)",
                        headers: ["Content-Type": "application/octet-stream"], body: body))
                #expect(try await server.onlyRequest(to: "/redirect").body == sampleBytes(100_000))
                let second = try await server.onlyRequest(to: "/echo")
                #expect(second.method == "POST")
                #expect(second.body == sampleBytes(100_000))
            }
        }
    }
#endif
