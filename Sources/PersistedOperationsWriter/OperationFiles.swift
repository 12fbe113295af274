import BackstopGraphQLSyntax
import Foundation

/// The operations of some files that belong together: a fragment of one may be used in all.
struct OperationFiles: Sendable {
    /// The operations sorted by name; empty when there are errors.
    let operations: [PersistedOperation]

    /// What is wrong with the files, a line each, as compilers write it. Every file is read even when one is wrong.
    let errors: [String]

    /// What may be a mistake, a line each, as compilers write it.
    let warnings: [String]

    /// Reads the files at these paths.
    init(paths: [String]) {
        var sources: [(path: String, bytes: [UInt8])] = []
        var errors: [String] = []
        for path in paths {
            do {
                sources.append((path, Array(try Data(contentsOf: URL(fileURLWithPath: path)))))
            } catch {
                errors.append("\(path):1:1: error: the file cannot be read: \(error.localizedDescription)")
            }
        }
        self.init(sources: sources, errors: errors)
    }

    /// Reads the contents of files.
    /// - Parameters:
    ///   - sources: The path of each file, for messages, and what the file contains.
    ///   - errors: Errors that happened before.
    init(sources: [(path: String, bytes: [UInt8])], errors earlier: [String] = []) {
        var errors = earlier
        var warnings: [String] = []
        var documents: [GraphQLDocument] = []
        for (path, bytes) in sources {
            guard !GraphQLDocument.isBlank(utf8: bytes) else {
                warnings.append("\(path):1:1: warning: the file has no operation and no fragment")
                continue
            }
            do throws(GraphQLSyntaxError) {
                documents.append(try GraphQLDocument(parsingUTF8: bytes, file: path))
            } catch {
                errors.append("\(path):\(error.line):\(error.column): error: \(error.message)")
            }
        }
        let document = GraphQLDocument(joining: documents)
        var issues = document.issues(requiringNames: true)
        if !errors.isEmpty {
            // What is missing or unused may only be so because a file could not be read.
            issues.removeAll { [.unknownFragment, .unusedFragment, .unusedVariable].contains($0.kind) }
        }
        errors += issues.map(\.description)
        self.errors = errors
        self.warnings = warnings
        operations = errors.isEmpty ? Self.operations(of: document) : []
    }

    private static func operations(of document: GraphQLDocument) -> [PersistedOperation] {
        let index = FragmentIndex(document)
        return document.operations.compactMap { operation in
            // Neither a missing name nor a missing fragment is left here: both are errors.
            guard let name = operation.name, let text = try? index.source(of: operation) else { return nil }
            return PersistedOperation(
                name: name, kind: operation.kind, text: text, file: operation.file,
                location: operation.nameRange.start)
        }.sorted { $0.name < $1.name }
    }
}
