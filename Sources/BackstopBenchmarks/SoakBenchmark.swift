#if Benchmarks
    internal import Backstop
    #if AsyncHTTPClient
        internal import BackstopAsyncHTTPClient
    #endif
    internal import BackstopCore
    internal import Foundation

    /// 100,000 calls in a row to the embedded server, a fifth of which fail: what stays behind of each.
    ///
    /// It takes minutes, so it runs only by name: `backstop-benchmarks soak asynchttpclient`. The resident memory
    /// is printed after every 10,000 calls, so that growth shows before the end.
    enum SoakBenchmark {
        static let calls = 100_000

        /// What a fault is: refused by its status, reset, cut off, or not what was asked for.
        private static let faults = ["status/503", "reset", "cut", "html-404"]

        @concurrent
        static func run(_ transport: String) async throws -> [Figure] {
            guard let made = try SoakTransport(rawValue: transport)?.make() else {
                throw UnknownTransport(name: transport)
            }
            return try await BenchmarkServer.run { try await run(transport, made, against: $0) }
        }

        private static func run(
            _ transport: String, _ made: any HTTP.Transport, against server: URL
        ) async throws -> [Figure] {
            let client = try Client.standard(baseURL: server, transport: made, retry: .never, logging: nil)
            var early = 0
            var failures = 0
            for number in 1...calls {
                let isFault = number.isMultiple(of: 5)
                let path = isFault ? faults[number / 5 % faults.count] : "books"
                if case .failure = await client.result(of: .get(path)) {
                    failures += 1
                }
                if number.isMultiple(of: calls / 10) {
                    let bytes = Memory.residentBytes()
                    // The program's output.
                    print("\(transport): \(number) calls, \(failures) failed, \(bytes / 1024) KiB resident")
                    // The first fifth fills caches and pools.
                    early = number == calls / 5 ? bytes : early
                }
            }
            let growth = Double(Memory.residentBytes() - early) / Double(calls - calls / 5)
            return [
                Figure(
                    name: "bytes that stay behind of a call with \(transport)", value: growth, bound: nil,
                    detail: "\(calls) calls in a row, \(failures) failed; the server is a process of its own")
            ]
        }

        private struct UnknownTransport: Error, CustomStringConvertible {
            let name: String

            var description: String {
                "There is no transport \(name). Known: "
                    + SoakTransport.allCases.map(\.rawValue).joined(separator: ", ")
            }
        }
    }

    /// The transports that calls can be repeated with.
    enum SoakTransport: String, CaseIterable {
        case urlsession
        #if AsyncHTTPClient
            case asynchttpclient
        #endif

        func make() throws -> any HTTP.Transport {
            switch self {
            case .urlsession: URLSessionTransport()
            #if AsyncHTTPClient
                case .asynchttpclient: AsyncHTTPClientTransport()
            #endif
            }
        }
    }
#endif
