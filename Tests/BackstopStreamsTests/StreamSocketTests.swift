import BackstopStreams
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopTesting

#if AsyncHTTPClient
    import BackstopAsyncHTTPClient
#endif

@Suite("A stream over sockets", .sockets)
struct StreamSocketTests {
    /// The transports of this build.
    enum Kind: String, CaseIterable, Sendable {
        case urlSession
        #if AsyncHTTPClient
            case asyncHTTPClient
        #endif

        func transport() -> any HTTP.Transport {
            switch self {
            case .urlSession: URLSessionTransport()
            #if AsyncHTTPClient
                case .asyncHTTPClient: AsyncHTTPClientTransport()
            #endif
            }
        }

        /// A client for a server, without waits between attempts.
        func client(_ server: WireServer, log: RecordingLog? = nil) throws -> Client {
            var handling = FailureHandling()
            handling.log = RecordingLog()
            let policy = try RetryPolicy(attempts: 3, backoff: .none)
            return try Client(baseURL: server.origin, transport: transport(), handling: handling) {
                if let log {
                    RequestLogging(.call, to: log)
                }
                Retry(policy)
                Decoding()
                StatusValidation()
                APIErrorDecoding(ProblemDetails.self)
                AttemptTimeout(.seconds(600))
            }
        }
    }

    /// A server that answers each request on each connection by a closure.
    static func withServer(
        _ answer: @escaping WireServer.Script, _ test: (WireServer) async throws -> Void
    ) async throws {
        let server = try WireServer(script: answer)
        defer { server.stop() }
        try await test(server)
    }

    @Test("hands on all that came before a cut, though the reader was behind", arguments: Kind.allCases)
    func behind(_ kind: Kind) async throws {
        try await Self.withServer({ connection in
            _ = try connection.readRequest()
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "a", count: 400_000))
            connection.endSending()
            connection.mark("cut")
            connection.waitForEnd()
        }) { server in
            let options = try StreamOptions(window: 1024)
            let stream = try await kind.client(server).stream("rows", as: .chunks, options: options)
            await server.wait { $0.marks.contains("cut") }
            // Time for the end of the connection to be noticed.
            try await Task.sleep(for: .milliseconds(100))
            var count = 0
            let failure = await #expect(throws: Failure.self) {
                for try await chunk in stream { count += chunk.count }
            }
            #expect(count == 400_000)
            #expect(failure?.code == "transport.truncated")
            #expect(failure?.transfer?.bytes == 400_000)
        }
    }

    @Test("that is cut fails as such, though an interceptor hides the error", arguments: Kind.allCases)
    func hidden(_ kind: Kind) async throws {
        try await Self.withServer({ connection in
            _ = try connection.readRequest()
            try connection.send(Self.head + Self.chunk("a\n"))
        }) { server in
            let client = try kind.client(server).withChain { chain in
                try chain.inserting(
                    ClosureInterceptor { request, _, next in
                        (try? await next(request)) ?? HTTP.Response(status: 200)
                    }, inside: .retry)
            }
            var lines: [String] = []
            let failure = await #expect(throws: Failure.self) {
                for try await line in try await client.stream("rows", as: .lines) { lines.append(line) }
            }
            #expect(lines == ["a"])
            #expect(failure?.code == "transport.truncated")
        }
    }

    static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n"

    static func chunk(_ text: String) -> String {
        String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n"
    }

    @Test("gives each element as it arrives, and ends", arguments: Kind.allCases)
    func arrives(_ kind: Kind) async throws {
        try await Self.withServer({ connection in
            while true {
                _ = try connection.readRequest()
                try connection.send(Self.head + Self.chunk("a\n"))
                try connection.wait(for: "first")
                try connection.send(Self.chunk("b\nc"))
                try connection.wait(for: "second")
                try connection.send(Self.chunk("d\n") + "0\r\n\r\n")
            }
        }) { server in
            let log = RecordingLog()
            let client = try kind.client(server, log: log)
            var lines = try await client.stream("rows", as: .lines).makeAsyncIterator()
            #expect(try await lines.next() == "a")
            #expect(log.messages.isEmpty)
            server.mark("first")
            #expect(try await lines.next() == "b")
            server.mark("second")
            #expect(try await lines.next() == "cd")
            #expect(try await lines.next() == nil)
            #expect(log.messages.count == 1)
            #expect(log.messages.first?.contains("7 bytes in ") == true)
            #expect(log.messages.first?.contains(", 3 elements") == true)
            // The connection serves another.
            let again = try await client.stream("rows", as: .lines)
            for try await _ in again {}
            #expect(server.state.connections == 1)
        }
    }

    @Test("that is cut anywhere gives the elements before the cut, and then one failure", arguments: Kind.allCases)
    func cuts(_ kind: Kind) async throws {
        let body = (0..<40).map { "line \($0)\n" }.joined()
        let whole = Self.head + Self.chunk(body) + "0\r\n\r\n"
        let start = whole.utf8.count - body.utf8.count - 7
        try await Self.withServer({ connection in
            let request = try connection.readRequest()
            let count = Int(request.target.split(separator: "/").last ?? "") ?? 0
            try connection.send(whole.utf8.prefix(count))
            connection.endSending()
        }) { server in
            let client = try kind.client(server)
            for count in stride(from: start, to: whole.utf8.count, by: 7) {
                var lines: [String] = []
                do throws(Failure) {
                    for try await line in try await client.stream("cut/\(count)", as: .lines) {
                        lines.append(line)
                    }
                    // The last chunk ends the body; only what follows it is missing.
                    #expect(kind == .urlSession && count >= whole.utf8.count - 2, "\(count) ended as if it were whole")
                } catch {
                    let arrived = body.utf8.prefix(max(0, count - start))
                    let expected = String(decoding: arrived, as: UTF8.self).split(
                        separator: "\n", omittingEmptySubsequences: false
                    )
                    .dropLast().map(String.init)
                    #expect(["transport.lost", "transport.truncated"].contains(error.code), "\(count): \(error.code)")
                    #expect(lines == expected, "cut at \(count)")
                    #expect(error.transfer?.elements == Int64(lines.count))
                    #expect(error.attempts.count == 1)
                }
            }
        }
    }

    @Test("ends its connection when it is dropped", arguments: Kind.allCases)
    func dropped(_ kind: Kind) async throws {
        try await Self.withServer({ connection in
            _ = try connection.readRequest()
            try connection.send(Self.head + Self.chunk("a\n"))
            connection.waitForEnd()
            connection.mark("ended")
        }) { server in
            let client = try kind.client(server)
            for _ in 0..<20 {
                var lines = try await client.stream("rows", as: .lines).makeAsyncIterator()
                #expect(try await lines.next() == "a")
            }
            await server.wait { $0.closed == 20 }
        }
    }

    @Test("is retried after a 503 and a lost connection, and fails with a 404's own error", arguments: Kind.allCases)
    func heads(_ kind: Kind) async throws {
        try await Self.withServer({ connection in
            let request = try connection.readRequest()
            switch (request.target, connection.number) {
            case ("/rows", 1):
                try connection.send("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbusy")
            case ("/rows", 2): try connection.reset()
            case ("/rows", _): try connection.send(Self.head + Self.chunk("a\n") + "0\r\n\r\n")
            default:
                let problem = #"{"title":"No rows"}"#
                try connection.send(
                    "HTTP/1.1 404 No\r\nContent-Type: application/problem+json\r\nConnection: close\r\n"
                        + "Content-Length: \(problem.utf8.count)\r\n\r\n" + problem)
            }
        }) { server in
            let client = try kind.client(server)
            var lines: [String] = []
            for try await line in try await client.stream("rows", as: .lines) { lines.append(line) }
            #expect(lines == ["a"])
            #expect(server.state.requests.count == 3)
            let failure = await #expect(throws: Failure.self) {
                _ = try await client.stream("missing", as: .lines)
            }
            #expect(failure?.error(as: ProblemDetails.self)?.title == "No rows")
        }
    }

    @Test("follows a redirect", arguments: Kind.allCases)
    func redirect(_ kind: Kind) async throws {
        try await Self.withServer({ connection in
            while true {
                let request = try connection.readRequest()
                try connection.send(
                    request.target == "/rows"
                        ? "HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 3\r\n\r\nout"
                        : Self.head + Self.chunk("a\n") + "0\r\n\r\n")
            }
        }) { server in
            let stream = try await kind.client(server).stream("rows", as: .lines)
            #expect(stream.response.url?.path == "/there")
            var lines: [String] = []
            for try await line in stream { lines.append(line) }
            #expect(lines == ["a"])
        }
    }

    @Test("leaves plain calls their places, be there twenty of them", arguments: Kind.allCases)
    func places(_ kind: Kind) async throws {
        try await Self.withServer({ connection in
            while true {
                let request = try connection.readRequest()
                guard request.target == "/rows" else {
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                    continue
                }
                try connection.send(Self.head + Self.chunk("a\n"))
                connection.waitForEnd()
            }
        }) { server in
            let client = try kind.client(server)
            var streams: [HTTP.Stream<String>] = []
            for _ in 0..<20 {
                streams.append(try await client.stream("rows", as: .lines))
            }
            #expect(try await client.get("plain").body == Data("ok".utf8))
            withExtendedLifetime(streams) {}
        }
    }

    #if AsyncHTTPClient
        @Test("makes a server wait while nobody reads, and loses nothing")
        func backPressure() async throws {
            let total = 64 << 20
            try await Self.withServer({ connection in
                _ = try connection.readRequest()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
                let part = [UInt8](repeating: 0x61, count: 1 << 16)
                for _ in 0..<(total >> 16) {
                    try connection.send(part)
                }
            }) { server in
                let stream = try await Kind.asyncHTTPClient.client(server).stream("rows", as: .chunks)
                var chunks = stream.makeAsyncIterator()
                var count = try await chunks.next()?.count ?? 0
                // Nothing tells the end of a wait: what the server has sent once it stops is what counts.
                var sent = -1
                while sent != server.state.sent {
                    sent = server.state.sent
                    try await Task.sleep(for: .milliseconds(200))
                }
                #expect(sent < 32 << 20)
                while let chunk = try await chunks.next() {
                    count += chunk.count
                }
                #expect(count == total)
            }
        }
    #endif

    #if canImport(FoundationNetworking)
        @Test("that arrives faster than it is read ends over URLSession, after what had arrived")
        func overrun() async throws {
            let total = 64 << 20
            try await Self.withServer({ connection in
                _ = try connection.readRequest()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
                let part = [UInt8](repeating: 0x61, count: 1 << 16)
                for _ in 0..<(total >> 16) {
                    try connection.send(part)
                }
            }) { server in
                let stream = try await Kind.urlSession.client(server).stream("rows", as: .chunks)
                await server.wait { $0.closed == 1 }
                var count = 0
                let failure = await #expect(throws: Failure.self) {
                    for try await chunk in stream { count += chunk.count }
                }
                #expect(failure?.code == "transport.overrun")
                #expect(count > 16 << 20)
                #expect(count < 32 << 20)
            }
        }
    #endif
}
