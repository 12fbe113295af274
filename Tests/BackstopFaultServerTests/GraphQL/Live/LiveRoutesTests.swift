#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("GraphQL results that arrive one after the other", .sockets)
    struct LiveRoutesTests {
        /// The answers of one server to requests, with the marks of their chunks.
        private static func answers(
            _ switches: [String], query: String = "subscription { counter }", accept: String = "text/event-stream"
        ) async throws -> [(head: String, body: String)] {
            let server = try await FaultServer.start()
            let message = "{\"query\":\"\(query)\"}"
            var answers: [(String, String)] = []
            for switches in switches {
                let client = try await RawClient(server.url)
                try await client.send(
                    "POST /graphql/live?\(switches) HTTP/1.1\r\nHost: localhost\r\nAccept: \(accept)\r\n"
                        + "Content-Type: application/json\r\nContent-Length: \(message.utf8.count)\r\n"
                        + "Connection: close\r\n\r\n\(message)")
                let (text, _) = try await client.readToEnd()
                await client.close()
                let parts = text.components(separatedBy: "\r\n\r\n")
                let body = parts.dropFirst().joined(separator: "\r\n\r\n")
                answers.append((parts[0], body))
            }
            await server.stop()
            return answers
        }

        @Test("come as events and end with one")
        func events() async throws {
            let answer = try await Self.answers(["count=2"])[0]
            #expect(answer.head.contains("Content-Type: text/event-stream"))
            #expect(answer.body.contains("event: next\ndata: {\"data\":{\"counter\":1}}\n\n"))
            #expect(answer.body.contains("event: next\ndata: {\"data\":{\"counter\":2}}\n\n"))
            #expect(answer.body.contains("event: complete\ndata:\n\n"))
        }

        @Test("come as parts of Apollo's protocol, and end with the closing boundary")
        func multipart() async throws {
            let answer = try await Self.answers(["count=1"], accept: "multipart/mixed;subscriptionSpec=1.0")[0]
            #expect(answer.head.contains("Content-Type: multipart/mixed;boundary=\"graphql\";subscriptionSpec=1.0"))
            #expect(answer.body.contains("{\"payload\":{\"data\":{\"counter\":1}}}"))
            #expect(answer.body.hasSuffix("--\r\n\r\n0\r\n\r\n"))
        }

        @Test("go on after those that were sent, with some of them again if that is asked for")
        func numbers() async throws {
            let answers = try await Self.answers(["count=2&id=a", "count=4&id=a&again=1", "count=4&id=b"])
            func counters(_ body: String) -> [String] {
                body.matches(of: /counter":(\d+)/).map { String($0.1) }
            }
            #expect(counters(answers[0].body) == ["1", "2"])
            #expect(counters(answers[1].body) == ["2", "3", "4"])
            #expect(counters(answers[2].body) == ["1", "2", "3", "4"])
        }

        @Test(
            "have the faults that are asked for",
            arguments: [
                ("heartbeats", "complete", "next"), ("unfinished", "next", "complete"), ("late", "late", "errors"),
                ("null", "\"data\":null", "fatal"), ("fatal", "The source of the results is gone", "counter\":3"),
                ("refused", "errors", "event"),
            ])
        func faults(fault: String, has: String, hasNot: String) async throws {
            let body = try await Self.answers(["count=3&fault=\(fault)"])[0].body
            #expect(body.contains(has))
            #expect(!body.contains(hasNot))
        }

        @Test("send a deferred part later, in each format", arguments: ["2022", "2023", "first"])
        func deferred(format: String) async throws {
            let body = try await Self.answers(["format=\(format)"], query: "{ hero { name } }")[0].body
            #expect(body.contains("Found on Jakku."))
            #expect(body.contains("\"hasNext\":true") && body.contains("\"hasNext\":false"))
        }

        @Test("say to another method which ones there are")
        func otherMethod() async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: "/graphql/live", method: "PUT")
                #expect(reply.status == 405)
                #expect(reply.headers["allow"] == "POST, GET")
            }
        }
    }
#endif
