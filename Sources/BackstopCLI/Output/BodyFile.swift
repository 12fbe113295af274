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
        private let handle: FileHandle
        /// Whether the file was created for the response, and is not an existing device or pipe.
        private let isNew: Bool

        /// Creates the file, or opens a device or a pipe.
        ///
        /// - Throws: `ValidationError` when the file already exists or cannot be created.
        init(path: String) throws {
            self.path = path
            var descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o666)
            isNew = descriptor >= 0
            if descriptor < 0, errno == EEXIST {
                guard let type = Self.type(of: path), type != .typeRegular else {
                    throw ValidationError(
                        "The file \(path) exists already: give -o another name, or remove the file first.")
                }
                guard type != .typeDirectory else {
                    throw ValidationError("\(path) is a folder: give -o the name of a file, such as \(path)/body.")
                }
                descriptor = open(path, O_WRONLY)
            }
            guard descriptor >= 0 else {
                let reason = String(cString: strerror(errno))
                throw ValidationError(
                    errno == ENOENT
                        ? "The folder of \(path) does not exist: make it first, or give -o another name."
                        : "The file \(path) cannot be written (\(reason)): give -o another name.")
            }
            handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }

        /// Writes everything; a partly written file is removed.
        func write(_ data: Data) throws {
            do {
                try handle.write(contentsOf: data)
            } catch {
                discard()
                throw error
            }
        }

        /// Removes the file if it was created for the response.
        func discard() {
            if isNew {
                unlink(path)
            }
        }

        /// The target, following symbolic links; nil when there is none.
        private static func type(of path: String) -> FileAttributeType? {
            let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            return try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
        }
    }
#endif
