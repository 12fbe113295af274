internal import Foundation

/// Which file is open, to tell whether a path leads to it.
struct FileIdentity {
    // Not with `stat`: each app whose binary has it must declare a reason
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
        private let descriptor: Int32

        /// - Parameter descriptor: The file, which stays open.
        init(marking descriptor: Int32) {
            self.descriptor = descriptor
        }

        /// Whether a path leads to it, other than by a link.
        ///
        /// The system shows the path of an open file, with a mark behind it once the file has lost that.
        func isOf(_ path: String) -> Bool {
            let other = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard other >= 0 else {
                return false
            }
            defer { _ = close(other) }
            let found = Self.path(of: other)
            return found != nil && found == Self.path(of: descriptor)
        }

        private static func path(of descriptor: Int32) -> String? {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        }

        /// Takes nothing away: it has no mark.
        func unmark(_ descriptor: Int32) {}
    #endif
}
