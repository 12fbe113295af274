#if Demo
    import BackstopCore
    import Foundation

    /// A process of the built command.
    ///
    /// It is killed when the test that waits for it is cancelled, as at its time limit: a command that hangs is one failed
    /// test and not the end of the run.
    final class CommandProcess: Sendable {
        struct Missing: Error {
            let tests: String
        }

        /// Which process runs, nil when it has ended; guarded by the lock.
        private let running = Lock<Int32?>(nil)
        private let ends: AsyncStream<Int32>

        /// Starts the command.
        init(
            _ arguments: [String], input: FileHandle = .nullDevice, output: Any, errors: Any = FileHandle.nullDevice,
            environment: [String: String] = [:]
        ) throws {
            let (ends, end) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(1))
            self.ends = ends
            let process = Process()
            process.executableURL = try Self.executable
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.standardInput = input
            process.standardOutput = output
            process.standardError = errors
            process.terminationHandler = { [running] process in
                running.withLock { $0 = nil }
                end.yield(process.terminationStatus)
                end.finish()
            }
            try running.withLock { running in
                try process.run()
                running = process.processIdentifier
            }
        }

        /// The exit status, when it has ended.
        ///
        /// - Throws: `CancellationError` when the task is cancelled; the process is killed then.
        func status() async throws -> Int32 {
            try await withTaskCancellationHandler {
                for await status in ends {
                    return status
                }
                throw CancellationError()
            } onCancel: {
                send(SIGKILL)
            }
        }

        /// How many files and connections it has open; nil where the system does not tell, or when it has ended.
        var descriptors: Int? {
            running.withLock { running in
                running.flatMap { try? FileManager.default.contentsOfDirectory(atPath: "/proc/\($0)/fd").count }
            }
        }

        /// Sends it a signal, unless it has ended.
        func send(_ signal: Int32) {
            running.withLock { running in
                if let running {
                    _ = kill(running, signal)
                }
            }
        }

        /// The executable, which stands beside the test bundle.
        private static var executable: URL {
            get throws {
                let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
                var folder = tests.deletingLastPathComponent()
                // On Apple's systems the bundle is a folder in which the executable lies deeper.
                for _ in 0..<5 {
                    let candidate = folder.appendingPathComponent("backstop")
                    if FileManager.default.isExecutableFile(atPath: candidate.path) {
                        return candidate
                    }
                    folder.deleteLastPathComponent()
                }
                throw Missing(tests: tests.path)
            }
        }
    }
#endif
