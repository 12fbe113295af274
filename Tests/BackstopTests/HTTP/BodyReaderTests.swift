import Backstop
import BackstopTestSupport
import Foundation
import Testing

/// What the documentation promises to those who write a transport.
@Suite("A body that a transport reads", .limited)
struct BodyReaderTests {
    static let sizes = [0, 1, 65_535, 65_536, 65_537, 200_000]

    @Test("has the same bytes, whatever its kind, in chunks of at most 65,536", arguments: sizes)
    func kinds(size: Int) async throws {
        let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try data.write(to: file)
        defer {
            try? FileManager.default.removeItem(at: file)
        }
        let bodies: [(HTTP.Body, Int64?)] = [
            (.data(data), Int64(size)), (.file(file), Int64(size)), (.stream { pieces(of: data, size: 99_999) }, nil),
            (.stream(length: Int64(size)) { pieces(of: data, size: 99_999) }, Int64(size)),
            (.stream(once: pieces(of: data, size: 7_777)), nil),
        ]
        for (body, length) in bodies {
            let chunks = try await body.open()
            #expect(chunks.length == length)
            var read = Data()
            for try await chunk in chunks {
                #expect((1...65_536).contains(chunk.count))
                read += chunk
            }
            #expect(read == data)
        }
        #expect(try await HTTP.Body.none.open().length == 0)
    }

    @Test("begins at its start each time it is opened, unless it exists once")
    func reopened() async throws {
        let again = HTTP.Body.stream { pieces(of: Data([1, 2])) }
        for _ in 1...3 {
            #expect(try await bytes(of: again) == Data([1, 2]))
        }
        let once = HTTP.Body.stream(once: pieces(of: Data([1, 2])))
        let copy = once
        #expect(try await bytes(of: once) == Data([1, 2]))
        let error = await #expect(throws: RequestError.self) { try await copy.open() }
        #expect(error?.code == .bodyUnreadable)
    }

    @Test("fails with the error of its sequence, and goes on failing")
    func throwing() async throws {
        struct Broken: Error {}
        var chunks = try await HTTP.Body.stream { FailingPieces(Data([1]), then: Broken()) }.open().makeAsyncIterator()
        #expect(try await chunks.next() == Data([1]))
        for _ in 1...2 {
            do {
                _ = try await chunks.next()
                Issue.record("The body goes on.")
            } catch let error as RequestError {
                #expect(error.code == .bodyUnreadable)
                #expect(error.underlying is Broken)
            }
        }
    }

    @Test("that is a pipe, a folder or a device is refused at once, because opening it could wait forever")
    func irregular() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            try? FileManager.default.removeItem(at: folder)
        }
        let pipe = folder.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let link = folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: pipe)
        for url in [pipe, link, folder, URL(fileURLWithPath: "/dev/zero")] {
            let error = await #expect(throws: RequestError.self) { try await HTTP.Body.file(url).open() }
            #expect(error?.code == .bodyUnreadable)
            #expect(error?.detail.contains("regular file") == true, "\(url): \(String(describing: error))")
        }
        let file = folder.appendingPathComponent("file")
        try Data([1, 2]).write(to: file)
        try FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(try await bytes(of: .file(link)) == Data([1, 2]))
    }

    @Test("cannot be opened where its sequence cannot be made")
    func unmade() async throws {
        struct Broken: Error {}
        let body = HTTP.Body.stream { () throws -> AsyncStream<Data> in throw Broken() }
        let error = await #expect(throws: RequestError.self) { try await body.open() }
        #expect(error?.code == .bodyUnreadable)
        #expect(error?.underlying is Broken)
    }

    @Test("of another length than announced fails with both numbers", arguments: [9, 11])
    func length(size: Int) async throws {
        let body = HTTP.Body.stream(length: 10) { pieces(of: Data(count: size)) }
        let error = await #expect(throws: RequestError.self) { try await bytes(of: body) }
        #expect(error?.code == .bodyLength)
        #expect(error?.detail.contains("10 announced bytes") == true)
    }

    @Test("cannot have a negative length")
    func negativeLength() async throws {
        let body = HTTP.Body.stream(length: -1) { pieces(of: Data()) }
        let error = await #expect(throws: RequestError.self) { try await body.open() }
        #expect(error?.code == .bodyLength)
    }

    @Test("whose sequence ends because the task is cancelled is not complete")
    func cancelled() async throws {
        let (stream, source) = AsyncStream<Data>.makeStream()
        source.yield(Data([1]))
        let first = Gate()
        let task = Task {
            var chunks = try await HTTP.Body.stream(once: stream).open().makeAsyncIterator()
            let chunk = try await chunks.next()
            first.open()
            _ = try await chunks.next()
            return chunk
        }
        await first.pass()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        withExtendedLifetime(source) {}
    }

    @Test("is read by one task at a time")
    func twoReaders() async throws {
        let gate = Gate()
        let body = HTTP.Body.stream {
            AsyncStream<Data> {
                await gate.pass()
                return nil
            }
        }
        let chunks = try await body.open()
        let first = Task {
            var iterator = chunks.makeAsyncIterator()
            return try await iterator.next()
        }
        await gate.waitForArrivals(1)
        var second = chunks.makeAsyncIterator()
        do {
            _ = try await second.next()
            Issue.record("Two tasks read one body.")
        } catch let error as RequestError {
            #expect(error.code == .bodyUnreadable)
        }
        gate.open()
        #expect(try await first.value == nil)
    }

    private func bytes(of body: HTTP.Body) async throws -> Data {
        var bytes = Data()
        for try await chunk in try await body.open() {
            bytes += chunk
        }
        return bytes
    }
}
