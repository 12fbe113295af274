import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopStreams

@Suite("Streams that end in any way at any moment", .limited)
struct RandomStreamTests {
    /// What a reader got, and how that ended.
    private struct Ending: Sendable {
        var lines: [String] = []
        /// The failure's code; nil for the end of the stream, and "left" for a reader that wanted no more.
        var code: String?
        /// Whether the reader wanted no more, perhaps after the call had ended.
        var hasLeft = false
    }

    private struct Enough: Error {}

    @Test("give a beginning of their lines, and then one end that is true", arguments: Seed.ofRun)
    func endings(seed: Seed) async throws {
        let random = Lock(seed.numbers)
        @Sendable func pick(_ range: ClosedRange<Int>) -> Int {
            random.withLock { Int.random(in: range, using: &$0) }
        }
        let bulkhead = Bulkhead<HTTP.Request, HTTP.Response>(limit: 100_000)
        let log = RecordingLog()
        let rounds = 2000
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<rounds {
                if round >= 32 {
                    try await group.next()
                }
                group.addTask {
                    let count = pick(0...40)
                    let lines = (0..<count).map { "line \($0)" + String(repeating: ".", count: pick(0...200)) }
                    var pieces: [StreamPiece] = []
                    var rest = Substring(lines.map { $0 + "\n" }.joined())
                    while !rest.isEmpty {
                        let size = pick(1...400)
                        pieces.append(.bytes(String(rest.prefix(size))))
                        rest = rest.dropFirst(size)
                    }
                    let isCut = pick(0...2) == 0
                    if isCut {
                        pieces.append(.lost)
                    }
                    let transport = ScriptedTransport(.stream(pieces))
                    let client = try Client(baseURL: "https://a.example", transport: transport) {
                        RequestLogging(.call, to: log)
                        Retry()
                        bulkhead
                        Decoding()
                        StatusValidation()
                    }
                    let ending = await Self.read(client, pick)
                    #expect(ending.lines == Array(lines.prefix(ending.lines.count)))
                    switch ending.code {
                    case nil: #expect(!isCut && ending.lines.count == count)
                    case "transport.lost": #expect(isCut && (ending.lines.count == count || ending.hasLeft))
                    case "cancelled", "left", "other": break
                    default: Issue.record("\(ending.code ?? "")")
                    }
                }
            }
            try await group.waitForAll()
        }
        // Each call has ended, also those whose reader has left.
        while bulkhead.runningCalls() > 0 || log.messages.count < rounds { await Task.yield() }
        #expect(log.messages.count == rounds)
    }

    private static func read(_ client: Client, _ pick: @escaping @Sendable (ClosedRange<Int>) -> Int) async -> Ending {
        let enough = pick(0...3) == 0 ? pick(0...40) : Int.max
        let window = pick(0...1) == 0 ? 1024 : 65_536
        let ends = Lock(Ending())
        let reading = Task { @concurrent in
            do throws(Failure) {
                let options = (try? StreamOptions(window: window)) ?? .standard
                if pick(0...1) == 0 {
                    let outcome = await client.perform("rows", as: .lines, options: options) { line in
                        if ends.withLock({ $0.lines.count }) >= enough {
                            ends.withLock { $0.hasLeft = true }
                            throw Enough()
                        }
                        ends.withLock { $0.lines.append(line) }
                    }
                    if case .cancelled = outcome {
                        ends.withLock { $0.code = "cancelled" }
                    }
                    ends.withLock { $0.code = outcome.failure?.code ?? $0.code }
                    return
                }
                let stream = try await client.stream("rows", as: .lines, options: options)
                for try await line in stream {
                    if ends.withLock({ $0.lines.count }) >= enough {
                        ends.withLock { $0.code = "left" }
                        return
                    }
                    ends.withLock { $0.lines.append(line) }
                    if pick(0...60) == 0 {
                        ends.withLock { $0.hasLeft = true }
                        stream.cancel()
                    }
                }
            } catch {
                ends.withLock { $0.code = error.code }
            }
        }
        if pick(0...3) == 0 {
            for _ in 0..<pick(0...30) { await Task.yield() }
            ends.withLock { $0.hasLeft = true }
            reading.cancel()
        }
        await reading.value
        return ends.withLock { $0 }
    }

    @Test("keeps small parts together and all bytes in order, however a slow reader takes them", arguments: Seed.ofRun)
    func pipe(seed: Seed) async throws {
        var random = seed.numbers
        let pipe = BodyPipe()
        var (pushed, taken, parts) = (Data(), Data(), 0)
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...3, using: &random)
            let part = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
            pushed += part
            pipe.push(part) {}
            if Int.random(in: 0..<2000, using: &random) == 0 {
                taken += try await pipe.next(within: nil) ?? Data()
                parts += 1
            }
        }
        pipe.end(.success(()))
        while let part = try await pipe.next(within: nil) {
            taken += part
            parts += 1
        }
        #expect(taken == pushed)
        #expect(parts < 40, "of \(pushed.count) bytes")
    }
}
