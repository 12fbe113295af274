#if Benchmarks
    internal import Backstop
    internal import BackstopCore
    internal import Foundation

    /// The way from a 503 to a handled failure, without retry, against the way to a value.
    enum FailureBenchmark {
        struct Empty: EmptyEndpoint {
            func makeRequest() throws -> HTTP.Request {
                try HTTP.Request(.get, "books")
            }
        }

        @concurrent
        static func run() async throws -> [Figure] {
            let good = try client(status: 200)
            let bad = try client(status: 503)
            let (failure, value, ratio) = try await Measure.pairs(rounds: 30, repetitions: 3000) {
                _ = await bad.perform(Empty())
            } _: {
                _ = await good.perform(Empty())
            }.wall
            return [
                Figure(
                    name: "handled failure / value", value: ratio, bound: 1.5,
                    detail: "\(rounded(failure / 1000)) µs against \(rounded(value / 1000)) µs, without a network")
            ]
        }

        private static func client(status: Int) throws -> Client {
            try Client.standard(
                baseURL: "https://api.example.com", transport: Instant(response: HTTP.Response(status: status)),
                retry: .never, logging: nil
            ).scoped("shop") {
                On(status: 503) { _ in }
            }
        }
    }
#endif
