#if Demo
    internal import BackstopCore
    internal import Foundation
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// Standard output and standard error.
    enum Console {
        /// Whether standard output is a terminal.
        static let isTerminal = isatty(STDOUT_FILENO) == 1

        /// Whether to use color: on a terminal, unless `NO_COLOR` is set.
        static let color = isTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

        /// A reader that exits, such as `head`, ends the output and not the process.
        static func prepare() {
            signal(SIGPIPE, SIG_IGN)
            // A socket that got the number of a closed standard output would be sent what is printed.
            for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
                _ = open("/dev/null", O_RDONLY)
            }
        }

        /// Writes a line to standard output.
        ///
        /// - Throws: `Unwritten`, unless the reader has just gone away: it wants no more.
        static func write(_ text: String) throws(Unwritten) {
            try write(Data((text + "\n").utf8))
        }

        /// The same with bytes as they are.
        static func write(_ data: Data) throws(Unwritten) {
            do throws(Unwritten) {
                try writeAll(data, to: STDOUT_FILENO)
            } catch let error where error.code == EPIPE {
                return
            }
        }

        /// Writes a line of JSON for a terminal.
        ///
        /// - Parameter json: Without line ends, so that what is escaped stands in its strings only.
        static func writeJSON(_ json: String) throws(Unwritten) {
            try write(escaped(json))
        }

        /// JSON with its control characters escaped, which a terminal would obey, and with signs that are not seen but
        /// change how others are shown, such as those that turn the direction of writing.
        static func escaped(_ json: String) -> String {
            var line = String.UnicodeScalarView()
            for scalar in json.unicodeScalars {
                guard (0x7F...0x9F).contains(scalar.value) || Excerpt.isInvisible(scalar) else {
                    line.append(scalar)
                    continue
                }
                for unit in String(scalar).utf16 {
                    let hex = String(unit, radix: 16)
                    line += ("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).unicodeScalars
                }
            }
            return String(line)
        }

        /// Whether standard output takes more at once, or never will.
        static var takesOutput: Bool {
            var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
            return poll(&output, 1, 0) > 0
        }

        /// Writes a line to standard error; where that fails, too, there is nobody to tell.
        static func writeError(_ text: String) {
            try? writeAll(Data((text + "\n").utf8), to: STDERR_FILENO)
        }
    }

    /// Marks parts of a text for a terminal.
    struct Style {
        let color: Bool

        func bold(_ text: String) -> String { wrap(text, "1") }
        func red(_ text: String) -> String { wrap(text, "31") }
        func green(_ text: String) -> String { wrap(text, "32") }
        func yellow(_ text: String) -> String { wrap(text, "33") }
        func cyan(_ text: String) -> String { wrap(text, "36") }

        private func wrap(_ text: String, _ code: String) -> String {
            color ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
    }
#endif
