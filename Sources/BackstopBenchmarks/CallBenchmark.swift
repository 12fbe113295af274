#if Benchmarks
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import Foundation
    #if canImport(FoundationNetworking)
        internal import FoundationNetworking
    #endif

    /// Whole calls one by one, against the bare `data(for:)`: through the standard chain, and the transport alone.
    ///
    /// The embedded server shares the process and its threads. For a server that is not the bottleneck, start one such
    /// as nginx and give its URL: `backstop-benchmarks call http://127.0.0.1:8080/books`.
    enum CallBenchmark {
        @concurrent
        static func run(against other: URL?) async throws -> [Figure] {
            guard let other else {
                let server = try await FaultServer.start()
                let figures = try await figures(url: server.url.appendingPathComponent("books"), bound: 1.05)
                await server.stop()
                return figures
            }
            return try await figures(url: other, bound: 1.03)
        }

        private static func figures(url: URL, bound: Double) async throws -> [Figure] {
            let client = try Client.standard(baseURL: url.absoluteString)
            let transport = URLSessionTransport()
            let request = HTTP.Request(url: url)
            let session = URLSession(configuration: .ephemeral)
            let whole = try await Measure.pairs(rounds: 200, repetitions: 50) {
                _ = try await client.send(Raw())
            } _: {
                _ = try await session.data(for: URLRequest(url: url))
            }.wall
            let alone = try await Measure.pairs(rounds: 200, repetitions: 50) {
                _ = try await transport.send(request, context: CallContext())
            } _: {
                _ = try await session.data(for: URLRequest(url: url))
            }.wall
            return [
                figure("call / data(for:)", whole, bound: bound),
                figure("transport alone / data(for:)", alone, bound: bound),
            ]
        }

        private static func figure(
            _ name: String, _ times: Measure.Pair, bound: Double
        ) -> Figure {
            Figure(
                name: name, value: times.ratio, bound: bound,
                detail: "\(rounded(times.first / 1000)) µs against \(rounded(times.second / 1000)) µs, one at a time, "
                    + "over loopback")
        }

        struct Raw: Endpoint {
            func makeRequest() throws -> HTTP.Request {
                try HTTP.Request(.get, "")
            }

            func content(from response: HTTP.Response) throws -> HTTP.Response {
                response
            }
        }
    }
#endif
