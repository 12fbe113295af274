#if Demo
    internal import ArgumentParser
    internal import Foundation
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// The file of `-o`.
    ///
    /// It is created before anything is sent, and never overwrites another: an unwritable file is found before there is
    /// a response to lose.
    struct BodyFile {
        private let path: String
        private let descriptor: Int32
        /// Whether the file was created for the response, and is not an existing device or pipe.
        private let isNew: Bool

        /// Creates the file, or opens a device or a pipe.
        ///
        /// - Throws: `ValidationError` when the file already exists or cannot be created.
        init(path: String) throws {
            guard !path.isEmpty else {
                throw ValidationError("-o needs the name of a file.")
            }
            self.path = path
            var descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o666)
            isNew = descriptor >= 0
            if descriptor < 0, errno == EEXIST {
                descriptor = try Self.openExisting(path)
            }
            guard descriptor >= 0 else {
                let reason = String(cString: strerror(errno))
                throw ValidationError(
                    errno == ENOENT
                        ? "The folder of \(path) does not exist: create it first, or choose another name for -o."
                        : "The file \(path) cannot be written (\(reason)): choose another name for -o.")
            }
            self.descriptor = descriptor
        }

        /// Opens a device or a pipe; -1 with `errno` when that fails.
        ///
        /// - Throws: `ValidationError` for what is neither.
        private static func openExisting(_ path: String) throws -> Int32 {
            // What is at the end of symbolic links.
            var file = stat()
            guard stat(path, &file) == 0 else {
                guard errno == ENOENT else {
                    return -1
                }
                throw ValidationError(
                    "\(path) is a link that leads nowhere: choose another name for -o, or remove the link first.")
            }
            switch file.st_mode & S_IFMT {
            case S_IFREG:
                throw ValidationError(
                    "The file \(path) already exists: choose another name for -o, or remove the file first.")
            case S_IFDIR:
                throw ValidationError("\(path) is a folder: choose a file name for -o, such as \(path)/body.")
            default:
                return open(path, O_WRONLY)
            }
        }

        /// Writes everything; a partly written file is removed.
        func write(_ data: Data) throws(Unwritten) {
            do throws(Unwritten) {
                var file = stat()
                guard !isNew || fstat(descriptor, &file) != 0 || file.st_nlink > 0 else {
                    // It was removed during the call: what is written to it now would be lost.
                    throw Unwritten(code: ENOENT)
                }
                try writeAll(data, to: descriptor)
                // Some file systems report a full disk only when the file is closed.
                let copy = dup(descriptor)
                guard copy < 0 || close(copy) == 0 else {
                    throw Unwritten(code: errno)
                }
            } catch {
                if isNew {
                    _ = ftruncate(descriptor, 0)
                }
                discard()
                throw error
            }
        }

        /// Removes the file if it was created for the response and is empty, unless another file has its name by now.
        func discard() {
            var made = stat()
            var found = stat()
            guard isNew, fstat(descriptor, &made) == 0, lstat(path, &found) == 0, made.st_size == 0,
                made.st_dev == found.st_dev, made.st_ino == found.st_ino
            else {
                return
            }
            unlink(path)
        }
    }
#endif
