#if Benchmarks && AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import Backstop
    internal import BackstopAsyncHTTPClient
    internal import BackstopCore
    internal import Foundation
    internal import NIOCore

    /// Whole calls over AsyncHTTPClient against its bare `execute`, one by one and 64 at once, in turns.
    ///
    /// Without a URL, the embedded server answers, in a process of its own. For one that is not the bottleneck, start
    /// nginx and give its URL: `backstop-benchmarks asynchttpclient http://127.0.0.1:8080/books`.
    enum AsyncHTTPClientBenchmark {
        /// How many calls a round makes of each kind.
        private static let calls = 640

        @concurrent
        static func run(against url: URL?) async throws -> [Figure] {
            if let url {
                return try await figures(url)
            }
            return try await BenchmarkServer.run { try await figures($0.appendingPathComponent("books")) }
        }

        private static func figures(_ url: URL) async throws -> [Figure] {
            let library = HTTPClient(
                eventLoopGroupProvider: .singleton, configuration: AsyncHTTPClientTransport.standardConfiguration)
            let transport = AsyncHTTPClientTransport()
            let base = url.absoluteString
            let plain = try Client(baseURL: base, transport: transport) {}
            let standard = try Client.standard(baseURL: base, transport: transport)
            let request = HTTP.Request(url: url)
            let bare: @Sendable () async throws -> Void = {
                let response = try await library.execute(HTTPClientRequest(url: base), timeout: .seconds(30))
                _ = try await response.body.collect(upTo: 1 << 20)
            }
            let kinds: [(String, @Sendable () async throws -> Void)] = [
                ("the transport alone", { _ = try await transport.send(request, context: CallContext()) }),
                ("a client with no interceptor", { _ = try await plain.send(CallBenchmark.Raw()) }),
                ("the standard chain", { _ = try await standard.send(CallBenchmark.Raw()) }),
            ]
            var figures: [Figure] = []
            for atOnce in [1, 64] {
                for (name, call) in kinds {
                    let times = try await Measure.pairs(rounds: atOnce == 1 ? 40 : 80) {
                        try await repeated(call, atOnce: atOnce)
                    } _: {
                        try await repeated(bare, atOnce: atOnce)
                    }
                    let per = 1000 * Double(calls)
                    figures.append(
                        Figure(
                            name: "\(name) / execute, \(atOnce) at once", value: times.processor.ratio, bound: nil,
                            detail: "of the processor's time, \(rounded(times.processor.first / per)) µs against "
                                + "\(rounded(times.processor.second / per)) µs a call; by the clock "
                                + "\(rounded(times.wall.ratio)), \(rounded(times.wall.first / per)) µs against "
                                + "\(rounded(times.wall.second / per)) µs"))
                }
            }
            try await library.shutdown()
            return figures
        }

        private static func repeated(
            _ call: @escaping @Sendable () async throws -> Void, atOnce: Int
        ) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<atOnce {
                    group.addTask {
                        for _ in 0..<(calls / atOnce) {
                            try await call()
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
#endif
