import BackstopTestSupport
import BackstopTransfers
import Dispatch
import Foundation
import Testing

@testable import BackstopTesting

#if AsyncHTTPClient
    import BackstopAsyncHTTPClient
#endif

@Suite("A transfer over sockets", .sockets)
struct TransferSocketTests {
    enum Kind: String, CaseIterable, Sendable {
        case urlSession
        #if AsyncHTTPClient
            case asyncHTTPClient
        #endif

        func client(_ server: WireServer) throws -> Client {
            let transport: any HTTP.Transport =
                switch self {
                case .urlSession: URLSessionTransport()
                #if AsyncHTTPClient
                    case .asyncHTTPClient: AsyncHTTPClientTransport()
                #endif
                }
            var handling = FailureHandling()
            handling.log = RecordingLog()
            let policy = try RetryPolicy(attempts: 10, backoff: .none)
            return try Client(baseURL: server.origin, transport: transport, handling: handling) {
                Retry(policy)
                Decoding()
                StatusValidation()
            }
        }
    }

    /// Sends a file with ranges, and ends each connection after some bytes of the body, as long as there is a cut.
    private static func serve(_ file: [UInt8], _ cuts: [Int]) throws -> WireServer {
        let left = Lock(cuts[...])
        return try WireServer { connection in
            while true {
                let request = try connection.readRequest()
                let first =
                    request.values(of: "Range").first.flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
                let rest = Array(file[first...])
                let isPart = first > 0
                try connection.send(
                    "HTTP/1.1 \(isPart ? 206 : 200) OK\r\nETag: \"1\"\r\nContent-Length: \(rest.count)\r\n"
                        + (isPart ? "Content-Range: bytes \(first)-\(file.count - 1)/\(file.count)\r\n" : "") + "\r\n")
                if let cut = left.withLock({ $0.popFirst() }) {
                    try connection.send(rest.prefix(cut))
                    connection.endSending()
                    return
                }
                try connection.send(rest)
            }
        }
    }

    @Test(
        "that is cut at random moments is the same file, and fetches no byte twice", arguments: Kind.allCases,
        Seed.ofRun)
    func cuts(_ kind: Kind, seed: Seed) async throws {
        var random = seed.numbers
        let file = (0..<6_000_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let cuts = (0..<20).map { _ in Int.random(in: 0...290_000, using: &random) }
        let server = try Self.serve(file, cuts)
        defer { server.stop() }
        try await DownloadTests.inFolder { folder in
            let target = folder.appendingPathComponent("film")
            let done = try await kind.client(server).download("film", to: target).value
            #expect(try Data(contentsOf: target) == Data(file))
            #expect(done.isComplete)
            let starts = server.state.requests.map { $0.values(of: "Range").first ?? "bytes=0-" }
            #expect(starts.count == cuts.count + 1)
            let positions = starts.compactMap { Int($0.dropFirst(6).dropLast()) }
            #expect(positions == cuts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) })
            #expect(try DownloadTests.names(in: folder) == ["film"])
        }
    }

    @Test("that is cut at each byte is never whole with less", arguments: Kind.allCases)
    func everyByte(_ kind: Kind) async throws {
        let file = Array("0123456789abcdef".utf8)
        for cut in file.indices {
            let server = try Self.serve(file, [cut])
            defer { server.stop() }
            try await DownloadTests.inFolder { folder in
                let target = folder.appendingPathComponent("film")
                _ = try await kind.client(server).download("film", to: target).value
                #expect(try Data(contentsOf: target) == Data(file))
            }
        }
    }

    @Test("of a form arrives as it was written, with its length", arguments: Kind.allCases)
    func form(_ kind: Kind) async throws {
        let server = try WireServer { connection in
            let request = try connection.readRequest()
            let count = request.values(of: "Content-Length").first ?? "none"
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(count.utf8.count)\r\n\r\n\(count)")
        }
        defer { server.stop() }
        try await DownloadTests.inFolder { folder in
            let film = folder.appendingPathComponent("film.mp4")
            try Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) }).write(to: film)
            let form = HTTP.Form([.text("title", "Lake"), .file("film", film)])
            var expected = Data()
            for try await chunk in try await HTTP.Body.form(form).open() { expected += chunk }
            let upload = try kind.client(server).upload(.put("films", body: .form(form), as: Int.self))
            #expect(try await upload.value == expected.count)
            #expect(upload.status.fraction == 1)
            let sent = try #require(server.state.requests.first)
            #expect(Data(sent.body) == expected)
            #expect(sent.values(of: "Content-Type") == ["multipart/form-data; boundary=\(form.boundary)"])
        }
    }

    /// A body whose reader blocks its thread when it is cancelled.
    private struct Blocking: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let isReading = Gate()
        let release = DispatchSemaphore(value: 0)
        /// Whether it has blocked, and does no more.
        let hasBlocked = Lock(false)
        var isFirst = true

        func makeAsyncIterator() -> Self { self }

        mutating func next() async throws -> Data? {
            guard !isFirst else {
                isFirst = false
                return Data(count: 1000)
            }
            isReading.open()
            try await withTaskCancellationHandler {
                try await Task.sleep(for: .seconds(3600))
            } onCancel: { [release, hasBlocked] in
                _ = release.wait(timeout: .now() + 30)
                hasBlocked.withLock { $0 = true }
            }
            return nil
        }
    }

    @Test("ends at its limit, whatever its body does when it is cancelled", arguments: Kind.allCases)
    func blocked(_ kind: Kind) async throws {
        let server = try WireServer { connection in
            _ = try connection.readHead()
            connection.waitForEnd()
        }
        defer { server.stop() }
        let (clock, body) = (ManualClock(), Blocking())
        defer { body.release.signal() }
        let client = try kind.client(server).withOptions { ($0.clock, $0.deadline) = (clock, .seconds(10)) }
        let call = Task { try await client.upload(HTTP.Call(.post, "up", body: .stream { body })).value }
        await body.isReading.pass()
        await clock.advance(by: .seconds(10))
        let failure = await #expect(throws: Failure.self) { _ = try await call.value }
        #expect(failure?.code == "timeout.deadline")
        #expect(!body.hasBlocked.withLock { $0 })
    }

    /// A body of a few chunks that notes a value of its task with each.
    private struct Asking: AsyncSequence, AsyncIteratorProtocol, Sendable {
        @TaskLocal static var tenant = "none"
        let seen: Lock<[String]>
        var left = 3

        func makeAsyncIterator() -> Self { self }

        mutating func next() async -> Data? {
            seen.withLock { $0.append(Self.tenant) }
            left -= 1
            return left < 0 ? nil : Data(count: 1000)
        }
    }

    @Test("reads its body with the values of the task that makes the call", arguments: Kind.allCases)
    func taskLocal(_ kind: Kind) async throws {
        let server = try WireServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let seen = Lock<[String]>([])
        let body = HTTP.Body.stream { Asking(seen: seen) }
        try await Asking.$tenant.withValue("mine") {
            _ = try await kind.client(server).send(HTTP.Call<HTTP.Response>(.post, "up", body: body))
        }
        #expect(seen.withLock { $0 } == ["mine", "mine", "mine", "mine"])
    }

    @Test("of events goes on over connections that end and are cut", arguments: Kind.allCases)
    func events(_ kind: Kind) async throws {
        let server = try WireServer { connection in
            let request = try connection.readRequest()
            let last = request.values(of: "Last-Event-ID").first.flatMap { Int($0) } ?? 0
            guard last < 4 else {
                return try connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            }
            let text = "retry: 1\nid: \(last + 1)\ndata: \(last + 1)\n\nid: 9\ndata: never"
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n" + (last % 2 == 0 ? "0\r\n\r\n" : ""))
            connection.endSending()
        }
        defer { server.stop() }
        var found: [String] = []
        for try await event in try await kind.client(server).stream("prices", as: .events) { found.append(event.data) }
        #expect(found == ["1", "2", "3", "4"])
        #expect(server.state.requests.count == 5)
    }
}
