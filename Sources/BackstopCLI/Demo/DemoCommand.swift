#if Demo
    internal import ArgumentParser
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer

    /// `backstop demo`: every way in which a call fails, over real sockets.
    struct DemoCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "demo",
            abstract: "Starts the fault server and runs every scenario against it.",
            discussion: "Exit status: 0 when every scenario ended as it should, 1 when one did not, 2 for wrong usage.")

        @Flag(help: "Print one JSON object a line.")
        var json = false

        @Option(help: "Run only scenarios whose name begins with this.")
        var only: String?

        @Flag(help: "List the names of the scenarios.")
        var list = false

        @Flag(help: "Show the interceptors in the waterfalls.")
        var interceptors = false

        func run() async throws {
            let scenarios = Scenario.all.filter { only.map($0.name.hasPrefix) ?? true }
            guard !scenarios.isEmpty else {
                throw ValidationError(
                    "No scenario begins with \"\(only ?? "")\". The scenarios are: "
                        + Scenario.all.map(\.name).joined(separator: ", "))
            }
            guard !list else {
                for scenario in scenarios {
                    Console.write(scenario.name)
                }
                return
            }
            try DefaultHandlers.register {
                Otherwise(name: "default") { _ in }
            }
            let stage = try await DemoStage.open(tracesInterceptors: interceptors)
            var wrong: [String] = []
            for scenario in scenarios {
                let result = await scenario.play(on: stage)
                if !result.isAsExpected {
                    wrong.append(scenario.name)
                }
                Console.write(json ? result.json : result.text(style: Style(color: Console.color)))
            }
            await stage.close()
            if !json {
                Console.write(Self.summary(count: scenarios.count, wrong: wrong))
            }
            throw ExitCode(wrong.isEmpty ? 0 : 1)
        }

        private static func summary(count: Int, wrong: [String]) -> String {
            wrong.isEmpty
                ? "\(count) scenarios, all ended as they should."
                : "\(count) scenarios; not as they should: \(wrong.joined(separator: ", "))."
        }
    }
#endif
