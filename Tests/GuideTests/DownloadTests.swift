import Backstop
import BackstopTesting
import Foundation
import Synchronization
import Testing

@Suite("The recipe for a download with progress")
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
            let seen = Mutex<[[Int]]>([])
            let download = Download("film.mp4", to: file, pieceSize: 4)

            try await download.run(with: client(transport)) { received, total in
                seen.withLock { $0.append([received, total]) }
            }

            #expect(try Data(contentsOf: file) == Self.content)
            #expect(seen.withLock { $0 } == [[4, 10], [8, 10], [10, 10]])
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

    @Test("after a failure it goes on where it stopped") func resumed() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(
                .respond { request, _ in Self.piece(request) }, .status(403),
                .respond { request, _ in Self.piece(request) }.repeated())
            let download = Download("film.mp4", to: file, pieceSize: 4)
            let client = try client(transport)
            await #expect(throws: Failure.self) { try await download.run(with: client) }
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
        "a server that sends another piece is refused",
        arguments: ["bytes 4-7/10", "bytes 0-3/*", "0-3/10", ""])
    func wrongPiece(contentRange: String) async throws {
        try await withFile { file in
            let transport = ScriptedTransport(.status(206, headers: ["Content-Range": contentRange], body: "0123"))

            let error = await #expect(throws: RejectionError.self) {
                try await Download("film.mp4", to: file, pieceSize: 4).run(with: client(transport))
            }

            #expect(error?.code == "range")
        }
    }

    @Test("a weak tag is not asked for, because it says nothing about bytes") func weakTag() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(
                .respond { request, _ in Self.piece(request, etag: #"W/"a""#) }.repeated())

            try await Download("film.mp4", to: file, pieceSize: 4).run(with: client(transport))

            #expect(transport.requests.map { $0.headers["If-Range"] } == [nil, nil, nil])
        }
    }
}
