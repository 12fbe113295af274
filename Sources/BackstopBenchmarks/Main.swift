#if Benchmarks
    internal import Dispatch
    internal import Foundation

    /// The measuring program: every figure is a ratio of two things measured in turns, in one run.
    ///
    /// Absolute times say more about the machine than about the code; ratios of neighbours in time do not.
    @main
    struct Main {
        static func main() {
            // The main thread waits: valgrind cannot follow one that ends while others run on.
            let isOver = DispatchSemaphore(value: 0)
            Task.detached {
                do {
                    exit(try await run())
                } catch {
                    print(error)
                    isOver.signal()
                }
            }
            isOver.wait()
            exit(1)
        }

        /// Measures what the arguments name.
        ///
        /// - Returns: The exit code.
        @concurrent
        private static func run() async throws -> Int32 {
            let arguments = CommandLine.arguments.dropFirst()
            let only = arguments.first
            // A URL of another server, for what is measured against one.
            let url = arguments.dropFirst().first.flatMap { URL(string: $0) }
            // For a profiler: `repeat standard 2000`.
            if only == "repeat" {
                let what = Array(CommandLine.arguments.dropFirst(2))
                try await OverheadBenchmark.repeatCall(what.first ?? "standard", what.last.flatMap { Int($0) } ?? 2000)
                return 0
            }
            if only == "inflight" {
                print(try await MemoryBenchmark.inFlight(arguments.last ?? "standard"))
                return 0
            }
            if only == "serve" {
                try await BenchmarkServer.serve()
                return 0
            }
            if only == "soak" {
                let transport = arguments.dropFirst().first ?? SoakTransport.urlsession.rawValue
                for figure in try await SoakBenchmark.run(transport) {
                    print(figure)
                }
                return 0
            }
            var benchmarks: [(name: String, run: @concurrent () async throws -> [Figure])] = [
                ("overhead", OverheadBenchmark.run), ("memory", MemoryBenchmark.run),
                ("interceptor", InterceptorBenchmark.run), ("resilience", ResilienceBenchmark.run),
                ("call", { try await CallBenchmark.run(against: url) }),
            ]
            #if AsyncHTTPClient
                benchmarks.append(("asynchttpclient", { try await AsyncHTTPClientBenchmark.run(against: url) }))
            #endif
            benchmarks += [
                ("apiError", APIErrorBenchmark.run), ("failure", FailureBenchmark.run),
                ("parsers", ParserBenchmark.run),
            ]
            #if AsyncHTTPClient
                benchmarks.append(("streams", StreamBenchmark.run))
            #endif
            var failed = false
            for benchmark in benchmarks where only == nil || only == benchmark.name {
                for figure in try await benchmark.run() {
                    // The program's output.
                    print(figure)
                    failed = failed || !figure.isWithinBound
                }
            }
            return failed ? 1 : 0
        }
    }
#else
    internal import Foundation

    /// Without the trait nothing is measured.
    @main
    struct Main {
        static func main() {
            FileHandle.standardError.write(
                Data(
                    "Measuring needs the trait Benchmarks: swift run -c release --traits Benchmarks backstop-benchmarks\n"
                        .utf8))
            exit(2)
        }
    }
#endif
