internal import Foundation

/// Which file is open, to tell whether a path leads to it.
struct FileIdentity {
    // On Apple platforms not with `stat`: each app whose binary has it must declare a reason
    // (https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api).
    #if canImport(Darwin)
        private static let name = "backstop.partial"

        private let mark = UInt64.random(in: .min ... .max)

        /// - Parameter descriptor: The file, which gets a mark.
        init(marking descriptor: Int32) {
            withUnsafeBytes(of: mark) { mark in
                _ = fsetxattr(descriptor, Self.name, mark.baseAddress, mark.count, 0, 0)
            }
        }

        /// Whether a path leads to it, other than by a link.
        func isOf(_ path: String) -> Bool {
            var found: UInt64 = 0
            let count = withUnsafeMutableBytes(of: &found) { found in
                getxattr(path, Self.name, found.baseAddress, found.count, 0, XATTR_NOFOLLOW)
            }
            return count == MemoryLayout<UInt64>.size && found == mark
        }

        /// Takes the mark away.
        func unmark(_ descriptor: Int32) {
            _ = fremovexattr(descriptor, Self.name, 0)
        }
    #else
        private let numbers: (device: dev_t, node: ino_t)?

        /// - Parameter descriptor: The file.
        init(marking descriptor: Int32) {
            var found = stat()
            numbers = fstat(descriptor, &found) == 0 ? (found.st_dev, found.st_ino) : nil
        }

        /// Whether a path leads to it, other than by a link.
        func isOf(_ path: String) -> Bool {
            var found = stat()
            guard let numbers, lstat(path, &found) == 0 else {
                return false
            }
            return numbers == (found.st_dev, found.st_ino)
        }

        /// Takes nothing away: it has no mark.
        func unmark(_ descriptor: Int32) {}
    #endif
}
