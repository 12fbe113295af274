#if Demo
    internal import ArgumentParser
    internal import Foundation

    /// The command `backstop`.
    @main
    struct Main: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backstop",
            abstract: "Shows how HTTP calls fail: attempts, waits, failures, handlers.",
            version: "backstop 1.0.0-dev",
            subcommands: [
                DemoCommand.self, ServeCommand.self, ProxyCommand.self, GetCommand.self, GraphQLCommand.self,
                OrderCommand.self, StormCommand.self,
            ])

        /// Runs the command; exit status 2 means wrong usage, and 3 output that could not be written, because the commands'
        /// own statuses are 0 and 1.
        static func main() async {
            Console.prepare()
            do {
                var command = try await parse(separated(Array(CommandLine.arguments.dropFirst())))
                do {
                    if var command = command as? any AsyncParsableCommand {
                        try await command.run()
                    } else {
                        try command.run()
                    }
                } catch let error as ValidationError {
                    Console.writeError(text(of: error, in: type(of: command)))
                    Foundation.exit(2)
                }
            } catch let code as ExitCode {
                Foundation.exit(code.rawValue)
            } catch let error as Unwritten {
                exit(error)
            } catch let error where exitCode(for: error) == .success {
                // What was asked for: the help, or the version.
                do throws(Unwritten) {
                    try Console.write(fullMessage(for: error))
                } catch {
                    exit(error)
                }
            } catch {
                Console.writeError(fullMessage(for: error))
                Foundation.exit(2)
            }
            Foundation.exit(0)
        }

        /// Parses the arguments, and says first which option is unknown: what follows one looks like a URL to the parser,
        /// which would say that `--atempts 3` has a wrong one.
        private static func parse(_ arguments: [String]) async throws -> any ParsableCommand {
            do {
                return try await asyncParseAsRoot(arguments)
            } catch {
                _ = try await CallArguments.$checksValues.withValue(false) { try await asyncParseAsRoot(arguments) }
                throw error
            }
        }

        /// What is wrong with a command that runs; the parser would add the usage of the tool and not that of the command.
        private static func text(of error: ValidationError, in command: any ParsableCommand.Type) -> String {
            let names = [configuration.commandName, command.configuration.commandName]
            let name = names.compactMap { $0 }.joined(separator: " ")
            return """
                Error: \(error.message)
                Usage: \(usageString(for: command))
                  See '\(name) --help' for more information.
                """
        }

        /// Separates values from the options that they are joined to, as in `-XPUT`.
        ///
        /// Here and not by the parser, which takes what stands before a `=` for the name of an option, and shows it in
        /// its error: `-H'Authorization: Bearer ...='`.
        private static func separated(_ arguments: [String]) -> [String] {
            var separated: [String] = []
            for argument in arguments {
                // A value may begin like an option.
                let isValue = ["-d", "--data", "-H", "--header", "-u", "--user"].contains(separated.last ?? "")
                if !isValue, ["-H", "-X", "-d", "-o", "-u"].contains(argument.prefix(2)), argument.count > 2 {
                    separated += [String(argument.prefix(2)), String(argument.dropFirst(2))]
                } else if !isValue, let sign = argument.firstIndex(of: "="),
                    ["--data", "--header", "--user"].contains(argument[..<sign])
                {
                    separated += [String(argument[..<sign]), String(argument[argument.index(after: sign)...])]
                } else {
                    separated.append(argument)
                }
            }
            return separated
        }

        private static func exit(_ error: Unwritten) -> Never {
            Console.writeError("The output could not be written: \(error.reason)")
            Foundation.exit(Unwritten.status)
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
