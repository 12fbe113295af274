#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("backstop", .sockets)
    struct MainTests {
        @Test("prints its name and the changelog's version, or one in development where that has unreleased changes")
        func version() async throws {
            let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            let changelog = tests.deletingLastPathComponent().appendingPathComponent("Docs/Changelog.md")
            let text = try String(contentsOf: changelog, encoding: .utf8)
            let newest = try #require(text.firstMatch(of: /\n## \[([^\]]+)\]/)).output.1
            let command = try await Command.run("--version")
            let match = try #require(command.output.wholeMatch(of: /backstop ([0-9]+\.[0-9]+\.[0-9]+)(-dev)?\n/))
            #expect(command.status == 0)
            #expect(command.errors.isEmpty)
            #expect(match.output.2 == (newest == "Unreleased" ? "-dev" : nil))
            #expect(newest == "Unreleased" || match.output.1 == newest)
        }

        @Test(
            "shows the usage of the command that is used wrong, whenever that is found out",
            arguments: [
                ["get", "URL", "-o", "/nowhere/body"], ["get", "URL", "-d", "@/nowhere/body"],
                ["get", "URL", "--attempts", "0"], ["graphql", "URL", "--query", "{ a"], ["graphql", "URL"],
                ["demo", "--only", "bogus"], ["serve", "--retry-after", "-1"],
            ])
        func usage(arguments: [String]) async throws {
            let command = try await Command.run(arguments.map { $0 == "URL" ? "http://127.0.0.1:1/" : $0 })
            #expect(command.status == 2)
            #expect(command.errors.contains("\nUsage: backstop \(arguments[0]) ["))
            #expect(command.errors.hasSuffix("\n  See 'backstop \(arguments[0]) --help' for more information.\n"))
        }

        @Test("lists its commands with --help")
        func help() async throws {
            let command = try await Command.run("--help")
            #expect(command.status == 0)
            for name in ["demo", "serve", "get", "graphql", "order"] {
                #expect(command.output.contains("\n  \(name) "), "\(name) is missing")
            }
        }
    }
#endif
