import Backstop
import Foundation

/// Downloads a large file in pieces (RFC 9110, 14): each is retried separately, and only one is in memory.
actor Download {
    /// One piece, or the whole file if the server does not support ranges or the file has changed.
    private struct Piece: Endpoint {
        let target: String
        let range: String
        let etag: String?

        func makeRequest() throws -> HTTP.Request {
            var request = try HTTP.Request(.get, target, headers: ["Range": range, "Accept-Encoding": "identity"])
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
    /// The number of bytes in the file.
    private(set) var received = 0

    init(_ target: String, to file: URL, pieceSize: Int = 4 << 20) {
        self.target = target
        self.file = file
        self.pieceSize = pieceSize
    }

    /// Downloads what is missing. After a failure, call it again: it resumes where it stopped.
    /// - Parameter progress: Receives the number of bytes so far, and the total.
    func run(with client: Client, progress: @Sendable (Int, Int) async -> Void = { _, _ in }) async throws {
        if received == 0 { try Data().write(to: file) }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        while received < total {
            let range = "bytes=\(received)-\(received + pieceSize - 1)"
            let response = try await client.send(Piece(target: target, range: range, etag: etag))
            if response.status == 206 {
                // The server decides what it sends, so check.
                guard let part = contentRange(response), part.start == received, !response.body.isEmpty else {
                    throw RejectionError("range", "The server sent a different piece than \(range).")
                }
                total = part.total
            } else {
                received = 0
                total = response.body.count
            }
            try handle.truncate(atOffset: UInt64(received))
            try handle.seek(toOffset: UInt64(received))
            try handle.write(contentsOf: response.body)
            received += response.body.count
            // A weak tag does not identify bytes (RFC 9110, 13.1.5).
            etag = response.headers[.etag].flatMap { $0.hasPrefix("W/") ? nil : $0 }
            await progress(received, total)
        }
    }

    /// Reads `bytes 0-99/1234`.
    private func contentRange(_ response: HTTP.Response) -> (start: Int, total: Int)? {
        let parts = response.headers["Content-Range"]?.split { " -/".contains($0) } ?? []
        guard parts.count == 4, parts[0] == "bytes", let start = Int(parts[1]), let total = Int(parts[3]) else {
            return nil
        }
        return (start, total)
    }
}
