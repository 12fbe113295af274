#if Demo
    internal import ArgumentParser
    internal import Foundation

    /// `backstop storm`: what retry policies do to a server that is down for a while.
    struct StormCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "storm",
            abstract: "Simulates an outage with many clients, and compares retry policies.",
            discussion: """
                Nothing is sent, and nothing waits: a million clients take seconds. The same options and seed give the \
                same numbers.
                Exit status: 0, or 2 for a wrong option, 3 when the output could not be written.
                """)

        @Option(help: "How many clients, from 1 to 1000000.")
        var clients = 12_000

        @Option(help: "Seconds between two calls of one client, on average; 0.02 for a busy server as the client.")
        var every = 60.0

        @Option(help: "Seconds of the outage; 0 for none.")
        var outage = 60

        @Option(help: "What the server does in the outage: hang or refuse.")
        var outageKind = StormSettings.OutageKind.hang

        @Option(help: "The load before the outage, as a share of the server's capacity, from 0.001 to 2.")
        var load = 0.8

        @Option(help: "Seconds after which a client gives up on a request.")
        var timeout = 5.0

        @Option(help: "The server's queue: fifo, lifo, or shed, which answers 503 when it is long.")
        var queue = StormSettings.Queue.fifo

        @Option(help: "The share of requests that a fault of the network fails, from 0 to 1.")
        var failureRate = 0.0

        @Option(help: "How such a request fails: fast, or by the client's timeout.")
        var failureKind = StormSettings.FailureKind.fast

        @Option(help: "The share of failed calls that a person repeats once, from 0 to 1.")
        var taps = 0.0

        @Option(help: "Seconds before the outage.")
        var before = 60

        @Option(help: "Seconds after the outage.")
        var after = 240

        @Option(help: "The seed of all random numbers.")
        var seed: UInt64 = 1

        @Option(help: "Only these policies, separated by commas: \(StormPolicy.names.joined(separator: ", ")).")
        var policies: String?

        @Option(help: ArgumentHelp("Writes a picture: load and good answers over time.", valueName: "file"))
        var svg: String?

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
            try require(load >= 0.001 && load <= 2, "--load must be from 0.001 to 2, but is \(load).")
            try require(
                timeout >= 0.001 && timeout <= 600, "--timeout must be from 0.001 to 600 seconds, but is \(timeout).")
            try require((0...1).contains(failureRate), "--failure-rate must be from 0 to 1, but is \(failureRate).")
            try require((0...1).contains(taps), "--taps must be from 0 to 1, but is \(taps).")
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
            let results = await Self.run(settings, try chosen())
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
                clients: clients, interval: every, load: load, timeout: timeout, before: before, outage: outage,
                after: after, outageKind: outageKind, queue: queue, failureRate: failureRate, failureKind: failureKind,
                taps: taps, seed: seed)
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

        /// Runs the policies, two at a time: a storm of a million clients takes some hundred megabytes.
        static func run(_ settings: StormSettings, _ policies: [StormPolicy]) async -> [StormResult] {
            await withTaskGroup(of: (Int, StormResult).self) { group in
                var results: [Int: StormResult] = [:]
                var next = 0
                while next < policies.count || results.count < policies.count {
                    if next < policies.count, next - results.count < 2 {
                        let position = next
                        let policy = policies[position]
                        group.addTask { (position, Storm.run(settings, policy)) }
                        next += 1
                    } else if let (position, result) = await group.next() {
                        results[position] = result
                    }
                }
                return policies.indices.compactMap { results[$0] }
            }
        }
    }

    extension StormSettings.OutageKind: ExpressibleByArgument {}
    extension StormSettings.Queue: ExpressibleByArgument {}
    extension StormSettings.FailureKind: ExpressibleByArgument {}
#endif
