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
            handle = try Self.makeHandle(url)
            _ = try handle.read(upToCount: 1)
            // Throws for a pipe that has taken the file's place meanwhile.
            length = Int64(clamping: try handle.seekToEnd())
            try handle.seek(toOffset: 0)
        } catch {
            throw error as? RequestError ?? RequestError(.bodyUnreadable, "\(name) cannot be read", underlying: error)
        }
    }

    /// Opens a regular file without blocking, whatever it is.
    ///
    /// A pipe has no length and can be read only once, and opening one waits for its other end, which no time limit of
    /// the call would end.
    private static func makeHandle(_ url: URL) throws -> FileHandle {
        // Looked at before it is opened, because opening a device may have an effect. Not with `stat`: each app whose
        // binary has it must declare a reason
        // (https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api).
        let path = url.resolvingSymlinksInPath().path
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard type == nil || type == .typeRegular else {
            throw RequestError(
                .bodyUnreadable,
                "The file \(url.lastPathComponent) of the body is a folder, a pipe, a socket or a device: send a "
                    + "regular file, or read it yourself and pass a stream")
        }
        let descriptor = url.withUnsafeFileSystemRepresentation { path in
            path.map { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) } ?? -1
        }
        guard descriptor >= 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit {
        try? handle.close()
    }

    /// The next bytes; nil at the end.
    func read() throws -> Data? {
        #if canImport(Darwin)
            // What `FileHandle` returns is autoreleased there, and the thread that sends a file drains no pool before
            // its end: the whole file would stay in memory (NSAutoreleasePool).
            let bytes = try autoreleasepool { try handle.read(upToCount: BodyCounter.largestChunk) }
        #else
            let bytes = try handle.read(upToCount: BodyCounter.largestChunk)
        #endif
        return bytes?.isEmpty == false ? bytes : nil
    }
}
