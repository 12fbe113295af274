internal import BackstopCore
internal import Foundation

/// The file beside the target that a download is written to, and what is known of it.
///
/// Everything may block, so it runs on the queue of its download, one thing at a time.
final class PartialFile {
    /// What was downloaded so far, for a later download of the same.
    struct Origin: Codable, Equatable {
        /// The hash of what was asked for.
        var asked: String
        /// The hash of the URL that it came from, after all redirects: a validator is only of that one.
        var source: String
        /// What `If-Range` takes.
        var validator: String
        /// The number of bytes in all; nil while unknown.
        var total: Int64?
        /// The SHA-256 that the server has announced; nil for none.
        var sha256: String?
    }

    private static let folder = "A folder with that name already exists."

    /// Files that are being written in this process, guarded by the lock. The lock of the system keeps others out.
    private static let inUse = Lock<Set<String>>([])

    private let target: URL
    private let options: DownloadOptions
    private let path: String
    private let originPath: String
    private var descriptor: Int32 = -1
    /// Which file is open and locked; nil for none.
    private var identity: FileIdentity?
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
        try checkTarget()
        let path = path
        guard Self.inUse.withLock({ $0.insert(path).inserted }) else {
            throw error(.inUse)
        }
        isClaimed = true
        do {
            try openDescriptor(O_CREAT)
        } catch {
            close()
            throw error
        }
        size = try currentSize()
        origin = FileManager.default.contents(atPath: originPath)
            .flatMap { $0.count < 16_384 ? try? JSONDecoder().decode(Origin.self, from: $0) : nil }
        if origin == nil || size == 0 || origin?.total.map({ size > $0 }) == true {
            try start(from: nil)
        }
    }

    /// Whether the download may have the name of the target.
    private func checkTarget() throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder), isFolder.boolValue {
            throw error(.exists, Self.folder)
        }
        // A link to nothing is in the way as well.
        let attributes = try? FileManager.default.attributesOfItem(atPath: target.path)
        if attributes == nil, access(target.path, F_OK) != 0, errno == ENAMETOOLONG {
            // The partial file has a short name: only its renaming would find that out.
            throw failure(ofSystem: errno)
        }
        guard let attributes else {
            return
        }
        guard [.typeRegular, .typeSymbolicLink].contains(attributes[.type] as? FileAttributeType) else {
            throw error(.exists, "A device, a pipe or a socket has that name.")
        }
        guard options.existing == .replace else {
            throw error(.exists)
        }
    }

    /// Opens the file, and locks it.
    ///
    /// Between the two, another process may have made it its file, or deleted it: then the lock is on a file that no path
    /// leads to, and the one that the path leads to is opened instead.
    private func openDescriptor(_ flags: Int32) throws {
        // Until it is whole, its owner alone may read it if it is to have permissions: they may be narrower than any.
        let mode: mode_t = options.permissions == nil ? 0o666 : 0o600
        for _ in 0..<8 {
            let new = try check(
                path.withCString { Foundation.open($0, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | flags, mode) },
                opening: path)
            guard flock(new, LOCK_EX | LOCK_NB) == 0 else {
                _ = Foundation.close(new)
                throw error(.inUse)
            }
            let identity = FileIdentity(marking: new)
            guard identity.isOf(path) else {
                _ = Foundation.close(new)
                continue
            }
            if descriptor >= 0 {
                _ = Foundation.close(descriptor)
            }
            (descriptor, self.identity) = (new, identity)
            if options.permissions != nil {
                _ = try check(fchmod(new, mode))
            }
            return
        }
        throw error(.inUse)
    }

    /// Whether the path still leads to the file that is locked; nothing else is deleted or renamed.
    private var isInPlace: Bool { identity?.isOf(path) == true }

    /// Why the path leads elsewhere.
    private var displaced: StorageError {
        access(path, F_OK) == 0
            ? error(.inUse) : error(.unknown, "Its partial file was deleted while it was written")
    }

    private func currentSize() throws -> Int64 {
        Int64(try check(lseek(descriptor, 0, SEEK_END)))
    }

    /// Starts anew. The bytes so far are not overwritten: another process may have made them its file meanwhile.
    func start(from origin: Origin?) throws {
        if size > 0 {
            guard isInPlace else {
                throw displaced
            }
            _ = unlink(path)
            do {
                try openDescriptor(O_CREAT | O_EXCL)
            } catch let error as StorageError where error.code == .exists {
                throw self.error(.inUse)
            }
            size = 0
        }
        try note(origin)
    }

    /// Notes where the bytes are from. A note that is cut leads to nothing, so that the next download begins anew.
    func note(_ origin: Origin?) throws {
        guard self.origin != origin || origin == nil else {
            return
        }
        guard isInPlace else {
            throw displaced
        }
        self.origin = origin
        guard let origin else {
            _ = unlink(originPath)
            return
        }
        let text = try JSONEncoder().encode(origin)
        let note = try check(
            originPath.withCString {
                Foundation.open($0, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }, opening: originPath)
        defer { _ = Foundation.close(note) }
        try write(text, to: note) { _ in }
    }

    /// Adds bytes at the end.
    func append(_ bytes: Data) throws {
        try write(bytes, to: descriptor) { size += Int64($0) }
    }

    private func write(_ bytes: Data, to descriptor: Int32, _ wrote: (Int) -> Void) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR {
                    continue
                }
                wrote(try check(count))
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Whether the bytes have all checksums that are known.
    ///
    /// - Parameter digest: The SHA-256 that the server has announced; nil for none.
    func hasDigests(_ digest: String?) throws -> Bool {
        let wanted = [options.sha256, digest].compactMap { $0 }
        guard !wanted.isEmpty else {
            return true
        }
        let found = try hexDigest()
        return wanted.allSatisfy { $0 == found }
    }

    /// Checks the bytes, and makes them the file.
    ///
    /// - Parameter digest: The SHA-256 that the server has announced; nil for none.
    func finish(digest: String?) throws {
        // Bytes are added at the end, so whoever has cut or written to it has left another size.
        guard try currentSize() == size else {
            discard()
            throw error(.unknown, "Its partial file was changed while it was written")
        }
        guard try hasDigests(digest) else {
            discard()
            throw error(.checksum, "The file's checksum does not match the announced one; what arrived was deleted")
        }
        if let permissions = options.permissions {
            _ = try check(fchmod(descriptor, mode_t(permissions)))
        }
        _ = try check(fsync(descriptor))
        guard isInPlace else {
            throw displaced
        }
        if options.existing == .replace {
            _ = try check(rename(path, target.path))
        } else {
            try place()
        }
        _ = unlink(originPath)
        identity?.unmark(descriptor)
        close()
    }

    /// Gives it the name of the target, unless there is one of that name meanwhile.
    private func place() throws {
        if link(path, target.path) == 0 {
            _ = unlink(path)
        } else if [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) {
            // A file system without a second name for a file.
            try checkTarget()
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
                throw error(.unknown, "Its partial file was changed while it was written")
            }
            digest.update(buffer[..<count])
            position += Int64(count)
        }
        return digest.hex()
    }

    /// Deletes it.
    private func discard() {
        guard descriptor >= 0 else {
            return
        }
        if isInPlace {
            _ = unlink(path)
            _ = unlink(originPath)
        } else if access(path, F_OK) != 0 {
            _ = unlink(originPath)
        }
        origin = nil
        close()
    }

    /// Leaves it for a later download; one that cannot go on is deleted.
    func leave() {
        if descriptor >= 0, origin == nil || size == 0 || !isInPlace {
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

    /// - Parameter path: A file that was to be opened: a folder in its place is not in that of the target.
    @discardableResult
    private func check<Number: SignedInteger>(_ result: Number, opening path: String? = nil) throws -> Number {
        guard result >= 0 else {
            throw failure(ofSystem: errno, opening: path)
        }
        return result
    }

    private func failure(ofSystem number: Int32, opening path: String? = nil) -> StorageError {
        let (code, detail): (StorageError.Code, String) =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: (.full, "")
            case EACCES, EPERM, EROFS, ELOOP: (.denied, "")
            case ENOENT, ENOTDIR: (.missing, "")
            case EISDIR, ENOTEMPTY: (.exists, Self.folder)
            case EEXIST: (.exists, "")
            case ENAMETOOLONG: (.unknown, "The name is longer than the file system accepts.")
            default: (.unknown, "")
            }
        return StorageError(
            code, path: number == EISDIR ? path ?? target.path : target.path, detail,
            underlying: POSIXErrorCode(rawValue: number).map { POSIXError($0) })
    }
}
