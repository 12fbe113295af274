import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("A log", .limited)
struct LogTests {
    @Test("of the system takes everything from info up, unless told otherwise", arguments: LogLevel.allCases)
    func minimum(level: LogLevel) {
        #expect(SystemLog.shared.isEnabled(level) == (level >= .info))
        for minimum in LogLevel.allCases {
            #expect(SystemLog(minimum: minimum).isEnabled(level) == (level >= minimum))
        }
    }

    #if canImport(Glibc)
        @Test("of the system goes to standard error, and is silent in a test run")
        func standardError() async throws {
            let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
                SystemLog.shared.write(LogEntry(.debug, "a detail"))
                SystemLog.shared.write(LogEntry(.warning, "first"))
                SystemLog.silence()
                SystemLog.shared.write(LogEntry(.error, "second"))
                exit(EXIT_SUCCESS)
            }
            #expect(String(decoding: result.standardErrorContent, as: UTF8.self) == "backstop warning: first\n")
        }

        @Test("of the system is whole where standard error does not wait")
        func impatientStandardError() async throws {
            let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
                _ = fcntl(STDERR_FILENO, F_SETFL, fcntl(STDERR_FILENO, F_GETFL) | O_NONBLOCK)
                for number in 1...500 {
                    SystemLog.shared.write(LogEntry(.warning, "\(number) " + String(repeating: "x", count: 20_000)))
                }
                exit(EXIT_SUCCESS)
            }
            let lines = result.standardErrorContent.split(separator: UInt8(ascii: "\n"))
            #expect(lines.map(\.count) == (1...500).map { "backstop warning: \($0) ".utf8.count + 20_000 })
        }
    #endif

    @Test("of an app's own takes everything by default", arguments: LogLevel.allCases)
    func defaultLevel(level: LogLevel) {
        struct Silent: LogSink {
            func write(_ entry: LogEntry) {}
        }
        #expect(Silent().isEnabled(level))
    }

    @Test("has levels that are ordered by how much they matter")
    func levels() {
        #expect(LogLevel.allCases == [.debug, .info, .notice, .warning, .error])
        #expect(LogLevel.allCases.sorted() == LogLevel.allCases)
        #expect(LogLevel.debug < .info)
        #expect(!(LogLevel.error < .error))
    }

    @Test("has entries with level, text and the number of the call")
    func entry() {
        #expect(LogEntry(.info, "text").callID == nil)
        #expect(LogEntry(.info, "text", callID: 3) == LogEntry(.info, "text", callID: 3))
        #expect(LogEntry(.info, "text") != LogEntry(.debug, "text"))
    }
}
