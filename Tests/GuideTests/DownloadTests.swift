import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The recipe for a download with progress", .limited)
struct DownloadTests {
    private static let content = Data("0123456789".utf8)

    /// Sends what the range asks for.
    private static func piece(_ request: HTTP.Request, etag: String = #""a""#) -> HTTP.Response {
        let bounds = request.headers["Range"]?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
        guard let bounds, bounds.count == 2, bounds[0] < content.count else {
            return HTTP.Response(status: 416)
        }
        let end = min(bounds[1], content.count - 1)
        return HTTP.Response(
            status: 206, headers: ["Content-Range": "bytes \(bounds[0])-\(end)/\(content.count)", .etag: etag],
            body: content[bounds[0]...end])
    }

    private func client(_ transport: ScriptedTransport) throws -> Client {
        try Client.standard(
            baseURL: "https://api.example.com/v1", transport: transport, logging: nil
        ).withOptions { $0.clock = RecordingClock() }
    }

    private func withFile(_ body: (URL) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file)
    }

    @Test("the pieces make the file, and the progress is told after each") func pieces() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(.respond { request, _ in Self.piece(request) }.repeated())
            let seen = Notes<[Int]>()
            let download = Download("film.mp4", to: file, pieceSize: 4)

            try await download.run(with: client(transport)) { received, total in
                seen.add([received, total])
            }

            #expect(try Data(contentsOf: file) == Self.content)
            #expect(seen.all == [[4, 10], [8, 10], [10, 10]])
            #expect(transport.requests.map { $0.headers["Range"] } == ["bytes=0-3", "bytes=4-7", "bytes=8-11"])
            #expect(transport.requests.map { $0.headers["If-Range"] } == [nil, #""a""#, #""a""#])
        }
    }

    @Test("a piece that is lost is retried, and no other") func retried() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(
                .respond { request, _ in Self.piece(request) }, .failure(TransportError(.lost)),
                .respond { request, _ in Self.piece(request) }.repeated())

            try await Download("film.mp4", to: file, pieceSize: 4).run(with: client(transport))

            #expect(try Data(contentsOf: file) == Self.content)
            let ranges = transport.requests.map { $0.headers["Range"] }
            #expect(ranges == ["bytes=0-3", "bytes=4-7", "bytes=4-7", "bytes=8-11"])
        }
    }

    /// A download that was refused after its first piece of 4 bytes.
    private func interrupted(_ file: URL) async throws -> (Download, Client, ScriptedTransport) {
        let transport = ScriptedTransport(
            .respond { request, _ in Self.piece(request) }, .status(403),
            .respond { request, _ in Self.piece(request) }.repeated())
        let download = Download("film.mp4", to: file, pieceSize: 4)
        let client = try client(transport)
        await #expect(throws: Failure.self) { try await download.run(with: client) }
        return (download, client, transport)
    }

    @Test("after a failure it goes on where it stopped") func resumed() async throws {
        try await withFile { file in
            let (download, client, transport) = try await interrupted(file)
            #expect(await download.received == 4)

            try await download.run(with: client)

            #expect(try Data(contentsOf: file) == Self.content)
            let ranges = transport.requests.map { $0.headers["Range"] }
            #expect(ranges == ["bytes=0-3", "bytes=4-7", "bytes=4-7", "bytes=8-11"])
        }
    }

    @Test("a file that changes meanwhile, or a server without ranges, sends the whole file") func whole() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(
                .respond { request, _ in Self.piece(request) }, .status(200, headers: ["ETag": #""b""#], body: "new"))

            try await Download("film.mp4", to: file, pieceSize: 4).run(with: client(transport))

            #expect(try Data(contentsOf: file) == Data("new".utf8))
            try transport.checkFinished()
        }
    }

    @Test(
        "a server that sends another piece is refused, with what it sent",
        arguments: [
            "bytes 4-7/10", "bytes 0-4/10", "bytes 0-3/3", "bytes 0-3/*", "0-3/10", "bytes 0-9223372036854775807/10",
        ])
    func wrongPiece(contentRange: String) async throws {
        try await withFile { file in
            let transport = ScriptedTransport(.status(206, headers: ["Content-Range": contentRange], body: "0123"))

            let error = await #expect(throws: RejectionError.self) {
                try await Download("film.mp4", to: file, pieceSize: 4).run(with: client(transport))
            }

            #expect(error?.code == "range")
            #expect(error?.detail == "The server answered bytes=0-3 with \(contentRange), which does not fit.")
        }
    }

    @Test("a piece without content is refused, instead of being requested endlessly") func emptyPiece() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(
                .respond { request, _ in Self.piece(request) },
                .status(206, headers: ["Content-Range": "bytes 4-3/10", .etag: #""a""#]))

            let error = await #expect(throws: RejectionError.self) {
                try await Download("film.mp4", to: file, pieceSize: 4).run(with: client(transport))
            }

            #expect(error?.detail == "The server answered bytes=4-7 with bytes 4-3/10, which does not fit.")
        }
    }

    @Test("a file that was removed or cut between two runs is downloaded again", arguments: [nil, "012"])
    func lostFile(rest: String?) async throws {
        try await withFile { file in
            let (download, client, transport) = try await interrupted(file)
            try FileManager.default.removeItem(at: file)
            try rest.map { try Data($0.utf8).write(to: file) }

            try await download.run(with: client)

            #expect(try Data(contentsOf: file) == Self.content)
            let ranges = transport.requests.map { $0.headers["Range"] }
            #expect(ranges == ["bytes=0-3", "bytes=4-7", "bytes=0-3", "bytes=4-7", "bytes=8-11"])
        }
    }

    @Test(
        "without a strong tag the whole file comes at once, so that no two versions are mixed",
        arguments: [nil, #"W/"a""#])
    func weakTag(etag: String?) async throws {
        try await withFile { file in
            var headers: HTTP.Headers = ["Content-Range": "bytes 0-3/10"]
            headers[.etag] = etag
            let transport = ScriptedTransport(
                .status(206, headers: headers, body: "0123"), .status(200, body: "abcdefghijkl"))
            let seen = Notes<[Int]>()

            try await Download("film.mp4", to: file, pieceSize: 4).run(with: client(transport)) { received, total in
                seen.add([received, total])
            }

            #expect(try Data(contentsOf: file) == Data("abcdefghijkl".utf8))
            #expect(transport.requests.map { $0.headers["Range"] } == ["bytes=0-3", nil])
            #expect(transport.requests.map { $0.headers["If-Range"] } == [nil, nil])
            #expect(seen.all == [[12, 12]])
        }
    }

    @Test("without a tag, a piece that is the whole file is enough") func onePiece() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(.status(206, headers: ["Content-Range": "bytes 0-2/3"], body: "abc"))

            try await Download("film.mp4", to: file, pieceSize: 4).run(with: client(transport))

            #expect(try Data(contentsOf: file) == Data("abc".utf8))
        }
    }

    @Test(
        "a piece of another version is refused, and the next run starts over",
        arguments: [("bytes 4-7/12", #""a""#), ("bytes 4-7/10", #""b""#)])
    func otherVersion(contentRange: String, etag: String) async throws {
        try await withFile { file in
            let transport = ScriptedTransport(
                .respond { request, _ in Self.piece(request) },
                .status(206, headers: ["Content-Range": contentRange, .etag: etag], body: "abcd"),
                .respond { request, _ in Self.piece(request) }.repeated())
            let download = Download("film.mp4", to: file, pieceSize: 4)
            let client = try client(transport)
            await #expect(throws: RejectionError.self) { try await download.run(with: client) }
            #expect(await download.received == 0)

            try await download.run(with: client)

            #expect(try Data(contentsOf: file) == Self.content)
            let ranges = transport.requests.map { $0.headers["Range"] }
            #expect(ranges == ["bytes=0-3", "bytes=4-7", "bytes=0-3", "bytes=4-7", "bytes=8-11"])
        }
    }

    @Test("an empty file is downloaded") func empty() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(.status(416, headers: ["Content-Range": "bytes */0"]), .status(200))
            let seen = Notes<[Int]>()

            try await Download("film.mp4", to: file, pieceSize: 4).run(with: client(transport)) { received, total in
                seen.add([received, total])
            }

            #expect(try Data(contentsOf: file).isEmpty)
            #expect(seen.all == [[0, 0]])
            #expect(transport.requests.map { $0.headers["Range"] } == ["bytes=0-3", nil])
        }
    }

    @Test("a 416 in the middle starts over with the whole file") func shorter() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(
                .respond { request, _ in Self.piece(request) }, .status(416, headers: ["Content-Range": "bytes */2"]),
                .status(200, body: "ab"))

            try await Download("film.mp4", to: file, pieceSize: 4).run(with: client(transport))

            #expect(try Data(contentsOf: file) == Data("ab".utf8))
            try transport.checkFinished()
        }
    }

    @Test("a server that sends a piece when the whole file is asked for is refused") func unaskedPiece() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(
                .status(206, headers: ["Content-Range": "bytes 0-3/10"], body: "0123").repeated(2))

            let error = await #expect(throws: RejectionError.self) {
                try await Download("film.mp4", to: file, pieceSize: 4).run(with: client(transport))
            }

            #expect(error?.detail == "The server answered no range with bytes 0-3/10, which does not fit.")
            #expect(transport.requests.map { $0.headers["Range"] } == ["bytes=0-3", nil])
        }
    }

    @Test("a server that answers 416 to everything fails once") func always416() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(.status(416).repeated())

            let failure = await #expect(throws: Failure.self) {
                try await Download("film.mp4", to: file, pieceSize: 4).run(with: client(transport))
            }

            #expect(failure?.code == "status.416")
            #expect(transport.requests.count == 2)
        }
    }

    @Test("a changed file that is too large in one piece comes in pieces the next time") func tooLarge() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(
                .respond { request, _ in Self.piece(request, etag: #""old""#) }, .failure(TransportError(.tooLarge)),
                .respond { request, _ in Self.piece(request) }.repeated())
            let download = Download("film.mp4", to: file, pieceSize: 4)
            let client = try client(transport)
            await #expect(throws: Failure.self) { try await download.run(with: client) }

            try await download.run(with: client)

            #expect(try Data(contentsOf: file) == Self.content)
            #expect(transport.requests.map { $0.headers["If-Range"] } == [nil, #""old""#, nil, #""a""#, #""a""#])
        }
    }
}
