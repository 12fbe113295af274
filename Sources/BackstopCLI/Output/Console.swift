#if Demo
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
        }

        static func write(_ text: String) {
            try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
        }

        static func write(_ data: Data) {
            try? FileHandle.standardOutput.write(contentsOf: data)
        }

        static func writeError(_ text: String) {
            try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
        }

        static func exit(_ code: Int32) -> Never {
            Foundation.exit(code)
        }
    }

    /// Marks parts of a text for a terminal.
    struct Style {
        let color: Bool

        func bold(_ text: String) -> String { wrap(text, "1") }
        func dim(_ text: String) -> String { wrap(text, "2") }
        func red(_ text: String) -> String { wrap(text, "31") }
        func green(_ text: String) -> String { wrap(text, "32") }
        func yellow(_ text: String) -> String { wrap(text, "33") }
        func cyan(_ text: String) -> String { wrap(text, "36") }

        private func wrap(_ text: String, _ code: String) -> String {
            color ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
    }
#endif
