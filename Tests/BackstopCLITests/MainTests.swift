#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("backstop", .sockets)
    struct MainTests {
        @Test("prints its name and version, and exits with 0")
        func version() async throws {
            let command = try await Command.run("--version")
            #expect(command.status == 0)
            #expect(command.errors.isEmpty)
            #expect(command.output.wholeMatch(of: /backstop [0-9]+\.[0-9]+\.[0-9]+(-[0-9a-z.]+)?\n/) != nil)
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
