import Foundation
import PackagePlugin

/// Writes the manifest of all operations of a package, for servers that accept no others.
@main
struct PersistedOperationsManifest: CommandPlugin {
    private static let usage = """
        Usage: swift package --allow-writing-to-package-directory persisted-operations-manifest [--target NAME]... \
        [--output FILE]

        --target NAME  A target whose operations are listed. Without it, those of every target but tests.
        --output FILE  The file to write, relative to the package. Without it, persisted-operations.json.
        """

    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var extractor = ArgumentExtractor(arguments)
        if extractor.extractFlag(named: "help") > 0 {
            print(Self.usage)
            return
        }
        let names = extractor.extractOption(named: "target")
        let outputs = extractor.extractOption(named: "output")
        guard extractor.remainingArguments.isEmpty, outputs.count <= 1 else {
            let extra = extractor.remainingArguments.first ?? "--output"
            Diagnostics.error("Unexpected argument \"\(extra)\".\n\(Self.usage)")
            return
        }
        guard let targets = documents(in: context.package, names: names) else { return }
        let output = URL(
            fileURLWithPath: outputs.first ?? "persisted-operations.json",
            relativeTo: context.package.directoryURL)
        var command = ["manifest", "--output", output.path]
        for (name, files) in targets {
            command += ["--target", name] + files
        }
        try run(try context.tool(named: "PersistedOperationsTool").url, command)
        print("\(output.path): \(targets.map(\.name).joined(separator: ", "))")
    }

    /// The targets that have documents, with these; nil after an error has been printed.
    private func documents(in package: Package, names: [String]) -> [(name: String, files: [String])]? {
        let modules = package.targets.compactMap { $0 as? any SourceModuleTarget }
        for name in names where !modules.contains(where: { $0.name == name }) {
            let known = modules.map(\.name).sorted().joined(separator: ", ")
            Diagnostics.error("The package has no target \"\(name)\". It has \(known).")
            return nil
        }
        let chosen = modules.filter { names.isEmpty ? $0.kind != .test : names.contains($0.name) }
        let targets = chosen.sorted { $0.name < $1.name }.map { module in
            let files = module.sourceFiles.map(\.url).filter { $0.pathExtension == "graphql" }
            return (name: module.name, files: files.map(\.path).sorted())
        }
        for target in targets where !names.isEmpty && target.files.isEmpty {
            Diagnostics.error("The target \"\(target.name)\" has no .graphql files.")
            return nil
        }
        let found = targets.filter { !$0.files.isEmpty }
        guard !found.isEmpty else {
            Diagnostics.error("No target of the package has .graphql files.")
            return nil
        }
        return found
    }

    /// Runs the tool, which prints what is wrong with the documents by itself.
    private func run(_ tool: URL, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ManifestError(description: "The manifest was not written.")
        }
    }
}

/// Why there is no manifest.
private struct ManifestError: Error, CustomStringConvertible {
    let description: String
}
