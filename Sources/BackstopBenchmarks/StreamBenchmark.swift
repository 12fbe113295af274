#if Benchmarks && AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import Backstop
    internal import BackstopAsyncHTTPClient
    internal import BackstopCore
    internal import BackstopTransfers
    internal import Foundation
    internal import NIOCore
    #if canImport(FoundationNetworking)
        internal import FoundationNetworking
    #endif

    /// Streams and downloads of 100 MB, and a million JSON lines, against a bare loop over the body that the transport's
    /// own library gives.
    enum StreamBenchmark {
        private static let size = 100_000_000
        private static let rows = 1_000_000

        private struct Row: Decodable, Sendable {
            let number: Int
            let name: String
        }

        @concurrent
        static func run() async throws -> [Figure] {
            try await BenchmarkServer.run { url in
                let library = HTTPClient(
                    eventLoopGroupProvider: .singleton, configuration: AsyncHTTPClientTransport.standardConfiguration)
                let client = try Client(baseURL: url.absoluteString, transport: AsyncHTTPClientTransport()) {}
                let session = try Client(baseURL: url.absoluteString, transport: URLSessionTransport()) {}
                let big = "\(url)/big?bytes=\(size)"
                let json = "\(url)/stream/json?count=\(rows)"
                let folder = FileManager.default.temporaryDirectory
                let (one, two) = (folder.appendingPathComponent("one"), folder.appendingPathComponent("two"))
                let figures = [
                    try await figure("a stream of 100 MB / for await", 1.1) {
                        try await count(client, big)
                    } _: {
                        try check(try await bare(library, big) { _ in }, size)
                    },
                    try await figure("100 MB to a file / for await, write and synchronize", 1.2) {
                        try? FileManager.default.removeItem(at: one)
                        _ = try await client.download(big, to: one).value
                    } _: {
                        _ = FileManager.default.createFile(atPath: two.path, contents: nil)
                        let file = try FileHandle(forWritingTo: two)
                        try check(
                            try await bare(library, big) { try file.write(contentsOf: Data($0.readableBytesView)) },
                            size)
                        // A download is on the disk before it has its name.
                        try file.synchronize()
                        try file.close()
                        try FileManager.default.removeItem(at: two)
                    },
                    try await figure("1,000,000 JSON lines / the decoder over lines", 1.3, rounds: 4) {
                        var sum = 0
                        for try await row in try await client.stream(json, as: .jsonLines(of: Row.self)) {
                            sum += row.number
                        }
                        try check(sum, rows * (rows + 1) / 2)
                    } _: {
                        try check(try await bareRows(library, json), rows * (rows + 1) / 2)
                    },
                    try await figure("a stream of 100 MB over URLSession / a delegate", 1.1) {
                        try await count(session, big)
                    } _: {
                        let counter = Counter()
                        try check(try await counter.count(URL(string: big) ?? url), size)
                    },
                ]
                try? FileManager.default.removeItem(at: one)
                try await library.shutdown()
                return figures
            }
        }

        private static func figure(
            _ name: String, _ bound: Double, rounds: Int = 8, _ first: () async throws -> Void,
            _ second: () async throws -> Void
        ) async throws -> Figure {
            let times = try await Measure.pairs(rounds: rounds, first, second)
            return Figure(
                name: name, value: times.processor.ratio, bound: bound,
                detail: "of the processor's time, \(rounded(times.processor.first / 1e6)) ms against "
                    + "\(rounded(times.processor.second / 1e6)) ms; by the clock \(rounded(times.wall.ratio)), "
                    + "\(rounded(times.wall.first / 1e6)) ms against \(rounded(times.wall.second / 1e6)) ms")
        }

        private static func count(_ client: Client, _ target: String) async throws {
            var count = 0
            for try await chunk in try await client.stream(target, as: .chunks) {
                count += chunk.count
            }
            try check(count, size)
        }

        private static func bare(
            _ library: HTTPClient, _ target: String, _ each: (ByteBuffer) throws -> Void
        ) async throws -> Int {
            let response = try await library.execute(HTTPClientRequest(url: target), timeout: .seconds(60))
            var count = 0
            for try await part in response.body {
                count += part.readableBytes
                try each(part)
            }
            return count
        }

        private static func bareRows(_ library: HTTPClient, _ target: String) async throws -> Int {
            let decoder = JSONDecoder()
            var rest = ByteBuffer()
            var sum = 0
            _ = try await bare(library, target) { part in
                rest.writeImmutableBuffer(part)
                while let end = rest.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Data(rest.readBytes(length: end - rest.readerIndex) ?? [])
                    rest.moveReaderIndex(forwardBy: 1)
                    sum += try decoder.decode(Row.self, from: line).number
                }
                rest.discardReadBytes()
            }
            return sum
        }

        private static func check(_ count: Int, _ expected: Int) throws {
            guard count == expected else {
                throw WrongCount(count: count, expected: expected)
            }
        }

        private struct WrongCount: Error {
            let count: Int
            let expected: Int
        }

        /// A bare delegate, which counts.
        private final class Counter: NSObject, URLSessionDataDelegate, Sendable {
            private let state = Lock<(count: Int, done: CheckedContinuation<Int, any Error>?)>((0, nil))

            func count(_ url: URL) async throws -> Int {
                let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
                defer { session.finishTasksAndInvalidate() }
                return try await withCheckedThrowingContinuation { continuation in
                    state.withLock { $0.done = continuation }
                    session.dataTask(with: url).resume()
                }
            }

            func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
                state.withLock { $0.count += data.count }
            }

            func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
                let (count, done) = state.withLock { ($0.count, $0.done) }
                done?.resume(with: error.map { .failure($0) } ?? .success(count))
            }
        }
    }
#endif
