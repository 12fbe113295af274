import Foundation

/// One run of the tool.
///
/// It is apart from the tool's `main`, because tests that are built with the plugin cannot link the tool as
/// well.
package struct ToolRun: Sendable, Hashable {
    /// The exit status: 0, or 1 for mistakes in files, or 2 for mistakes in the arguments.
    package let status: Int32

    /// The lines to print.
    package let messages: [String]

    /// Does what the arguments say, which are those of the command without the name of the program.
    package init(_ words: [String]) {
        do {
            let arguments = try Arguments(words)
            let targets = arguments.targets.map(OperationFiles.init(paths:))
            let warnings = targets.flatMap(\.warnings)
            let (text, errors) =
                switch arguments.command {
                case .generate: try Self.constants(arguments, targets)
                case .manifest: try Self.manifest(targets)
                }
            guard errors.isEmpty else {
                (status, messages) = (1, errors + warnings)
                return
            }
            try Data(text.utf8).write(to: URL(fileURLWithPath: arguments.output), options: .atomic)
            (status, messages) = (0, warnings)
        } catch let mistake as Arguments.Mistake {
            (status, messages) = (2, ["error: \(mistake.message)", Arguments.usage])
        } catch let mistake as Configuration.Mistake {
            (status, messages) = (1, [mistake.message])
        } catch {
            (status, messages) = (1, ["error: the output cannot be written: \(error.localizedDescription)"])
        }
    }

    private static func constants(
        _ arguments: Arguments, _ targets: [OperationFiles]
    ) throws(Configuration.Mistake) -> (text: String, errors: [String]) {
        var access = arguments.access
        if access == nil, let path = arguments.configuration {
            access = try Configuration(path: path).access
        }
        let operations = targets.flatMap(\.operations)
        let source = SwiftSource(
            operations: operations, fileNames: arguments.targets.joined().map(\.fileName),
            access: access ?? .internal)
        return (source.text, targets.flatMap(\.errors) + SwiftSource.clashes(of: operations))
    }

    private static func manifest(_ targets: [OperationFiles]) throws -> (text: String, errors: [String]) {
        let (operations, errors) = Manifest.merged(targets.map(\.operations))
        return (try Manifest(operations: operations).text, targets.flatMap(\.errors) + errors)
    }
}
