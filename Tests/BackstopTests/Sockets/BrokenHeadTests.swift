#if Demo
    import Backstop
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("A head that no client can accept", .sockets)
    struct BrokenHeadTests {
        struct Head: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let bytes: String
            var times = 1
            let codes: Set<String>
        }

        static let heads = [
            Head(
                testDescription: "a header line of 1 MB",
                bytes: "HTTP/1.1 200 OK\r\nX-Fill: \(String(repeating: "a", count: 1_000_000))\r\n\r\n",
                codes: ["transport.tooLarge", "transport.badResponse"]),
            Head(
                testDescription: "many short header lines",
                bytes: "HTTP/1.1 200 OK\r\n" + String(repeating: "X-Fill: a\r\n", count: 100_000) + "\r\n",
                codes: ["transport.tooLarge", "transport.badResponse"]),
            Head(
                testDescription: "interim responses without end",
                bytes: String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 100), times: 100_000,
                codes: ["transport.tooLarge", "transport.badResponse"]),
            Head(
                testDescription: "a first header that begins with a blank",
                bytes: "HTTP/1.1 200 OK\r\n folded: yes\r\nContent-Length: 0\r\n\r\n", codes: ["transport.badResponse"]),
            Head(
                testDescription: "a header without a colon",
                bytes: "HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 0\r\n\r\n", codes: ["transport.badResponse"]),
            Head(
                testDescription: "a NUL in a header",
                bytes: "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\nContent-Length: 0\r\n\r\n", codes: ["transport.badResponse"]),
            Head(
                testDescription: "a length that is no number",
                bytes: "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", codes: ["transport.badResponse"]),
            Head(
                testDescription: "an unknown version",
                bytes: "HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n", codes: ["transport.badResponse"]),
            Head(
                testDescription: "a status that is no number",
                bytes: "HTTP/1.1 OK\r\nContent-Length: 0\r\n\r\n", codes: ["transport.badResponse"]),
        ]

        @Test("is the server's fault, and has a name", arguments: heads)
        func named(_ head: Head) async throws {
            let server = try RawServer.start(sending: head.bytes, times: head.times)
            let client = try Client.standard(
                baseURL: server.origin, retry: .never, logging: nil, handling: .silent)
            let failure = try await failed { try await client.get("/") }
            #expect(head.codes.contains(failure.code), "\(failure.report)")
            #expect(failure.report.contains("while receiving the response"), "\(failure.report)")
        }
    }
#endif
