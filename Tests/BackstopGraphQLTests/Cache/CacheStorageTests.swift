import Backstop
import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopGraphQL

@Suite("The storage of the cache", .limited)
struct CacheStorageTests {
    static let seeds = Seed.ofRun(and: [1, 2, 3, 50_000])

    private func key(_ name: String) throws -> CacheKey {
        var operation = HeroName()
        operation.document = .init(name: name, kind: .query, knownToServerAs: "")
        return CacheKey(try OperationCall(operation, options: GraphQL.Options()), try HTTP.Request(.post, endpoint))
    }

    private func response(_ size: Int, mark: UInt8 = 0) -> HTTP.Response {
        HTTP.Response(status: 200, body: Data(repeating: mark, count: size))
    }

    @Test("lets go of what makes room without its lock, where bytes may tell of their end")
    func letGo() throws {
        // given: bytes whose end asks the storage
        let storage = CacheStorage(capacity: 8 * 1000)
        let sizes = Lock<[Int]>([])
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 400, alignment: 1)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: 400)
        func watched() -> HTTP.Response {
            let data = Data(
                bytesNoCopy: memory, count: 400,
                deallocator: .custom { _, _ in
                    let size = storage.size
                    sizes.withLock { $0.append(size) }
                })
            return HTTP.Response(status: 200, body: data)
        }
        let key = try key("a")
        storage.store(watched(), for: key)
        storage.store(response(400), for: key)
        storage.store(watched(), for: try self.key("b"))
        // when
        for index in 0..<9 {
            storage.store(response(400), for: try self.key("\(index)"))
        }
        // then
        #expect(sizes.withLock { $0.count } == 2)
        memory.deallocate()
    }

    @Test("lets the least recently used go first")
    func leastRecentlyUsed() throws {
        // given: eight entries fill it
        let storage = CacheStorage(capacity: 8 * 1000)
        let keys = try (0..<9).map { try key("\($0)") }
        for key in keys.prefix(8) {
            storage.store(response(400), for: key)
        }
        // when: the first is used, and one more comes
        #expect(storage.entry(for: keys[0])?.response != nil)
        storage.store(response(400), for: keys[8])
        // then
        let kept = keys.map { storage.entry(for: $0) != nil }
        #expect(kept == [true, false, true, true, true, true, true, true, true])
    }

    @Test("is full only when there is no room for one byte more")
    func exactFit() throws {
        // given: eight entries that take all of it, with 500 bytes for each beside its body, its URL and its name
        let capacity = 8 * (400 + 500 + endpoint.utf8.count + 1)
        let storage = CacheStorage(capacity: capacity)
        // when
        for index in 0..<8 {
            storage.store(response(400), for: try key("\(index)"))
        }
        // then
        #expect(storage.size == capacity)
        #expect(try (0..<8).allSatisfy { storage.entry(for: try key("\($0)")) != nil })
    }

    @Test("keeps the bytes of a response and not the content that was read of them")
    func withoutContent() async throws {
        // given: content that tells of its end
        let isReleased = Gate()
        final class Hero: Decodable, Sendable {
            static let ended = Lock<Gate?>(nil)
            deinit { Hero.ended.withLock { $0 }?.open() }
        }
        struct HeroQuery: GraphQL.Operation {
            struct Data: Decodable, Sendable { var hero: Hero }
            var document = GraphQL.Document(text: "query Hero { hero { name } }")
        }
        Hero.ended.withLock { $0 = isReleased }
        let cache = try ResponseCache()
        let client = try makeClient(ScriptedTransport(.hero)) {
            cache
            Decoding()
        }
        // when
        _ = try await client.fetch(HeroQuery(), cachePolicy: .cacheFirst)
        // then
        await isReleased.pass()
        #expect(try await client.fetch(HeroQuery(), cachePolicy: .cacheOnly).isFromCache)
    }

    @Test("does not keep a body beyond an eighth of it, and drops what stood in its place")
    func largeBody() throws {
        // given
        let storage = CacheStorage(capacity: 8000)
        let key = try key("a")
        storage.store(response(100), for: key)
        // when
        storage.store(response(900), for: key)
        // then
        #expect(storage.entry(for: key)?.response == nil)
    }

    @Test("replaces what is there, and counts it once")
    func replacing() throws {
        // given
        let storage = CacheStorage(capacity: 8000)
        let first = try key("first")
        storage.store(response(400), for: first)
        let key = try key("a")
        // when
        for index in 0..<100 {
            storage.store(response(400, mark: UInt8(index)), for: key)
        }
        // then
        #expect(storage.entry(for: key)?.response.body.first == 99)
        #expect(storage.entry(for: first) != nil)
    }

    @Test("random use: never more than its capacity, and the most recent entries survive", arguments: seeds)
    func random(seed: Seed) throws {
        // given
        let random = SeededRandom(seed: seed.number)
        let capacity = 20_000
        let storage = CacheStorage(capacity: capacity)
        let keys = try (0..<60).map { try key("\($0)") }
        // A model: keys with sizes, the most recently used last.
        var model: [(index: Int, size: Int, mark: UInt8)] = []
        for step in 0..<4000 {
            let index = Int(random.next() % UInt64(keys.count))
            switch random.next() % 8 {
            case 0...3:
                // when something is stored
                let mark = UInt8(truncatingIfNeeded: step)
                let body = Int(random.next() % 2600)
                // The URL and the name belong to the key.
                let size = body + 500 + 31 + "\(index)".utf8.count
                storage.store(response(body, mark: mark), for: keys[index])
                model.removeAll { $0.index == index }
                if size <= capacity / 8 {
                    model.append((index, size, body == 0 ? 0 : mark))
                }
                #expect(storage.size <= capacity)
                while model.reduce(0, { $0 + $1.size }) > capacity {
                    model.removeFirst()
                }
            case 4 where random.next() % 200 == 0:
                storage.removeAll()
                model = []
            default:
                // when something is asked for
                let response = storage.entry(for: keys[index])?.response
                let place = model.firstIndex { $0.index == index }
                #expect((response != nil) == (place != nil), "step \(step)")
                if let place {
                    #expect(response?.body.first ?? 0 == model[place].mark)
                    model.append(model.remove(at: place))
                }
            }
        }
        // then
        for (index, key) in keys.enumerated() {
            #expect((storage.entry(for: key)?.response != nil) == model.contains { $0.index == index })
        }
    }

    @Test("threads at once neither lose nor mix up entries")
    func threads() async throws {
        let storage = CacheStorage(capacity: 1 << 20)
        let keys = try (0..<16).map { try key("\($0)") }
        await withTaskGroup { group in
            for (index, key) in keys.enumerated() {
                group.addTask {
                    for _ in 0..<200 {
                        storage.store(response(200, mark: UInt8(index)), for: key)
                        #expect(storage.entry(for: key)?.response.body.first == UInt8(index))
                    }
                }
            }
        }
    }

    /// A query whose variables say when their memory is given back.
    private struct Counted: GraphQL.Operation {
        typealias Data = HeroName.Data
        let live: Lock<Int>
        let number: Int
        var variables: Void { () }
        let document = GraphQL.Document(text: "query Counted { a }")

        func encodedVariables(by encoder: JSONEncoder) throws -> Foundation.Data {
            let json = #"{"number":\#(number),"text":"\#(String(repeating: "x", count: 20_000))"}"#
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: json.utf8.count, alignment: 1)
            bytes.copyBytes(from: json.utf8)
            guard let start = bytes.baseAddress else {
                return Foundation.Data()
            }
            live.withLock { $0 += 1 }
            return Foundation.Data(
                bytesNoCopy: start, count: bytes.count,
                deallocator: .custom { [live] pointer, _ in
                    pointer.deallocate()
                    live.withLock { $0 -= 1 }
                })
        }
    }

    @Test("what goes takes its key with it, and keys count", arguments: [false, true])
    func keys(isUsedMeanwhile: Bool) throws {
        // given: room for nine
        let storage = CacheStorage(capacity: 200_000)
        let live = Lock(0)
        let request = try HTTP.Request(.post, endpoint)
        // when
        for number in 0..<500 {
            let call = try OperationCall(Counted(live: live, number: number), options: GraphQL.Options())
            let key = CacheKey(call, request)
            storage.store(response(10), for: key)
            for _ in 0..<(isUsedMeanwhile ? 20 : 0) {
                #expect(storage.entry(for: key) != nil)
            }
            #expect(storage.size <= 200_000)
        }
        // then
        #expect(live.withLock { $0 } == 9)
        storage.removeAll()
        #expect(live.withLock { $0 } == 0)
        #expect(storage.size == 0)
    }

    @Test("keys whose variables differ only at their end have hashes of their own")
    func hashes() throws {
        struct Page: GraphQL.Operation {
            typealias Data = HeroName.Data
            var variables: [String: String]
            let document = GraphQL.Document(text: "query Page { a }")
        }
        // given
        let request = try HTTP.Request(.post, endpoint)
        // when
        let hashes = try (0..<50).map { page in
            let operation = Page(variables: ["filter": String(repeating: "x", count: 200), "page": "\(100 + page)"])
            return CacheKey(try OperationCall(operation, options: GraphQL.Options()), request).hashValue
        }
        // then
        #expect(Set(hashes).count == 50)
    }

    @Test("a response that was asked for before everything was forgotten is not kept")
    func generation() throws {
        // given
        let storage = CacheStorage(capacity: 10_000)
        let key = try key("a")
        let before = storage.generation
        // when
        storage.removeAll()
        storage.store(response(1), for: key, generation: before)
        // then
        #expect(storage.entry(for: key) == nil)
        storage.store(response(1), for: key, generation: storage.generation)
        #expect(storage.entry(for: key) != nil)
    }
}
