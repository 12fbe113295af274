import BackstopTestSupport
import Foundation
import Testing

@testable import Backstop

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A stream that a thread waits for", .limited)
struct StreamChunksTests {
    @Test("gives its chunks in order, then the end", arguments: [nil, 30] as [Int64?])
    func order(length: Int64?) async throws {
        let body = HTTP.Body.stream(length: length) { pieces(of: Data(0..<30), size: 10) }
        let chunks = StreamChunks(length: length, patience: nil) { try await body.open() }
        let read = try await onThread { () throws -> [Data] in
            var read: [Data] = []
            while let chunk = try chunks.next() {
                read.append(chunk)
            }
            #expect(try chunks.next() == nil)
            return read
        }
        #expect(read == [Data(0..<10), Data(10..<20), Data(20..<30)])
    }

    @Test(
        "arrives whole whoever is faster, or is cut short by a cancellation",
        arguments: Seed.ofRun(and: Array(1...12)))
    func random(seed: Seed) async throws {
        var numbers = seed.numbers
        let data = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 / 251) })
        let size = Int.random(in: 1...97, using: &numbers)
        let pause = Int.random(in: 1...20, using: &numbers)
        let cancelled = Bool.random(using: &numbers) ? Int.random(in: 0..<20_000, using: &numbers) : nil
        let body = HTTP.Body.stream { pieces(of: data, size: size) }
        let chunks = StreamChunks(length: nil, patience: nil) { try await body.open() }
        let (read, isWhole) = try await onThread { () -> (Data, Bool) in
            var read = Data()
            var isCancelled = false
            do {
                while let chunk = try chunks.next() {
                    read += chunk
                    if (read.count / size).isMultiple(of: pause) {
                        Thread.sleep(forTimeInterval: 0.000_05)
                    }
                    if let cancelled, read.count > cancelled, !isCancelled {
                        isCancelled = true
                        // From another thread, at any moment of the next wait.
                        Thread.detachNewThread { chunks.cancel() }
                    }
                }
                return (read, true)
            } catch {
                return (read, false)
            }
        }
        #expect(data.starts(with: read))
        #expect(isWhole == (read.count == data.count) || cancelled != nil)
        #expect(!isWhole || read == data)
    }

    @Test("is not touched before the first chunk is asked for, and read one chunk ahead after that")
    func ahead() async throws {
        let asked = Counter()
        let body = HTTP.Body.stream {
            AsyncStream<Data> { asked.increment() < 100 ? Data([1]) : nil }
        }
        let chunks = StreamChunks(length: nil, patience: nil) { try await body.open() }
        for _ in 1...100 { await Task.yield() }
        #expect(asked.value == 0)
        _ = try await onThread { try chunks.next() }
        for _ in 1...1000 { await Task.yield() }
        #expect(asked.value <= 2)
        chunks.cancel()
    }

    @Test("wakes the thread when it is cancelled, and cancels the task")
    func cancelled() async throws {
        let gate = Gate()
        let ended = Gate()
        let body = HTTP.Body.stream {
            AsyncThrowingStream<Data, any Error> {
                do {
                    try await gate.passUnlessCancelled()
                } catch {
                    ended.open()
                }
                return nil
            }
        }
        let chunks = StreamChunks(length: nil, patience: nil) { try await body.open() }
        let waiting = Task { try await onThread { try chunks.next() } }
        await gate.waitForArrivals(1)
        chunks.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await ended.pass()
        await #expect(throws: CancellationError.self) { try await onThread { try chunks.next() } }
    }

    @Test("gives nothing when it was cancelled before")
    func cancelledBefore() async throws {
        let opened = Counter()
        let body = HTTP.Body.stream {
            _ = opened.increment()
            return pieces(of: Data([1]))
        }
        let chunks = StreamChunks(length: nil, patience: nil) { try await body.open() }
        chunks.cancel()
        await #expect(throws: CancellationError.self) { try await onThread { try chunks.next() } }
        #expect(opened.value == 0)
    }

    @Test("gives up where no chunk comes in time, and cancels the task")
    func impatient() async throws {
        // On a busy machine, the first waits may be over before the sequence has begun.
        for patience in [0.05, 0.5, 5, 50] {
            let hasBegun = Lock(false)
            let (gate, ended) = (Gate(), Gate())
            let body = HTTP.Body.stream {
                AsyncThrowingStream<Data, any Error> {
                    hasBegun.withLock { $0 = true }
                    do {
                        try await gate.passUnlessCancelled()
                    } catch {
                        ended.open()
                    }
                    return nil
                }
            }
            let chunks = StreamChunks(length: nil, patience: patience) { try await body.open() }
            let error = await #expect(throws: URLError.self) { try await onThread { try chunks.next() } }
            #expect(error?.code == .timedOut)
            if hasBegun.withLock({ $0 }) {
                return await ended.pass()
            }
        }
        Issue.record("The sequence has never begun")
    }

    @Test("throws what the sequence throws, after the chunks before it")
    func throwing() async throws {
        struct Broken: Error {}
        let body = HTTP.Body.stream { FailingPieces(Data([1, 2]), then: Broken()) }
        let chunks = StreamChunks(length: nil, patience: nil) { try await body.open() }
        #expect(try await onThread { try chunks.next() } == Data([1, 2]))
        let error = await #expect(throws: RequestError.self) { try await onThread { try chunks.next() } }
        #expect(error?.code == .bodyUnreadable)
        #expect(error?.underlying is Broken)
    }

    /// Runs what may block on a thread of its own.
    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let result = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: Result { try work() })
            }
        }
        return try result.get()
    }
}
