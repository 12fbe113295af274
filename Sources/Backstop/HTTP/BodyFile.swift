internal import BackstopCore
internal import Foundation

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Glibc
#endif

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
            handle = try Self.open(url)
            _ = try handle.read(upToCount: 1)
            length = Int64(clamping: try handle.seekToEnd())
            try handle.seek(toOffset: 0)
        } catch let error as RequestError {
            throw error
        } catch {
            throw RequestError(
                .bodyUnreadable, "The file \(url.lastPathComponent) of the body cannot be read", underlying: error)
        }
    }

    /// Opens a regular file without blocking, whatever it is.
    ///
    /// A pipe has no length and can be read only once, and opening one waits for its other end, which no time limit of
    /// the call would end.
    private static func open(_ url: URL) throws -> FileHandle {
        let descriptor = try url.withUnsafeFileSystemRepresentation { path in
            guard let path else {
                throw RequestError(.bodyUnreadable, "The path of the body's file cannot be read")
            }
            // Looked at before it is opened, because opening a device may have an effect.
            var status = stat()
            if stat(path, &status) == 0 {
                try checkIsFile(status, url)
            }
            #if canImport(Darwin)
                return Darwin.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            #elseif canImport(Musl)
                return Musl.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            #elseif canImport(Android)
                return Android.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            #else
                return Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            #endif
        }
        guard descriptor >= 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // It may have been replaced meanwhile.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        try checkIsFile(status, url)
        return handle
    }

    private static func checkIsFile(_ status: stat, _ url: URL) throws(RequestError) {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw RequestError(
                .bodyUnreadable,
                "The file \(url.lastPathComponent) of the body is a folder, a pipe, a socket or a device: send a "
                    + "regular file, or read it yourself and pass a stream")
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
