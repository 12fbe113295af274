#if Demo
    internal import ArgumentParser
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer

    /// `backstop demo`: every way in which a call can fail, over real sockets.
    struct DemoCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "demo",
            abstract: "Starts the fault server and runs every scenario against it.",
            discussion: """
                Exit status: 0 when every scenario went as expected, 1 when one did not, 2 for wrong usage, \
                3 when the output could not be written.
                """)

        @Flag(help: "Print one JSON object per line.")
        var json = false

        @Option(help: "Run only scenarios whose names start with this.")
        var only: String?

        @Flag(help: "List the names of the scenarios.")
        var list = false

        @Flag(help: "Show the interceptors in the waterfalls.")
        var interceptors = false

        func run() async throws {
            let groups = ScenarioGroup.all.compactMap { $0.only(only) }
            guard !groups.isEmpty else {
                let names = ScenarioGroup.all.flatMap(\.scenarios).map(\.name)
                throw ValidationError(
                    "No scenario starts with \"\(only ?? "")\". The scenarios are: " + names.joined(separator: ", "))
            }
            guard !list else {
                for scenario in groups.flatMap(\.scenarios) {
                    try json
                        ? Console.writeJSON(JSONWriter.object([("name", JSONWriter.quoted(scenario.name))]))
                        : Console.write(scenario.name)
                }
                return
            }
            try DefaultHandlers.register {
                Otherwise(name: "default") { _ in }
            }
            let stage = try await DemoStage.open(tracesInterceptors: interceptors)
            let style = Style(color: Console.color)
            var wrong: [String] = []
            for group in groups {
                if !json {
                    try Console.write(style.bold(style.cyan("\(group.title): \(Self.counted(group.scenarios))")) + "\n")
                }
                for scenario in group.scenarios {
                    let result = await scenario.play(on: stage)
                    if !result.isAsExpected {
                        wrong.append(scenario.name)
                    }
                    if json {
                        try Console.writeJSON(result.json(group: group))
                    } else {
                        try Console.write(result.text(style: style))
                    }
                }
            }
            await stage.server.stop()
            let summary = Self.summary(groups.flatMap(\.scenarios), wrong: wrong)
            if !json {
                try Console.write(summary)
            } else if !wrong.isEmpty {
                Console.writeError(summary)
            }
            throw ExitCode(wrong.isEmpty ? 0 : 1)
        }

        private static func counted(_ scenarios: [Scenario]) -> String {
            scenarios.count == 1 ? "1 scenario" : "\(scenarios.count) scenarios"
        }

        private static func summary(_ scenarios: [Scenario], wrong: [String]) -> String {
            guard wrong.isEmpty else {
                return "\(counted(scenarios)); not as expected: \(wrong.joined(separator: ", "))."
            }
            return scenarios.count == 1 ? "1 scenario, as expected." : "\(counted(scenarios)), all as expected."
        }
    }
#endif
