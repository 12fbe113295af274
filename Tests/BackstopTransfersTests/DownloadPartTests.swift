import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopTransfers

@Suite("The parts of a download", .limited)
struct DownloadPartTests {
    typealias Answer = Stub<HTTP.Request, HTTP.Response>

    /// Downloads from answers to a file of its own, and reads it.
    static func download(
        _ answers: [Answer], retry: RetryPolicy = .standard, options: DownloadOptions = .standard
    ) async throws -> (Result<DownloadedFile, Failure>, ScriptedTransport, text: String?) {
        try await DownloadTests.inFolder { folder in
            let file = folder.appendingPathComponent("map.zip")
            let transport = ScriptedTransport(answers)
            let client = try DownloadTests.client(transport, retry: retry)
            let transfer = client.download("map", to: file, options: options)
            let result: Result<DownloadedFile, Failure>
            do throws(Failure) {
                result = .success(try await transfer.value)
            } catch {
                result = .failure(error)
            }
            return (result, transport, try? String(contentsOf: file, encoding: .utf8))
        }
    }

    static func part(_ text: String, _ range: String, _ headers: HTTP.Headers = DownloadTests.tag) -> Answer {
        var headers = headers
        headers["Content-Range"] = "bytes \(range)"
        return .stream([.bytes(text)], status: 206, headers: headers)
    }

    static func ranges(_ transport: ScriptedTransport) -> [String?] { transport.requests.map { $0.headers["Range"] } }

    @Test("that bring less than the rest are taken, and the next is asked for, whatever the policy")
    func subset() async throws {
        let answers = [
            DownloadTests.cut("0123"), Self.part("45", "4-5/16"), Self.part("6789", "6-9/16"),
            Self.part("abcdef", "10-15/16"),
        ]
        let (result, transport, text) = try await Self.download(answers)
        #expect(try result.get().isComplete)
        #expect(text == DownloadTests.text)
        #expect(Self.ranges(transport) == [nil, "bytes=4-", "bytes=6-", "bytes=10-"])
        #expect(try result.get().report == TransferReport(bytes: 16, expected: 16, legs: 4))
    }

    @Test(
        "that are small have a wait between them, so that no server is asked a thousand times a second",
        arguments: [(1023, Duration.milliseconds(100)), (1024, .zero)])
    func smallParts(_ size: Int, _ wait: Duration) async throws {
        try await DownloadTests.inFolder { folder in
            let clock = RecordingClock()
            let text = String(repeating: "a", count: size)
            let parts = (1...3).map { Self.part(text, "\($0 * size)-\(($0 + 1) * size - 1)/\(4 * size)") }
            let transport = ScriptedTransport([DownloadTests.cut(text, of: 4 * size)] + parts)
            let client = try DownloadTests.client(transport, clock, retry: RetryPolicy(backoff: .none))
            let file = try await client.download("map", to: folder.appendingPathComponent("map")).value
            #expect(file.report.bytes == Int64(4 * size))
            #expect(clock.sleeps == [.zero, wait, wait])
        }
    }

    @Test("are asked for by the download alone: a Range of the caller's is refused before anything is sent")
    func ownRange() async throws {
        try await DownloadTests.inFolder { folder in
            let transport = ScriptedTransport(DownloadTests.whole(DownloadTests.text))
            let client = try DownloadTests.client(transport)
            let transfer = client.download(
                "map", to: folder.appendingPathComponent("map"), headers: ["Range": "bytes=4-"])
            let failure = await #expect(throws: Failure.self) { _ = try await transfer.value }
            #expect(failure?.code == "request.invalid")
            #expect(failure?.explanation.contains("leave it out") == true)
            #expect(transport.requests.isEmpty)
        }
    }

    @Test("that do not say how much there is are no end: the next is asked for until there is none")
    func unknownTotal() async throws {
        let answers = [
            DownloadTests.cut("0123", of: nil), Self.part("4567", "4-7/*"), Self.part("89abcdef", "8-15/*"),
            .status(416, headers: ["Content-Range": "bytes */16"]),
        ]
        let (result, transport, text) = try await Self.download(answers)
        #expect(try result.get().isComplete)
        #expect(text == DownloadTests.text)
        #expect(Self.ranges(transport) == [nil, "bytes=4-", "bytes=8-", "bytes=16-"])
    }

    @Test(
        "are not whole because the server has no more, if there is more of the file, or it is another one",
        arguments: [
            ("0123", 16, ["Content-Range": "bytes */4"]),
            ("0123456789abcdef", nil, ["Content-Range": "bytes */16", "ETag": "\"v2\""]),
            ("0123456789abcdef", nil, ["Content-Range": "bytes */17"]), ("0123456789abcdef", nil, [:]),
        ] as [(String, Int?, HTTP.Headers)])
    func noSuchRange(_ beginning: String, of total: Int?, _ headers: HTTP.Headers) async throws {
        let answers = [
            DownloadTests.cut(beginning, of: total), .status(416, headers: headers),
            DownloadTests.whole("another", ["ETag": "\"v2\""]),
        ]
        let (result, transport, text) = try await Self.download(answers)
        #expect(try result.get().report == TransferReport(bytes: 7, expected: 7, legs: 3))
        #expect(text == "another")
        #expect(Self.ranges(transport) == [nil, "bytes=\(beginning.utf8.count)-", nil])
    }

    @Test("are counted in the status when the server has nothing more")
    func statusOfWhole() async throws {
        try await DownloadTests.inFolder { folder in
            let transport = ScriptedTransport(
                DownloadTests.cut(DownloadTests.text, of: nil), .status(416, headers: ["Content-Range": "bytes */16"]))
            let transfer = try DownloadTests.client(transport).download("map", to: folder.appendingPathComponent("map"))
            _ = try await transfer.value
            #expect(transfer.status == TransferStatus(bytes: 16, expected: 16, legs: 2))
        }
    }

    /// Answers from a URL, as after a redirect.
    private static func from(
        _ url: String, _ pieces: [StreamPiece], status: Int = 200, _ headers: HTTP.Headers
    ) -> Answer {
        .respond { _, context in
            var rest = pieces[...]
            let queue = Lock(rest)
            rest = []
            let head = HTTP.Response(status: status, headers: headers, url: URL(string: url))
            guard let intake = context.intake else {
                return head
            }
            return try await intake.receive(
                head,
                HTTP.IncomingBody {
                    switch queue.withLock({ $0.popFirst() }) {
                    case .bytes(let text): return Data(text.utf8)
                    case .lost: throw TransportError(.lost, phase: .receiving)
                    default: return nil
                    }
                })
        }
    }

    @Test("are of one URL after all redirects, unless a checksum tells them apart", arguments: [false, true])
    func otherSource(hasChecksum: Bool) async throws {
        let rest: HTTP.Headers = ["ETag": "\"v1\"", "Content-Range": "bytes 4-15/16"]
        let first: HTTP.Headers = ["ETag": "\"v1\"", "Content-Length": "16"]
        let answers = [
            Self.from("https://a.example.com/map", [.bytes("0123"), .lost], first),
            Self.from("https://b.example.com/map", [.bytes("456789abcdef")], status: 206, rest),
            DownloadTests.whole(DownloadTests.text),
        ]
        let options = try DownloadOptions(sha256: hasChecksum ? DownloadTests.digest : nil)
        let (result, transport, text) = try await Self.download(answers, options: options)
        _ = try result.get()
        #expect(text == DownloadTests.text)
        #expect(Self.ranges(transport) == [nil, "bytes=4-"] + (hasChecksum ? [] : [nil]))
    }

    @Test("are left only by a request that can be made again, and are not those of another method")
    func otherMethod() async throws {
        try await DownloadTests.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let transport = ScriptedTransport(DownloadTests.cut("0123"), DownloadTests.whole(DownloadTests.text))
            let client = try DownloadTests.client(transport)
            let failure = await #expect(throws: Failure.self) {
                _ = try await client.download(.post("map", json: ["of": "7"]), to: file).value
            }
            #expect(failure?.stopReason == .notIdempotent)
            #expect(failure?.transfer?.bytes == 4)
            #expect(try DownloadTests.names(in: folder).isEmpty)
            _ = try await client.download("map", to: file).value
            #expect(Self.ranges(transport) == [nil, nil])
        }
    }

    @Test("have the checksum that was announced with the first of them, in a later download too")
    func digestOfFirst() async throws {
        try await DownloadTests.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            var headers = DownloadTests.tag
            headers["Repr-Digest"] = "sha-256=:\(DownloadEndTests.base64):"
            let transport = ScriptedTransport(
                DownloadTests.cut("0123", of: 16, headers), DownloadTests.rest("456789abcdeX", from: 4))
            let client = try DownloadTests.client(transport, retry: .never)
            await #expect(throws: Failure.self) { _ = try await client.download("map", to: file).value }
            let failure = await #expect(throws: Failure.self) { _ = try await client.download("map", to: file).value }
            #expect(failure?.code == "storage.checksum")
            #expect(failure?.transfer == TransferReport(bytes: 16, expected: 16, legs: 1))
            #expect(failure?.stopReason == .notRetryable)
            #expect(try DownloadTests.names(in: folder).isEmpty)
        }
    }

    @Test("go on after too much had arrived at once, as after a loss, if the policy retries at all")
    func overrun() async throws {
        var head = DownloadTests.tag
        head["Content-Length"] = "16"
        let overrun = Answer.stream(
            [.bytes("0123"), .failure(TransportError(.overrun, phase: .receiving))], headers: head)
        do {
            let (result, transport, _) = try await Self.download([overrun, DownloadTests.rest("456789abcdef", from: 4)])
            #expect(try result.get().report.bytes == 16)
            #expect(Self.ranges(transport) == [nil, "bytes=4-"])
        }
        do {
            let (result, transport, _) = try await Self.download([overrun.repeated()], retry: .never)
            #expect(result.failure?.code == "transport.overrun")
            #expect(transport.requests.count == 1)
        }
        let unnamed = Answer.stream([.bytes("0123"), .failure(TransportError(.overrun, phase: .receiving))])
        do {
            let (result, transport, _) = try await Self.download([unnamed.repeated()])
            #expect(result.failure?.stopReason == .notRetryable)
            #expect(transport.requests.count == 1)
        }
    }

    @Test("that contradict each other to the end are storage.changed")
    func contradiction() async throws {
        let answers = [DownloadTests.cut("0123"), Self.part("5", "5-15/16").repeated()]
        let (result, _, _) = try await Self.download(answers, retry: RetryPolicy(attempts: 2))
        #expect(result.failure?.code == "storage.changed")
    }

    @Test(
        "that cannot be used, whatever their version, are not asked for again", arguments: [false, true])
    func useless(isElsewhere: Bool) async throws {
        let rest: HTTP.Headers = ["ETag": "\"v1\"", "Content-Range": "bytes 4-15/16"]
        let part =
            isElsewhere
            ? Self.from("https://b.example.com/map", [.bytes("456789abcdef")], status: 206, rest)
            : Self.part("5", "5-15/16")
        let answers = [
            DownloadTests.cut("0123"), part, DownloadTests.cut("0123"), DownloadTests.cut("0123"),
            DownloadTests.whole(DownloadTests.text),
        ]
        let (result, transport, text) = try await Self.download(answers, retry: RetryPolicy(backoff: .none))
        #expect(try result.get().isComplete)
        #expect(text == DownloadTests.text)
        #expect(Self.ranges(transport) == [nil, "bytes=4-", nil, nil, nil])
    }

    @Test("that were refused are not asked for again, though earlier ones had come")
    func refusedLater() async throws {
        let part = Answer.stream(
            [.bytes("4567"), .lost], status: 206, headers: ["ETag": "\"v1\"", "Content-Range": "bytes 4-15/16"])
        let answers = [
            DownloadTests.cut("0123"), part, .status(403), DownloadTests.cut("0123"),
            DownloadTests.whole(DownloadTests.text),
        ]
        let (result, transport, text) = try await Self.download(answers, retry: RetryPolicy(backoff: .none))
        #expect(try result.get().isComplete)
        #expect(text == DownloadTests.text)
        #expect(Self.ranges(transport) == [nil, "bytes=4-", "bytes=8-", nil, nil])
    }

    @Test("are asked for again after a file that has changed once was begun anew and lost")
    func changedOnce() async throws {
        let new: HTTP.Headers = ["ETag": "\"v2\""]
        let lost = Stub<HTTP.Request, HTTP.Response>.stream(
            [.bytes("0123456789"), .lost], headers: ["ETag": "\"v2\"", "Content-Length": "16"])
        let (result, transport, text) = try await Self.download([
            DownloadTests.cut("zzzz"), Self.part("456789abcdef", "4-15/16", new), lost,
            Self.part("abcdef", "10-15/16", new),
        ])
        #expect(try result.get().isComplete)
        #expect(text == DownloadTests.text)
        #expect(Self.ranges(transport) == [nil, "bytes=4-", nil, "bytes=10-"])
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
