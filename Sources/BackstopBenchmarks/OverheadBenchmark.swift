#if Benchmarks
    internal import Backstop
    internal import BackstopCore
    internal import Foundation

    /// What client and chain add to a call, over a transport that answers at once: no network, no server.
    ///
    /// A figure is a ratio to `URL(string:)`, of which a call cannot do without one. For instructions, which do not
    /// depend on what else the machine does, repeat one of the calls under a profiler and subtract two counts:
    /// `valgrind --tool=callgrind backstop-benchmarks repeat standard 2000`.
    enum OverheadBenchmark {
        /// The calls that are measured, by name.
        static func client(_ name: String) throws -> Client {
            switch name {
            case "bare": try Client(baseURL: base, transport: Instant()) {}
            case "racing": try Client.standard(baseURL: base, transport: Instant())
            default: try Client.standard(baseURL: base, transport: Instant(endsAttemptsInTime: true))
            }
        }

        private static let base = "https://api.example.com/v1"

        @concurrent
        static func run() async throws -> [Figure] {
            var figures: [Figure] = []
            for (name, what) in [
                ("bare", "a client with no interceptor"), ("standard", "the standard chain"),
                ("racing", "the standard chain, with a task and a race for each attempt"),
            ] {
                let client = try client(name)
                let (call, url, ratio) = try await Measure.pairs(rounds: 40, repetitions: 2000) {
                    _ = try await client.send(Raw())
                } _: {
                    precondition(URL(string: "https://api.example.com/v1/books") != nil)
                }.processor
                figures.append(
                    Figure(
                        name: "\(what) / URL(string:)", value: ratio, bound: nil,
                        detail: "\(rounded(call / 1000)) µs against \(rounded(url / 1000)) µs of the processor"))
            }
            return figures
        }

        /// Makes so many calls of one kind; `line` are those of one line, through the standard chain.
        @concurrent
        static func repeatCall(_ name: String, _ count: Int) async throws {
            let client = try client(name)
            for _ in 0..<count {
                if name == "line" {
                    _ = try await client.send(.get("books"))
                } else {
                    _ = try await client.send(Raw())
                }
            }
        }

        struct Raw: Endpoint {
            func makeRequest() throws -> HTTP.Request {
                try HTTP.Request(.get, "books")
            }

            func content(from response: HTTP.Response) throws -> HTTP.Response {
                response
            }
        }
    }
#endif
