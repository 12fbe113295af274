internal import Backstop
internal import BackstopCore
internal import Foundation

#if canImport(Darwin)
    internal import Darwin
#endif

extension TransportConformance.Case {
    /// What a server can cost.
    static let memory: [Self] = [
        Self(
            "memory.tinyChunks", "RFC 9112, 7.1", "keeps chunks of one byte in little more memory than their bytes",
            runsAlone: true
        ) { trial in
            let count = 1 << 18
            let part = [UInt8](repeatElement(Array("1\r\na\r\n".utf8), count: 8192).joined())
            let server = try trial.serve { connection in
                try connection.readRequest()
                try connection.send(.http("200 OK", ["Transfer-Encoding: chunked"]))
                try connection.flood(part, times: count / 8192)
                try connection.send("0\r\n\r\n")
                connection.waitForEnd()
            }
            let before = ProcessMemory.resident
            let peak = Lock(before)
            let watcher = Task {
                while !Task.isCancelled {
                    peak.withLock { $0 = max($0, ProcessMemory.resident) }
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            defer { watcher.cancel() }
            let outcome = try await trial.get(server.origin, limit: .seconds(50))
            peak.withLock { $0 = max($0, ProcessMemory.resident) }
            try trial.expect("the failure", outcome.failure.map { _ in outcome.description }, is: nil)
            try trial.expect("the number of bytes", outcome.response?.body.count, is: count)
            let grown = peak.withLock { $0 } - before
            try trial.require(
                grown < 16 << 20, "at most 16 MiB more memory for a body of 256 KiB", came: "\(grown >> 20) MiB more")
        }
    ]
}

/// The memory of this process.
private enum ProcessMemory {
    /// The bytes in physical memory; on Apple platforms, at most until now.
    static var resident: Int {
        #if canImport(Darwin)
            // getrusage(2): there in bytes
            var usage = rusage()
            return getrusage(RUSAGE_SELF, &usage) == 0 ? Int(usage.ru_maxrss) : 0
        #else
            guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
                return 0
            }
            let words = text.split(separator: " ")
            return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 : 0
        #endif
    }
}
