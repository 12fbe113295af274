import Foundation

/// Writes Swift constants or a manifest for the operations of `.graphql` files.
@main
struct Main {
    static func main() {
        let result = run(Array(CommandLine.arguments.dropFirst()))
        for line in result.messages {
            FileHandle.standardError.write(Data("\(line)\n".utf8))
        }
        exit(result.status)
    }

    /// Does what the arguments say.
    /// - Returns: The exit status (0, or 1 for mistakes in files, or 2 for mistakes in the arguments) and the lines to
    ///   print.
    static func run(_ words: [String]) -> (status: Int32, messages: [String]) {
        do {
            let arguments = try Arguments(words)
            let targets = arguments.targets.map(OperationFiles.init(paths:))
            let warnings = targets.flatMap(\.warnings)
            var errors = targets.flatMap(\.errors)
            let text: String
            switch arguments.command {
            case .generate:
                let paths = arguments.targets.joined()
                let operations = targets.flatMap(\.operations)
                let access = try arguments.access ?? arguments.configuration.map(Configuration.init(path:))?.access
                errors += SwiftSource.clashes(of: operations)
                text =
                    SwiftSource(
                        operations: operations, fileNames: paths.map(\.fileName), access: access ?? .internal
                    ).text
            case .manifest:
                let merged = Manifest.merged(targets.map(\.operations))
                errors += merged.errors
                text = Manifest(operations: merged.operations).text
            }
            guard errors.isEmpty else { return (1, errors + warnings) }
            return write(text, to: arguments.output, warnings)
        } catch let mistake as Arguments.Mistake {
            return (2, ["error: \(mistake.message)", Arguments.usage])
        } catch let mistake as Configuration.Mistake {
            return (1, [mistake.message])
        } catch {
            return (1, ["error: \(error)"])
        }
    }

    private static func write(
        _ text: String, to path: String, _ warnings: [String]
    ) -> (status: Int32, messages: [String]) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            return (0, warnings)
        } catch {
            return (1, warnings + ["error: \(path) cannot be written: \(error.localizedDescription)"])
        }
    }
}
