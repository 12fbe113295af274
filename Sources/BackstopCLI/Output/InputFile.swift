#if Demo
    internal import ArgumentParser
    internal import Foundation
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// The input named by an argument: a file, or standard input for `-`.
    enum InputFile {
        /// All bytes of the file, unchanged.
        ///
        /// - Throws: `ValidationError` when it cannot be read.
        static func read(_ path: String) throws -> Data {
            guard !path.isEmpty else {
                throw ValidationError("The name of the file is missing; - is standard input.")
            }
            let isInput = path == "-"
            var isFolder: ObjCBool = false
            if !isInput, FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
                throw unreadable(path, "it is a folder")
            }
            let descriptor = isInput ? STDIN_FILENO : open(path, O_RDONLY)
            guard descriptor >= 0 else {
                throw unreadable(path, String(cString: strerror(errno)))
            }
            do {
                return try FileHandle(fileDescriptor: descriptor, closeOnDealloc: !isInput).readToEnd() ?? Data()
            } catch {
                throw unreadable(path, error.localizedDescription)
            }
        }

        private static func unreadable(_ path: String, _ reason: String) -> ValidationError {
            ValidationError("The file \(path) cannot be read: \(reason)")
        }
    }
#endif
