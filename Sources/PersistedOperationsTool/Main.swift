import Foundation
import PersistedOperationsWriter

/// Writes Swift constants or a manifest for the operations of `.graphql` files.
@main
struct Main {
    static func main() {
        let result = ToolRun(Array(CommandLine.arguments.dropFirst()))
        for line in result.messages {
            FileHandle.standardError.write(Data("\(line)\n".utf8))
        }
        exit(result.status)
    }
}
