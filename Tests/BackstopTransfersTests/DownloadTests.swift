import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopTransfers

@Suite("A download", .limited)
struct DownloadTests {
    static let text = "0123456789abcdef"
    static let tag: HTTP.Headers = ["ETag": "\"v1\""]

    /// A folder of a test's own, which is deleted after it.
    static func inFolder<Value>(_ test: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("backstop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await test(folder)
    }

    static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    static func client(
        _ transport: ScriptedTransport, _ clock: any CallClock = RecordingClock(), retry: RetryPolicy = .standard
    ) throws -> Client {
        try EventTests.client(transport, clock, retry: Retry(retry))
    }

    static func whole(_ text: String, _ headers: HTTP.Headers = tag, length: Int? = nil) -> Stub<
        HTTP.Request, HTTP.Response
    > {
        .stream([.bytes(text)], headers: self.headers(headers, length ?? text.utf8.count))
    }

    /// The beginning of a file, and a loss.
    static func cut(_ text: String, of length: Int? = 16, _ headers: HTTP.Headers = tag) -> Stub<
        HTTP.Request, HTTP.Response
    > {
        .stream([.bytes(text), .lost], headers: self.headers(headers, length))
    }

    static func rest(
        _ text: String, from first: Int, of total: Int = 16, _ headers: HTTP.Headers = tag, isCut: Bool = false
    ) -> Stub<HTTP.Request, HTTP.Response> {
        var headers = headers
        headers["Content-Range"] = "bytes \(first)-\(total - 1)/\(total)"
        return .stream([.bytes(text)] + (isCut ? [.lost] : []), status: 206, headers: headers)
    }

    private static func headers(_ headers: HTTP.Headers, _ length: Int?) -> HTTP.Headers {
        var headers = headers
        headers["Content-Length"] = length.map { "\($0)" }
        return headers
    }

    @Test("puts the file in its place when it is whole, and leaves nothing beside it")
    func whole() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map.zip")
            let transport = ScriptedTransport(Self.whole(Self.text))
            let done = try await Self.client(transport).download("map", to: file).value
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
            #expect(done.url == file)
            #expect(done.isComplete)
            #expect(done.report == TransferReport(bytes: 16, expected: 16))
            let names = try Self.names(in: folder)
            #expect(names == ["map.zip"])
            #expect(transport.requests.first?.headers["Accept-Encoding"] == "identity")
            #expect(transport.requests.first?.headers["Range"] == nil)
        }
    }

    @Test("goes on where it stopped, however often it is cut, if each call brings something")
    func resumes() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map.zip")
            let transport = ScriptedTransport(
                Self.cut("0123"), Self.rest("45", from: 4, isCut: true), Self.rest("6", from: 6, isCut: true),
                Self.rest("7", from: 7, isCut: true), Self.rest("8", from: 8, isCut: true),
                Self.rest("9abcdef", from: 9))
            let done = try await Self.client(transport).download("map", to: file).value
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
            #expect(done.report == TransferReport(bytes: 16, expected: 16, legs: 6))
            #expect(
                transport.requests.map { $0.headers["Range"] } == [
                    nil, "bytes=4-", "bytes=6-", "bytes=7-", "bytes=8-", "bytes=9-",
                ])
            #expect(transport.requests.dropFirst().allSatisfy { $0.headers["If-Range"] == "\"v1\"" })
        }
    }

    @Test("gives up when calls bring nothing, and a later one goes on from what there is")
    func later() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map.zip")
            let transport = ScriptedTransport(
                Self.cut("0123"), Self.rest("", from: 4, isCut: true).repeated(3), Self.rest("456789abcdef", from: 4))
            let client = try Self.client(transport)
            let failure = await #expect(throws: Failure.self) { _ = try await client.download("map", to: file).value }
            #expect(failure?.code == "transport.lost")
            #expect(failure?.stopReason == .attemptsUsed(3))
            #expect(failure?.transfer == TransferReport(bytes: 4, expected: 16, legs: 4))
            let left = try Self.names(in: folder)
            #expect(left == [".map.zip.partial", ".map.zip.partial.json"])
            _ = try await client.download("map", to: file).value
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
            #expect(transport.requests.last?.headers["Range"] == "bytes=4-")
            let names = try Self.names(in: folder)
            #expect(names == ["map.zip"])
        }
    }

    @Test("gives up on a server that begins anew each time and never comes further")
    func neverFurther() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map.zip")
            let transport = ScriptedTransport(Self.cut("0123").repeated(50))
            let failure = await #expect(throws: Failure.self) {
                _ = try await Self.client(transport).download("map", to: file).value
            }
            #expect(failure?.stopReason == .attemptsUsed(3))
            #expect(transport.requests.count == 4)
        }
    }

    /// What a server answers to `Range: bytes=4-` after four bytes of the version v1, and what the next request has to
    /// be a request for: everything.
    static let contradictions: [(name: String, stub: @Sendable () -> Stub<HTTP.Request, HTTP.Response>)] = [
        ("another part", { rest("56789abcdef", from: 5) }),
        ("the beginning", { rest("0123", from: 0) }),
        ("a part without saying which", { .stream([.bytes("456789abcdef")], status: 206, headers: tag) }),
        ("a part of another version", { rest("456789abcdef", from: 4, ["ETag": "\"v2\""]) }),
        ("a part of another length", { rest("456789abcdefgh", from: 4, of: 18) }),
        ("more than the part", { rest("456789abcdefghijk", from: 4) }),
        ("a compressed part", { rest("456789abcdef", from: 4, ["Content-Encoding": "gzip"]) }),
        (
            "several parts",
            {
                .stream(
                    [.bytes("--x")], status: 206, headers: ["Content-Type": "multipart/byteranges; boundary=x"])
            }
        ),
        ("a weak part of another version", { rest("456789abcdef", from: 4, ["ETag": "W/\"v2\""]) }),
        ("a part of a version that is only alike", { rest("456789abcdef", from: 4, ["ETag": "W/\"v1\""]) }),
        ("a part of two versions", { rest("456789abcdef", from: 4, ["ETag": "\"v1\"", "ETag": "\"v2\""]) }),
        (
            "two places of one part",
            {
                .stream(
                    [.bytes("456789abcdef")], status: 206,
                    headers: ["ETag": "\"v1\"", "Content-Range": "bytes 4-15/16", "content-range": "bytes 0-11/16"])
            }
        ),
        ("a part without saying of which version", { rest("456789abcdef", from: 4, [:]) }),
        (
            "a part of another length than it says",
            {
                .stream(
                    [.bytes("456789abcdef")], status: 206,
                    headers: ["ETag": "\"v1\"", "Content-Range": "bytes 4-15/16", "Content-Length": "11"])
            }
        ),
        (
            "416 of two versions",
            { .status(416, headers: ["Content-Range": "bytes */4", "ETag": "\"v1\"", "etag": "\"v2\""]) }
        ),
        ("416 of another length", { .status(416, headers: ["Content-Range": "bytes */3"]) }),
    ]

    @Test(
        "begins anew when the server contradicts itself, and never mixes two versions",
        arguments: contradictions.indices)
    func contradiction(_ index: Int) async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map.zip")
            let transport = ScriptedTransport(
                Self.cut("0123"), Self.contradictions[index].stub(), Self.whole(Self.text))
            _ = try await Self.client(transport).download("map", to: file).value
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text, "\(Self.contradictions[index].name)")
            #expect(transport.requests.map { $0.headers["Range"] } == [nil, "bytes=4-", nil])
        }
    }

    @Test("begins anew when the file has changed, with what the server sends in the place of the part")
    func changed() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map.zip")
            let transport = ScriptedTransport(Self.cut("0123"), Self.whole("new", ["ETag": "\"v2\""]))
            let done = try await Self.client(transport).download("map", to: file).value
            #expect(try String(contentsOf: file, encoding: .utf8) == "new")
            #expect(done.report == TransferReport(bytes: 3, expected: 3, legs: 2))
        }
    }

    @Test(
        "asks for everything again when no part can be asked for safely",
        arguments: [
            [:], ["ETag": "W/\"v1\""], ["ETag": "\"v1\"", "Accept-Ranges": "none"],
            ["ETag": "\"v1\"", "etag": "\"v2\""], ["ETag": "\"v1\", \"v2\""],
            ["ETag": "\"v1\"", "Content-Encoding": "gzip"],
            ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
            [
                "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "last-modified": "Sun, 06 Nov 1994 08:49:36 GMT",
                "Date": "Sun, 06 Nov 1994 08:49:47 GMT",
            ],
            ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
            // What else it depends on may be another in a later download: a language, an account.
            [
                "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:47 GMT",
                "Vary": "Accept-Encoding, Accept-Language",
            ],
            [
                "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:47 GMT", "Vary": "*",
            ],
        ] as [HTTP.Headers])
    func unsafe(_ headers: HTTP.Headers) async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map.zip")
            let transport = ScriptedTransport(Self.cut("0123", headers), Self.whole(Self.text, headers))
            _ = try await Self.client(transport).download("map", to: file).value
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
            #expect(transport.requests.map { $0.headers["Range"] } == [nil, nil])
        }
    }

    private static func cut(_ text: String, _ headers: HTTP.Headers) -> Stub<HTTP.Request, HTTP.Response> {
        cut(text, of: 16, headers)
    }

    @Test("names a version by its date when that is more than a second old")
    func date() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map.zip")
            let headers: HTTP.Headers = [
                "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:38 GMT",
                "Vary": "Accept-Encoding, Origin",
            ]
            let transport = ScriptedTransport(
                Self.cut("0123", headers), Self.rest("456789abcdef", from: 4, headers))
            _ = try await Self.client(transport).download("map", to: file).value
            #expect(transport.requests.last?.headers["If-Range"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        }
    }

    @Test("does not go on with what is from another URL")
    func otherURL() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map.zip")
            let transport = ScriptedTransport(
                Self.cut("0123"), Self.rest("", from: 4, isCut: true).repeated(3), Self.whole(Self.text))
            let client = try Self.client(transport)
            await #expect(throws: Failure.self) { _ = try await client.download("map?of=1", to: file).value }
            _ = try await client.download("map?of=2", to: file).value
            #expect(transport.requests.last?.headers["Range"] == nil)
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
        }
    }

    @Test("is whole when everything was there already, and the server has nothing more")
    func nothingMore() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map.zip")
            let transport = ScriptedTransport(
                Self.cut(Self.text, of: nil), .status(416, headers: ["Content-Range": "bytes */16"]))
            let done = try await Self.client(transport).download("map", to: file).value
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
            #expect(done.isComplete)
        }
    }

    @Test(
        "ends as a failure or whole where a server names the last number there is",
        arguments: [
            (206, ["ETag": "\"v1\"", "Content-Range": "bytes 4-\(Int64.max)/*"]),
            (200, ["ETag": "\"v2\"", "Content-Length": "\(Int64.max)"]),
        ] as [(Int, HTTP.Headers)])
    func lastNumber(status: Int, headers: HTTP.Headers) async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map.zip")
            let transport = ScriptedTransport(
                Self.cut("0123", of: nil), .stream([.bytes("4567"), .lost], status: status, headers: headers),
                Self.cut("01", of: nil).repeated())
            let done = try? await Self.client(transport).download("map", to: file).value
            #expect(transport.requests.count > 1)
            #expect(done == nil)
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test(
        "asks for everything where a part is refused in any way",
        arguments: [
            .status(400), .status(405), .status(412), .status(501), .status(202), .status(204), .status(304),
            .status(403), .status(404),
            .failure(TransportError(.badResponse)), .failure(TransportError(.redirects)),
            rest("456789abcdef", from: 4, ["ETag": "\"v1\"", "Content-Encoding": "br"]),
            rest("456789abcdef", from: 4, ["ETag": "\"v1\"", "Content-Type": "multipart/byteranges; boundary=x"]),
        ] as [Stub<HTTP.Request, HTTP.Response>])
    func refusedPart(_ refusal: Stub<HTTP.Request, HTTP.Response>) async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let transport = ScriptedTransport(Self.cut("0123"), refusal, Self.whole(Self.text))
            _ = try await Self.client(transport).download("map", to: file).value
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
            #expect(transport.requests.map { $0.headers["Range"] } == [nil, "bytes=4-", nil])
        }
    }

    @Test(
        "asks for everything where a later part is refused, or fails in each attempt, also where nothing is repeated",
        arguments: [403, 404, 412, 500], [true, false])
    func laterRefused(status: Int, isRepeated: Bool) async throws {
        try await Self.inFolder { folder in
            let part: HTTP.Headers = ["ETag": "\"v1\"", "Content-Range": "bytes 4-15/16"]
            let retry = isRepeated ? try RetryPolicy(budget: .unlimited) : .never
            let count = status == 500 && isRepeated ? 3 : 1
            let transport = ScriptedTransport(
                [Self.cut("0123"), .stream([.bytes("4567"), .lost], status: 206, headers: part)]
                    + Array(repeating: .status(status), count: count) + [Self.whole(Self.text)])
            let file = folder.appendingPathComponent("map")
            let client = try Self.client(transport, retry: retry)
            for _ in 0..<(isRepeated ? 0 : 2) {
                await #expect(throws: Failure.self) { _ = try await client.download("map", to: file).value }
            }
            _ = try await client.download("map", to: file).value
            let parts = ["bytes=4-"] + Array(repeating: "bytes=8-", count: count)
            #expect(transport.requests.map { $0.headers["Range"] } == [nil] + parts + [nil])
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
        }
    }

    @Test(
        "goes on after an outage, in which the whole was refused or lost as well",
        arguments: [
            .status(500), .status(403), .status(412), .failure(TransportError(.redirects)),
            .failure(TransportError(.badResponse)),
        ] as [Stub<HTTP.Request, HTTP.Response>], [true, false])
    func outage(_ down: Stub<HTTP.Request, HTTP.Response>, isRepeated: Bool) async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let retry = isRepeated ? try RetryPolicy(budget: .unlimited) : .never
            let transport = ScriptedTransport(Self.cut("0123"), down.repeated())
            let client = try Self.client(transport, retry: retry)
            for _ in 0..<5 {
                await #expect(throws: Failure.self) { _ = try await client.download("map", to: file).value }
            }
            #expect(transport.requests.dropFirst().contains { $0.headers["Range"] == nil })
            let up = ScriptedTransport(Self.rest("456789abcdef", from: 4))
            _ = try await Self.client(up).download("map", to: file).value
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
        }
    }

    /// A client whose chain repeats nothing: only the policy of its options counts.
    private static func unretried(_ transport: ScriptedTransport) throws -> Client {
        let policy = try RetryPolicy(attempts: 3, budget: .unlimited)
        return try EventTests.client(transport, retry: nil).withOptions { $0.retry = policy }
    }

    @Test("asks for everything once in an outage, and for the rest before and after that", arguments: [true, false])
    func onceInAnOutage(ends: Bool) async throws {
        try await Self.inFolder { folder in
            let down = [Stub<HTTP.Request, HTTP.Response>](repeating: .status(500), count: ends ? 2 : 9)
            let transport = ScriptedTransport([Self.cut("0123")] + down + [Self.rest("456789abcdef", from: 4)])
            let result = try await Self.unretried(transport).perform(
                .get("map"), downloadingTo: folder.appendingPathComponent("map"))
            #expect(result.failure?.code == (ends ? nil : "status.500"))
            let ranges = transport.requests.map { $0.headers["Range"] }
            #expect(ranges == [nil, "bytes=4-", nil, "bytes=4-"] + (ends ? [] : ["bytes=4-"]))
        }
    }

    @Test("asks for everything again where that is not to be had for a moment")
    func busyWhole() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let transport = ScriptedTransport(
                Self.cut("0123"), .status(412), .status(503), Self.whole(Self.text))
            _ = try await Self.unretried(transport).download("map", to: file).value
            #expect(transport.requests.map { $0.headers["Range"] } == [nil, "bytes=4-", nil, nil])
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
        }
    }

    @Test("keeps a whole that was cut after its parts were refused, as often as the policy says, and goes on later")
    func cutWhole() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let wholes = (7...12).map { Self.cut(String(Self.text.prefix($0))) }
            let transport = ScriptedTransport([Self.cut("0123"), .status(403)] + wholes)
            let client = try Self.client(transport, retry: RetryPolicy(attempts: 3, budget: .unlimited))
            await #expect(throws: Failure.self) { _ = try await client.download("map", to: file).value }
            #expect(transport.requests.map { $0.headers["Range"] } == [nil, "bytes=4-", nil, nil, nil])
            let later = ScriptedTransport(Self.rest("9abcdef", from: 9))
            _ = try await Self.client(later).download("map", to: file).value
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
        }
    }

    @Test(
        "never goes on with a part that was longer than it said, whatever the whole is answered", arguments: [403, 503])
    func longPart(status: Int) async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let part: HTTP.Headers = ["ETag": "\"v1\"", "Content-Range": "bytes 4-15/16"]
            let transport = ScriptedTransport(
                Self.cut("0123"), .stream([.bytes("XXXX4567"), .bytes("89abcdef")], status: 206, headers: part),
                .status(status).repeated())
            await #expect(throws: Failure.self) {
                _ = try await Self.client(transport).download("map", to: file).value
            }
            let later = ScriptedTransport(Self.whole(Self.text))
            _ = try await Self.client(later).download("map", to: file).value
            #expect(later.requests.map { $0.headers["Range"] } == [nil])
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
        }
    }

    @Test("goes on where a part broke off after it had brought something")
    func brokenPart() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let part: HTTP.Headers = ["ETag": "\"v1\"", "Content-Range": "bytes 4-15/16"]
            let transport = ScriptedTransport(
                Self.cut("0123"),
                .stream([.bytes("4567"), .failure(TransportError(.badResponse))], status: 206, headers: part),
                Self.rest("89abcdef", from: 8))
            _ = try await Self.client(transport, retry: RetryPolicy { _ in true }).download("map", to: file).value
            #expect(transport.requests.map { $0.headers["Range"] } == [nil, "bytes=4-", "bytes=8-"])
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
        }
    }

    @Test("asks for everything where the refusal of a part has an error of the service's own")
    func refusedByService() async throws {
        struct Refusal: APIError {
            static let identifyingKeys = ["reason"]
            let reason: String
        }
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let transport = ScriptedTransport(
                Self.cut("0123"), .json(400, #"{"reason":"no ranges"}"#), Self.whole(Self.text))
            var options = CallOptions()
            options.clock = RecordingClock()
            let client = try Client(baseURL: "https://api.example.com", transport: transport, options: options) {
                Retry()
                StatusValidation()
                APIErrorDecoding(Refusal.self)
            }
            _ = try await client.download("map", to: file).value
            #expect(transport.requests.map { $0.headers["Range"] } == [nil, "bytes=4-", nil])
        }
    }

    @Test("keeps what it has where everything is refused as well, and where the refusal is of the caller or passes")
    func refusedAll() async throws {
        for (status, count) in [(412, 3), (404, 3), (401, 2), (524, 2), (503, 4), (500, 5)] {
            try await Self.inFolder { folder in
                let transport = ScriptedTransport(Self.cut("0123"), .status(status).repeated())
                let file = folder.appendingPathComponent("m")
                let failure = await #expect(throws: Failure.self) {
                    _ = try await Self.client(transport).download("map", to: file).value
                }
                #expect(failure?.code == "status.\(status)")
                #expect(transport.requests.count == count, "\(status)")
                let names = try Self.names(in: folder)
                #expect(names == [".m.partial", ".m.partial.json"])
                // The next one asks for a part: it was not the part that was refused.
                let later = ScriptedTransport(Self.rest("456789abcdef", from: 4), Self.whole(Self.text))
                _ = try? await Self.client(later).download("map", to: file).value
                #expect(later.requests.map { $0.headers["Range"] } == ["bytes=4-"], "\(status)")
            }
        }
    }

    @Test("begins anew where a part has a tag, and what it was to go on with had none")
    func newTag() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let dates: HTTP.Headers = [
                "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:47 GMT",
            ]
            let transport = ScriptedTransport(
                Self.cut("0123", dates), Self.rest("456789abcdef", from: 4), Self.whole("new"))
            _ = try await Self.client(transport).download("map", to: file).value
            #expect(try String(contentsOf: file, encoding: .utf8) == "new")
        }
    }

    @Test(
        "refuses a part that nobody asked for, and an answer without a file",
        arguments: [202, 204, 205, 206, 207, 208, 226])
    func noFile(_ status: Int) async throws {
        try await Self.inFolder { folder in
            let transport = ScriptedTransport(.stream([.bytes("")], status: status).repeated())
            await #expect(throws: Failure.self) {
                _ = try await Self.client(transport).download("map", to: folder.appendingPathComponent("map")).value
            }
            let names = try Self.names(in: folder)
            #expect(names.isEmpty)
        }
    }

    @Test("is never whole with fewer bytes than announced, or more")
    func length() async throws {
        try await Self.inFolder { folder in
            for (text, code) in [("0123", "transport.truncated"), (Self.text + "x", "transport.badResponse")] {
                let transport = ScriptedTransport(Self.whole(text, [:], length: 16).repeated())
                let failure = await #expect(throws: Failure.self) {
                    _ = try await Self.client(transport).download("map", to: folder.appendingPathComponent("map")).value
                }
                #expect(failure?.code == code)
                let names = try Self.names(in: folder)
                #expect(names.isEmpty)
            }
        }
    }

    /// The SHA-256 of the text, by `sha256sum`.
    static let digest = "9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f"

    @Test("has the checksum that was asked for or announced, or fails and keeps nothing")
    func checksum() async throws {
        let base64 = Data(
            stride(from: 0, to: 64, by: 2).compactMap { UInt8(Self.digest.dropFirst($0).prefix(2), radix: 16) }
        ).base64EncodedString()
        try await Self.inFolder { folder in
            func download(_ name: String, _ text: String, _ headers: HTTP.Headers, _ sha256: String?) async throws
                -> Bool
            {
                let transport = ScriptedTransport(Self.whole(text, headers))
                return try await Self.client(transport).download(
                    "map", to: folder.appendingPathComponent(name), options: DownloadOptions(sha256: sha256)
                ).value.isComplete
            }
            _ = try await download("a", Self.text, [:], Self.digest.uppercased())
            _ = try await download("b", Self.text, ["Repr-Digest": "sha-512=:AAAA:, sha-256=:\(base64):"], nil)
            _ = try await download("c", "other", ["Content-Digest": "sha-256=:\(base64):"], nil)
            let announced: HTTP.Headers = ["Repr-Digest": "sha-256=:\(base64):"]
            for (headers, sum) in [(HTTP.Headers(), Self.digest), (announced, nil)] as [(HTTP.Headers, String?)] {
                let failure = await #expect(throws: Failure.self) { _ = try await download("d", "other", headers, sum) }
                #expect(failure?.code == "storage.checksum")
                #expect(failure?.message.title == "Not saved")
            }
            let names = try Self.names(in: folder)
            #expect(names == ["a", "b", "c"])
        }
    }

    @Test("does not replace a file unless it is to, before anything is sent and at the end")
    func existing() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            try Data("old".utf8).write(to: file)
            let transport = ScriptedTransport(Self.whole(Self.text).repeated())
            let client = try Self.client(transport)
            let failure = await #expect(throws: Failure.self) { _ = try await client.download("map", to: file).value }
            #expect(failure?.code == "storage.exists")
            #expect(transport.requests.isEmpty)
            _ = try await client.download("map", to: file, options: DownloadOptions(existing: .replace)).value
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)

            let other = folder.appendingPathComponent("other")
            let late = ScriptedTransport(
                .respond { _, _ in
                    try Data("mine".utf8).write(to: other)
                    return HTTP.Response(status: 200, body: Data(Self.text.utf8))
                })
            let meanwhile = await #expect(throws: Failure.self) {
                _ = try await Self.client(late).download("map", to: other).value
            }
            #expect(meanwhile?.code == "storage.exists")
            #expect(try String(contentsOf: other, encoding: .utf8) == "mine")
        }
    }

    @Test("fails before anything is sent where it cannot write")
    func unwritable() async throws {
        try await Self.inFolder { folder in
            let transport = ScriptedTransport(Self.whole(Self.text).repeated())
            let client = try Self.client(transport)
            for (url, code) in [
                (folder.appendingPathComponent("none/map"), "storage.missing"), (folder, "storage.exists"),
                (URL(fileURLWithPath: "/proc/map"), "storage.missing"),
            ] {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await client.download("map", to: url).value
                }
                #expect(failure?.code == code)
            }
            #expect(transport.requests.isEmpty)
        }
    }

    @Test("says that there is no space, and goes on when there is")
    func full() async throws {
        // A file of the system that is always full.
        let error = #expect(throws: StorageError.self) {
            let file = PartialFile(URL(fileURLWithPath: "/nowhere/map"), .standard, path: "/dev/full")
            try file.open()
            try file.append(Data("x".utf8))
        }
        #expect(error?.code.name == "full")
    }

    @Test("is refused while another writes the same file")
    func inUse() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let clock = ManualClock()
            let transport = ScriptedTransport(
                .stream(
                    [.bytes("0123"), .wait(.seconds(5)), .bytes("456789abcdef")], headers: ["Content-Length": "16"]))
            let client = try Self.client(transport, clock)
            let first = client.download("map", to: file)
            await clock.waitForSleeper(remaining: .seconds(5))
            let other = try Self.client(transport)
            let failure = await #expect(throws: Failure.self) { _ = try await other.download("map", to: file).value }
            #expect(failure?.code == "storage.inUse")
            // It has waited a second, or as long as its call may take.
            for (deadline, count) in [(Duration.seconds(60), 20), (.milliseconds(200), 4)] {
                let recording = RecordingClock()
                let hurried = try Self.client(transport, recording).withOptions { $0.deadline = deadline }
                await #expect(throws: Failure.self) { _ = try await hurried.download("map", to: file).value }
                #expect(recording.sleeps == Array(repeating: .milliseconds(50), count: count))
            }
            await clock.advance(by: .seconds(5))
            _ = try await first.value
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
        }
    }

    @Test("waits a moment for one to the same file that is on its way out")
    func leaving() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let clock = ManualClock()
            let cancelled = PartialFile(file, .standard)
            try cancelled.open()
            let next = try Self.client(ScriptedTransport(Self.whole(Self.text)), clock).download("map", to: file)
            await clock.waitForSleeper(remaining: .milliseconds(50))
            cancelled.leave()
            await clock.advance(by: .milliseconds(50))
            _ = try await next.value
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)

            // Another process has only the lock of the system.
            let other = open(folder.appendingPathComponent(".m.partial").path, O_RDWR | O_CREAT, 0o600)
            #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
            let last = try Self.client(ScriptedTransport(Self.whole(Self.text)), clock)
                .download("m", to: folder.appendingPathComponent("m"))
            await clock.waitForSleeper(remaining: .milliseconds(50))
            close(other)
            await clock.advance(by: .milliseconds(50))
            _ = try await last.value
        }
    }

    @Test("has no more bytes than it may, announced or not")
    func limit() async throws {
        try await Self.inFolder { folder in
            for length in [16, nil] {
                let transport = ScriptedTransport(
                    .stream([.bytes(Self.text)], headers: Self.headers([:], length)).repeated())
                let failure = await #expect(throws: Failure.self) {
                    _ = try await Self.client(transport).download(
                        "map", to: folder.appendingPathComponent("map"), options: DownloadOptions(limit: 15)
                    ).value
                }
                #expect(failure?.code == "transport.tooLarge")
                #expect(transport.requests.count == 1)
            }
        }
    }

    @Test("has the permissions that it is to have, from its first byte on")
    func permissions() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let client = try Self.client(ScriptedTransport(Self.whole(Self.text)))
            _ = try await client.download("map", to: file, options: DownloadOptions(permissions: 0o640)).value
            let found = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(found == 0o640)
        }
    }

    @Test("refuses options out of their ranges, and says what they may be")
    func options() {
        for make in [
            { try DownloadOptions(sha256: "abc") }, { try DownloadOptions(limit: -1) },
            { try DownloadOptions(permissions: 0o1000) }, { try DownloadOptions(silence: .zero) },
        ] as [() throws -> DownloadOptions] {
            #expect(throws: ConfigurationError.self) { _ = try make() }
        }
    }

    @Test("tells how far it is, and keeps what it has when it is cancelled")
    func progress() async throws {
        try await Self.inFolder { folder in
            let clock = ManualClock()
            let transport = ScriptedTransport(
                .stream(
                    [.bytes("0123"), .wait(.seconds(5)), .bytes("4567"), .wait(.seconds(5))],
                    headers: ["Content-Length": "16", "ETag": "\"v1\""]))
            let transfer = try Self.client(transport, clock).download("map", to: folder.appendingPathComponent("map"))
            let progress = transfer.progress
            var updates = transfer.updates.makeAsyncIterator()
            while let now = await updates.next(), now.bytes < 4 {}
            await clock.waitForSleeper(remaining: .seconds(5))
            #expect(transfer.status == TransferStatus(bytes: 4, expected: 16, legs: 1))
            #expect(transfer.status.fraction == 0.25)
            #expect(progress.completedUnitCount == 4)
            #expect(progress.totalUnitCount == 16)
            progress.cancel()
            let failure = await #expect(throws: Failure.self) { _ = try await transfer.value }
            #expect(failure?.isCancelled == true)
            while await updates.next() != nil {}
            let names = try Self.names(in: folder)
            #expect(names == [".map.partial", ".map.partial.json"])
        }
    }

    @Test("asks for everything when the chain accepts no part")
    func noParts() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let transport = ScriptedTransport(
                Self.cut("0123"), Self.rest("456789abcdef", from: 4), Self.whole(Self.text))
            var options = CallOptions()
            options.clock = RecordingClock()
            let client = try Client(baseURL: "https://api.example.com", transport: transport, options: options) {
                Retry()
                StatusValidation(accepting: 200...200)
            }
            _ = try await client.download("map", to: file).value
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
            #expect(transport.requests.map { $0.headers["Range"] } == [nil, "bytes=4-", nil])
        }
    }

    @Test("passes its failure to the handlers, and goes on when one repeats it")
    func handlers() async throws {
        try await Self.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let transport = ScriptedTransport(Self.cut("0123"), Self.rest("456789abcdef", from: 4))
            let outcome = try await Self.client(transport, retry: .never).perform(.get("map"), downloadingTo: file) {
                On(.transport(.lost)) { _ in Verdict.retry }
            }
            #expect(outcome.value?.report.bytes == 16)
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
            #expect(transport.requests.last?.headers["Range"] == "bytes=4-")
        }
    }

    @Test("is made once with a request that does more than read")
    func post() async throws {
        try await Self.inFolder { folder in
            let transport = ScriptedTransport(Self.cut("0123").repeated())
            let failure = await #expect(throws: Failure.self) {
                _ = try await Self.client(transport).download(
                    .post("exports", json: ["of": "rows"]), to: folder.appendingPathComponent("rows")
                ).value
            }
            #expect(failure?.code == "transport.lost")
            #expect(transport.requests.count == 1)
        }
    }
}

@Suite("The part that a response has", .limited)
struct ContentRangeTests {
    @Test(
        "is read as RFC 9110, 14.4 has it, or not at all",
        arguments: [
            ("bytes 42-1233/1234", [42, 1233, 1234]), ("bytes 42-1233/*", [42, 1233, nil]), ("Bytes 0-0/1", [0, 0, 1]),
            ("bytes */1234", [nil, nil, 1234]), ("bytes 5-4/10", nil), ("bytes 0-10/10", nil), ("bytes -4/10", nil),
            ("bytes 1-+2/10", nil), ("items 1-2/10", nil), ("bytes=1-2/10", nil), ("bytes 1-2", nil), ("", nil),
            ("bytes 0-99999999999999999999/*", nil), ("bytes 4-9223372036854775807/*", nil),
            ("bytes 4-9223372036854775806/*", [4, 9_223_372_036_854_775_806, nil]),
        ] as [(String, [Int64?]?)])
    func rules(_ text: String, _ parts: [Int64?]?) {
        #expect(ContentRange(text).map { [$0.first, $0.last, $0.total] } == parts)
    }
}
