import Foundation
import PackagePlugin

/// Writes a Swift constant for each operation in the `.graphql` files of a target, with its text and hash.
@main
struct PersistedOperations: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let module = target as? any SourceModuleTarget else { return [] }
        return try commands(
            files: module.sourceFiles.map(\.url), target: target.name,
            tool: try context.tool(named: "PersistedOperationsTool").url, directory: context.pluginWorkDirectoryURL)
    }

    /// One command for all documents of a target, because a fragment of one may be used in all.
    private func commands(files: [URL], target: String, tool: URL, directory: URL) throws -> [Command] {
        let documents = files.filter { $0.pathExtension == "graphql" }.sorted { $0.path < $1.path }
        guard !documents.isEmpty else {
            Diagnostics.warning("The target \"\(target)\" uses PersistedOperations, but has no .graphql files.")
            return []
        }
        let configuration = files.first { $0.lastPathComponent == "persisted-operations-config.json" }
        let output = directory.appendingPathComponent("PersistedOperations.generated.swift")
        var arguments = ["generate", "--output", output.path]
        if let configuration { arguments += ["--config", configuration.path] }
        return [
            .buildCommand(
                displayName: "Hashing the operations of \(target)",
                executable: tool,
                arguments: arguments + documents.map(\.path),
                inputFiles: documents + [configuration].compactMap { $0 },
                outputFiles: [output])
        ]
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension PersistedOperations: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            try commands(
                files: target.inputFiles.map(\.url), target: target.displayName,
                tool: try context.tool(named: "PersistedOperationsTool").url,
                directory: context.pluginWorkDirectoryURL)
        }
    }
#endif
