#if Demo
    import Foundation
    import Testing

    /// Runs the built command as a person would.
    struct Command {
        let status: Int32
        /// What it wrote to standard output.
        let outputData: Data
        let errors: String

        var output: String { String(decoding: outputData, as: UTF8.self) }

        /// Runs it to its end.
        static func run(
            _ arguments: String..., input: Data = Data(), environment: [String: String] = [:]
        ) async throws -> Command {
            try await run(arguments, input: input, environment: environment)
        }

        /// Runs it to its end, or kills it when the test is cancelled.
        ///
        /// - Parameters:
        ///   - input: What it reads from standard input.
        ///   - environment: What its environment has beyond that of the tests.
        ///   - output: Where its standard output goes; nil for `outputData`.
        static func run(
            _ arguments: [String], input: Data = Data(), environment: [String: String] = [:], output: FileHandle? = nil
        ) async throws -> Command {
            try await withFolder { folder in
                // Files and not pipes, which would have to be read while the process runs.
                let files = ["input", "output", "errors"].map(folder.appendingPathComponent)
                try input.write(to: files[0])
                try Data().write(to: files[1])
                try Data().write(to: files[2])
                let process = try CommandProcess(
                    arguments, input: FileHandle(forReadingFrom: files[0]),
                    output: output ?? FileHandle(forWritingTo: files[1]),
                    errors: FileHandle(forWritingTo: files[2]), environment: environment)
                let status = try await process.status()
                return Command(
                    status: status, outputData: try Data(contentsOf: files[1]),
                    errors: try String(contentsOf: files[2], encoding: .utf8))
            }
        }

        /// The lines of the output as JSON objects.
        var objects: [[String: Any]] {
            get throws {
                try output.split(separator: "\n").map { line in
                    let object = try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed)
                    return try #require(object as? [String: Any])
                }
            }
        }

        /// The only line of the output as a JSON object.
        var object: [String: Any] {
            get throws {
                let all = try objects
                #expect(all.count == 1)
                return try #require(all.first)
            }
        }
    }

    /// Gives a test a folder of its own, which goes with it.
    func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
#endif
