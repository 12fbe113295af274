internal import BackstopCore
internal import Foundation

/// The open file of a body.
///
/// All of it may block, so it runs on threads that may, one at a time.
final class BodyFile: Sendable {
    /// The size when it was opened.
    let length: Int64
    /// The file, to start a sentence with.
    let name: String
    private let handle: FileHandle

    /// Opens a file at its start.
    ///
    /// - Throws: ``RequestError`` with `.bodyUnreadable`.
    init(_ url: URL) throws(RequestError) {
        guard url.isFileURL else {
            throw RequestError(.bodyUnreadable, "The URL of the body is not a file URL")
        }
        name = "The file \(url.lastPathComponent) of the body"
        do {
            handle = try FileHandle(forReadingFrom: url)
            // Directories can be opened, but not read.
            _ = try handle.read(upToCount: 1)
            length = Int64(clamping: try handle.seekToEnd())
            try handle.seek(toOffset: 0)
        } catch {
            throw RequestError(
                .bodyUnreadable, "The file \(url.lastPathComponent) of the body cannot be read", underlying: error)
        }
    }

    deinit {
        try? handle.close()
    }

    /// The next bytes; nil at the end.
    func read() throws -> Data? {
        let bytes = try handle.read(upToCount: BodyCounter.largestChunk)
        return bytes?.isEmpty == false ? bytes : nil
    }
}
