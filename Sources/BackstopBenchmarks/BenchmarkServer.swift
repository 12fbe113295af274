#if Benchmarks
    internal import BackstopFaultServer
    internal import Foundation

    /// The embedded server in a process of its own, so that neither its time nor its memory counts.
    enum BenchmarkServer {
        /// Starts the server in another process, and ends it when the body has returned.
        static func run<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = ["serve"]
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            defer { process.terminate() }
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            guard let url = URL(string: line.trimmingCharacters(in: .whitespacesAndNewlines)), url.host != nil else {
                throw NotStarted(output: line)
            }
            return try await body(url)
        }

        /// What the other process does: it says its URL, and serves until its input ends.
        @concurrent
        static func serve() async throws {
            let server = try await FaultServer.start()
            FileHandle.standardOutput.write(Data("\(server.url)\n".utf8))
            _ = FileHandle.standardInput.readDataToEndOfFile()
            await server.stop()
        }

        private struct NotStarted: Error {
            let output: String
        }
    }
#endif
