#if Demo
    import Foundation
    import Testing

    /// Runs the built command as a person would.
    struct Command {
        let status: Int32
        let output: String
        let errors: String

        /// The executable, which stands beside the test bundle.
        static var executable: URL {
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

        struct Missing: Error {
            let tests: String
        }

        /// Runs it to its end.
        static func run(_ arguments: String...) async throws -> Command {
            try await run(arguments)
        }

        static func run(_ arguments: [String]) async throws -> Command {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            // Files and not pipes, which would have to be read while the process runs.
            let output = folder.appendingPathComponent("output")
            let errors = folder.appendingPathComponent("errors")
            for file in [output, errors] {
                try Data().write(to: file)
            }
            let process = Process()
            process.executableURL = try executable
            process.arguments = arguments
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try FileHandle(forWritingTo: errors)
            let status = try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
                do {
                    try process.run()
                } catch {
                    process.terminationHandler = nil
                    continuation.resume(throwing: error)
                }
            }
            return Command(
                status: status, output: try String(contentsOf: output, encoding: .utf8),
                errors: try String(contentsOf: errors, encoding: .utf8))
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
#endif
