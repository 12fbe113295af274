#if Benchmarks
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import Foundation
    #if canImport(FoundationNetworking)
        internal import FoundationNetworking
    #endif

    /// A whole call through the standard chain over URLSession, against the bare `data(for:)`.
    enum CallBenchmark {
        @concurrent
        static func run() async throws -> [Figure] {
            let server = try await FaultServer.start()
            let client = try Client.standard(baseURL: server.url.absoluteString)
            let session = URLSession(configuration: .ephemeral)
            let url = server.url.appendingPathComponent("books")
            let endpoint = Raw()
            let (call, bare, ratio) = try await Measure.pairs(rounds: 40, repetitions: 200) {
                _ = try await client.send(endpoint)
            } _: {
                _ = try await session.data(for: URLRequest(url: url))
            }
            await server.stop()
            return [
                Figure(
                    name: "call / data(for:)", value: ratio, bound: 1.05,
                    detail: "\(rounded(call / 1000)) µs against \(rounded(bare / 1000)) µs, one at a time over loopback"
                )
            ]
        }

        private struct Raw: Endpoint {
            func makeRequest() throws -> HTTP.Request {
                try HTTP.Request(.get, "books")
            }

            func content(from response: HTTP.Response) throws -> HTTP.Response {
                response
            }
        }
    }
#endif
