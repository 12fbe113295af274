#if Demo
    internal import ArgumentParser
    internal import BackstopTesting
    internal import Foundation

    /// `backstop storm`: what retry policies do to a server that is down for a while.
    struct StormCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "storm",
            abstract: "Simulates an outage with many clients, and compares retry policies.",
            discussion: """
                Nothing is sent, and nothing waits: a million clients take seconds. The same options and seed give the \
                same numbers.
                Exit status: 0, or 1 when a cell misses its goal, 2 for a wrong option, 3 when the output could not be written.
                """)

        @Option(parsing: .unconditional, help: "How many clients, from 1 to 1000000.")
        var clients = 12_000

        @Option(
            parsing: .unconditional,
            help: "Seconds between two calls of one client, on average; 0.02 for a busy server as the client.")
        var every = 60.0

        @Option(
            parsing: .unconditional,
            help: "The same of further clients that make as many calls together; none by default.")
        var andEvery: Double?

        @Option(parsing: .unconditional, help: "Seconds of the outage; 0 for none.")
        var outage = 60

        @Option(help: "What servers do in the outage: hang, refuse, or gone: they get no requests.")
        var outageKind = StormSettings.OutageKind.hang

        @Option(parsing: .unconditional, help: "The share of the servers that are out, more than 0, up to 1.")
        var down = 1.0

        @Option(
            parsing: .unconditional,
            help: "The load before the outage, as a share of the server's capacity, from 0.001 to 2.")
        var load = 0.8

        @Option(parsing: .unconditional, help: "Seconds after which a client gives up on a request.")
        var timeout = 5.0

        @Option(parsing: .unconditional, help: "The share of requests that a fault of the network fails, from 0 to 1.")
        var failureRate = 0.0

        @Option(
            help: "How: fast, by the client's timeout, or idle: at once, on a dead connection, only a call's first.")
        var failureKind = StormSettings.FailureKind.fast

        @Option(parsing: .unconditional, help: "Seconds before the outage.")
        var before = 60

        @Option(parsing: .unconditional, help: "Seconds after the outage.")
        var after = 240

        @Option(parsing: .unconditional, help: "The seed of all random numbers.")
        var seed: UInt64 = 1

        @Option(help: "Only these policies, separated by commas: \(StormPolicy.names.joined(separator: ", ")).")
        var policies: String?

        @Option(help: ArgumentHelp("Writes a picture: load and good answers over time.", valueName: "file"))
        var svg: String?

        @Flag(
            help: """
                Runs every kind of caller with every kind of outage, with none and backstop, says which cells meet the \
                goals, and exits with 1 if one does not; takes minutes, and no other option but --seed counts.
                """)
        var cells = false

        @Flag(help: "Prints JSON: an array with an object for each policy.")
        var json = false

        func validate() throws {
            func require(_ condition: Bool, _ message: String) throws {
                guard condition else {
                    throw ValidationError(message)
                }
            }
            try require((1...1_000_000).contains(clients), "--clients must be from 1 to 1000000, but is \(clients).")
            try require(
                every >= 0.001 && every <= 86_400, "--every must be from 0.001 to 86400 seconds, but is \(every).")
            try require(
                andEvery.map { $0 >= 0.001 && $0 <= 86_400 } ?? true,
                "--and-every must be from 0.001 to 86400 seconds, but is \(andEvery ?? 0).")
            try require(
                settings.secondClients <= 1_000_000,
                "These would be \(settings.secondClients) further clients, and at most 1000000 are simulated.")
            try require(down > 0 && down <= 1, "--down must be more than 0, up to 1, but is \(down).")
            try require(load >= 0.001 && load <= 2, "--load must be from 0.001 to 2, but is \(load).")
            try require(
                timeout >= 0.001 && timeout <= 600, "--timeout must be from 0.001 to 600 seconds, but is \(timeout).")
            try require((0...1).contains(failureRate), "--failure-rate must be from 0 to 1, but is \(failureRate).")
            for (name, seconds) in [("--outage", outage), ("--before", before), ("--after", after)] {
                try require(
                    (0...86_400).contains(seconds), "\(name) must be from 0 to 86400 seconds, but is \(seconds).")
            }
            try require(settings.duration > 0, "There is nothing to simulate: give --before, --outage or --after.")
            let calls = settings.callRate * Double(settings.duration)
            try require(
                calls <= 50_000_000,
                "These would be \(Int(calls)) calls, and at most 50000000 are simulated: take fewer --clients, or less time."
            )
            _ = try chosen()
        }

        func run() async throws {
            if cells {
                let outcomes = await StormCell.all(seed: seed).mapped(atOnce: 2) { $0.run() }
                let report = StormCells(outcomes: outcomes, polls: StormCells.poll())
                try Console.write(report.text(style: Style(color: Console.color)))
                guard report.misses.isEmpty else {
                    throw ExitCode(1)
                }
                return
            }
            // Two at a time: a storm of a million clients takes some hundred megabytes.
            let results = try await chosen().mapped(atOnce: 2) { [settings] in Storm.run(settings, $0) }
            if let svg {
                let picture = StormChart(results: results, settings: settings).svg
                do {
                    try Data(picture.utf8).write(to: URL(fileURLWithPath: svg))
                } catch {
                    Console.writeError("The picture could not be written to \(svg): \(error.localizedDescription)")
                    throw ExitCode(Unwritten.status)
                }
            }
            if json {
                try Console.write(try StormReport.json(results))
            } else {
                try Console.write(StormReport.table(results, settings, style: Style(color: Console.color)))
            }
        }

        private var settings: StormSettings {
            StormSettings(
                clients: clients, interval: every, secondInterval: andEvery, load: load, timeout: timeout,
                before: before, outage: outage, after: after, outageKind: outageKind, down: down,
                failureRate: failureRate, failureKind: failureKind, seed: seed)
        }

        private func chosen() throws -> [StormPolicy] {
            let all = try StormPolicy.all()
            guard let policies else {
                return all
            }
            let names = policies.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            guard !names.isEmpty else {
                throw ValidationError("--policies names none: \(StormPolicy.names.joined(separator: ", ")).")
            }
            for name in names where !StormPolicy.names.contains(name) {
                throw ValidationError(
                    "There is no policy \"\(name)\". The policies are: \(StormPolicy.names.joined(separator: ", ")).")
            }
            return all.filter { names.contains($0.name) }
        }
    }

    extension StormSettings.OutageKind: ExpressibleByArgument {}
    extension StormSettings.FailureKind: ExpressibleByArgument {}
#endif
