import Backstop
import Foundation

/// Downloads a large file in pieces (RFC 9110, 14): each is retried separately, and only one is in memory.
///
/// Pieces need a strong `ETag`, which tells whether they belong to the same file. A server without one sends the whole
/// file at once, up to the transport's `responseLimit`.
actor Download {
    /// One piece; or the whole file, also if the server does not support ranges or the file has changed.
    private struct Piece: Endpoint {
        let target: String
        let range: String?
        let etag: String?

        func makeRequest() throws -> HTTP.Request {
            var request = try HTTP.Request(.get, target, headers: ["Accept-Encoding": "identity"])
            request.headers["Range"] = range
            request.headers["If-Range"] = etag
            return request
        }
        func content(from response: HTTP.Response) throws -> HTTP.Response { response }
    }

    private let target: String
    private let file: URL
    private let pieceSize: Int
    private var etag: String?
    private var total = Int.max
    private var isInPieces = true
    /// The number of bytes in the file.
    private(set) var received = 0

    init(_ target: String, to file: URL, pieceSize: Int = 4 << 20) {
        self.target = target
        self.file = file
        self.pieceSize = pieceSize
    }

    /// Downloads what is missing. After a failure, call it again: it resumes where it stopped, or starts over if the
    /// pieces do not fit together.
    ///
    /// - Parameter progress: Receives the number of bytes so far, and the total.
    func run(with client: Client, progress: @Sendable (Int, Int) async -> Void = { _, _ in }) async throws {
        if received == 0 || !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        if try handle.seekToEnd() < received { startOver() }  // the file was removed or cut meanwhile
        while received < total {
            let range = isInPieces ? "bytes=\(received)-\(received + pieceSize - 1)" : nil
            let response: HTTP.Response
            do throws(Failure) {
                response = try await client.send(Piece(target: target, range: range, etag: etag))
            } catch let error where error.statusCode == 416 && isInPieces {
                startOver(inPieces: false)  // the file is empty, or shorter than it was
                continue
            } catch {
                if error.code == "transport.tooLarge" { startOver() }
                throw error
            }
            // A weak tag does not identify bytes (RFC 9110, 13.1.5).
            let tag = response.headers[.etag].flatMap { $0.hasPrefix("W/") ? nil : $0 }
            if response.status == 206 {
                // The server decides what it sends, so check.
                guard isInPieces, let part = contentRange(response), part.start == received,
                    !response.body.isEmpty, part.end - part.start == response.body.count - 1, part.end < part.total,
                    total == .max || part.total == total, etag == nil || tag == nil || tag == etag
                else {
                    startOver()
                    let sent = response.headers["Content-Range"] ?? "no Content-Range"
                    throw RejectionError(
                        "range", "The server answered \(range ?? "no range") with \(sent), which does not fit.")
                }
                guard part.total == response.body.count || tag ?? etag != nil else {
                    startOver(inPieces: false)
                    continue
                }
                total = part.total
                etag = tag ?? etag
            } else {
                etag = tag
                received = 0
                total = response.body.count
            }
            try handle.truncate(atOffset: UInt64(received))
            try handle.seek(toOffset: UInt64(received))
            try handle.write(contentsOf: response.body)
            received += response.body.count
            await progress(received, total)
        }
    }

    private func startOver(inPieces: Bool = true) {
        (received, total, etag, isInPieces) = (0, .max, nil, inPieces)
    }

    /// Reads `bytes 0-99/1234`.
    private func contentRange(_ response: HTTP.Response) -> (start: Int, end: Int, total: Int)? {
        let parts = response.headers["Content-Range"]?.split { " -/".contains($0) } ?? []
        guard parts.count == 4, parts[0] == "bytes", let start = Int(parts[1]), let end = Int(parts[2]),
            let total = Int(parts[3])
        else {
            return nil
        }
        return (start, end, total)
    }
}
