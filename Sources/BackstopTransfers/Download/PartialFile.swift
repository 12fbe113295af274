internal import BackstopCore
internal import Foundation

/// The file beside the target that a download is written to, and what is known of it.
///
/// Everything may block, so it runs on the queue of its download, one thing at a time.
final class PartialFile {
    /// What was downloaded so far, for a later download of the same.
    struct Origin: Codable, Equatable {
        /// The hash of the URL.
        var url: String
        /// What `If-Range` takes.
        var validator: String
        /// The number of bytes in all; nil while unknown.
        var total: Int64?
    }

    /// Files that are being written in this process, guarded by the lock. The lock of the system keeps others out.
    private static let inUse = Lock<Set<String>>([])

    private let target: URL
    private let options: DownloadOptions
    private let path: String
    private let originPath: String
    private var descriptor: Int32 = -1
    private var isClaimed = false
    /// How many bytes are in it.
    private(set) var size: Int64 = 0
    /// Where they are from; nil for somewhere that they cannot go on from.
    private(set) var origin: Origin?

    /// - Parameter path: Where to write; nil for beside the target.
    init(_ target: URL, _ options: DownloadOptions, path: String? = nil) {
        self.target = target
        self.options = options
        // Of a long name, what no file system refuses.
        let name =
            target.lastPathComponent.utf8.count > 200
            ? String(Digest.hex(of: Data(target.lastPathComponent.utf8)).prefix(32)) : target.lastPathComponent
        self.path = path ?? target.deletingLastPathComponent().appendingPathComponent(".\(name).partial").path
        originPath = self.path + ".json"
    }

    deinit {
        close()
    }

    /// Opens it, with what an earlier download has left.
    ///
    /// - Throws: `StorageError`.
    func open() throws {
        guard target.isFileURL, !target.lastPathComponent.isEmpty, target.lastPathComponent != "/" else {
            throw error(.missing, "The target of the download is not the URL of a file")
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder) {
            guard !isFolder.boolValue else {
                throw error(.exists, "There is a folder of that name")
            }
            guard options.existing == .replace else {
                throw error(.exists)
            }
        }
        let path = path
        guard Self.inUse.withLock({ $0.insert(path).inserted }) else {
            throw error(.inUse)
        }
        isClaimed = true
        try openDescriptor(O_RDWR | O_CREAT)
        size = Int64(try check(lseek(descriptor, 0, SEEK_END)))
        origin = FileManager.default.contents(atPath: originPath)
            .flatMap { $0.count < 16_384 ? try? JSONDecoder().decode(Origin.self, from: $0) : nil }
        if origin == nil || size == 0 || origin?.total.map({ size > $0 }) == true {
            try start(from: nil)
        }
    }

    private func openDescriptor(_ flags: Int32) throws {
        let mode = mode_t(options.permissions ?? 0o666)
        let new = try check(path.withCString { Foundation.open($0, flags | O_NOFOLLOW | O_CLOEXEC, mode) })
        guard flock(new, LOCK_EX | LOCK_NB) == 0 else {
            _ = Foundation.close(new)
            throw error(.inUse)
        }
        if descriptor >= 0 {
            _ = Foundation.close(descriptor)
        }
        descriptor = new
        if let permissions = options.permissions {
            _ = try check(fchmod(new, mode_t(permissions)))
        }
    }

    /// Starts anew. The bytes so far are not overwritten: another process may have made them its file meanwhile.
    func start(from origin: Origin?) throws {
        if size > 0 {
            _ = unlink(path)
            try openDescriptor(O_RDWR | O_CREAT | O_EXCL)
            size = 0
        }
        try note(origin)
    }

    /// Notes where the bytes are from.
    func note(_ origin: Origin?) throws {
        guard self.origin != origin || origin == nil else {
            return
        }
        self.origin = origin
        guard let origin else {
            _ = unlink(originPath)
            return
        }
        do {
            try JSONEncoder().encode(origin).write(to: URL(fileURLWithPath: originPath), options: .atomic)
        } catch {
            throw failure(of: error)
        }
    }

    /// Adds bytes at the end.
    func append(_ chunk: Data) throws {
        try chunk.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(size))
                if count < 0, errno == EINTR {
                    continue
                }
                size += Int64(try check(count))
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Checks the bytes, and makes them the file.
    ///
    /// - Parameter digest: The SHA-256 that the server has announced; nil for none.
    func finish(digest: String?) throws {
        let wanted = [options.sha256, digest].compactMap { $0 }
        if !wanted.isEmpty {
            let found = try hexDigest()
            guard wanted.allSatisfy({ $0 == found }) else {
                discard()
                throw error(.checksum)
            }
        }
        _ = try check(fsync(descriptor))
        if options.existing == .replace {
            _ = try check(rename(path, target.path))
        } else {
            try place()
        }
        _ = unlink(originPath)
        close()
    }

    /// Gives it the name of the target, unless there is one of that name meanwhile.
    private func place() throws {
        if link(path, target.path) == 0 {
            _ = unlink(path)
        } else if [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) {
            // A file system without a second name for a file.
            guard access(target.path, F_OK) != 0 else {
                throw error(.exists)
            }
            _ = try check(rename(path, target.path))
        } else {
            throw failure(ofSystem: errno)
        }
    }

    private func hexDigest() throws -> String {
        var digest = Digest()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var position: Int64 = 0
        while position < size {
            let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(position)) }
            if count < 0, errno == EINTR {
                continue
            }
            guard try check(count) > 0 else {
                throw error(.unknown, "The partial file became shorter")
            }
            digest.update(buffer[..<count])
            position += Int64(count)
        }
        return digest.hex()
    }

    /// Deletes it.
    func discard() {
        guard descriptor >= 0 else {
            return
        }
        _ = unlink(path)
        _ = unlink(originPath)
        (size, origin) = (0, nil)
        close()
    }

    /// Leaves it for a later download; one that cannot go on is deleted.
    func leave() {
        if descriptor >= 0, origin == nil || size == 0 {
            discard()
        }
        close()
    }

    private func close() {
        if descriptor >= 0 {
            _ = Foundation.close(descriptor)
            descriptor = -1
        }
        if isClaimed {
            isClaimed = false
            let path = path
            _ = Self.inUse.withLock { $0.remove(path) }
        }
    }

    // Errors.

    private func error(_ code: StorageError.Code, _ detail: String = "") -> StorageError {
        StorageError(code, path: target.path, detail)
    }

    @discardableResult
    private func check<Number: SignedInteger>(_ result: Number) throws -> Number {
        guard result >= 0 else {
            throw failure(ofSystem: errno)
        }
        return result
    }

    private func failure(ofSystem number: Int32) -> StorageError {
        let code: StorageError.Code =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EACCES, EPERM, EROFS, ELOOP: .denied
            case ENOENT, ENOTDIR: .missing
            case EEXIST, EISDIR, ENOTEMPTY: .exists
            default: .unknown
            }
        return StorageError(
            code, path: target.path, underlying: POSIXErrorCode(rawValue: number).map { POSIXError($0) })
    }

    private func failure(of error: any Error) -> StorageError {
        let cocoa = error as? CocoaError
        let posix = (cocoa?.underlying as? POSIXError ?? error as? POSIXError)?.code.rawValue
        return posix.map { failure(ofSystem: $0) }
            ?? StorageError(
                cocoa?.code == .fileWriteOutOfSpace ? .full : .unknown, path: target.path, underlying: error)
    }
}
