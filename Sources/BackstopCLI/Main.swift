#if Demo
    internal import ArgumentParser
    internal import Foundation

    /// The command `backstop`.
    @main
    struct Main: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backstop",
            abstract: "Shows what becomes of HTTP calls that fail: attempts, waits, failures, handlers.",
            version: "backstop 1.0.0-dev",
            subcommands: [DemoCommand.self, ServeCommand.self, GetCommand.self, GraphQLCommand.self, OrderCommand.self])

        /// Runs the command; exit status 2 means wrong usage, because the commands' own statuses are 0 and 1.
        static func main() async {
            Console.prepare()
            do {
                var command = try await asyncParseAsRoot(nil)
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch let code as ExitCode {
                Console.exit(code.rawValue)
            } catch {
                let isUsage = exitCode(for: error) != .success
                let text = fullMessage(for: error)
                if isUsage {
                    Console.writeError(text)
                } else {
                    Console.write(text)
                }
                Console.exit(isUsage ? 2 : 0)
            }
            Console.exit(0)
        }
    }
#else
    internal import Foundation

    /// Without the trait there is no command, only a note on how to get it.
    @main
    struct Main {
        static func main() {
            FileHandle.standardError.write(
                Data("The command needs the trait Demo: swift run --traits Demo backstop\n".utf8))
            exit(2)
        }
    }
#endif
