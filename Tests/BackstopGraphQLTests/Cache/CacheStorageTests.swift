import Backstop
import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopGraphQL

extension CacheStorage {
    /// Stores the response to a call that nothing else is beside.
    fileprivate func store(_ response: HTTP.Response, for key: CacheKey) {
        let number = begin(key)
        store(Entry(response: response), for: key, number: number)
        end(key)
    }
}

@Suite("The storage of the cache", .limited)
struct CacheStorageTests {
    static let seeds = Seed.ofRun(and: [1, 2, 3, 50_000])

    private func key(_ name: String) throws -> CacheKey {
        try #require(CacheKey(HTTP.Request(.post, endpoint, body: .data(Data(name.utf8)))))
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

    @Test("counts all that it keeps of a response: body, headers, variables and key")
    func size() throws {
        // given
        let (storage, key) = (CacheStorage(capacity: 1 << 20), try key("abc"))
        let response = HTTP.Response(status: 200, headers: ["ETag": "12345"], body: Data(count: 700))
        // when
        let entry = CacheStorage.Entry(response: response, variables: Data(count: 30))
        storage.store(entry, for: key, number: storage.begin(key))
        // then: a key is its URL, headers and body
        #expect(storage.size == 500 + 700 + 4 + 5 + 30 + endpoint.utf8.count + 3)
    }

    @Test("tells requests apart by their method")
    func method() throws {
        let keys = try [HTTP.Method.get, .post].map { CacheKey(try HTTP.Request($0, endpoint)) }
        #expect(keys[0] != nil && keys[0] != keys[1])
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
        #expect(storage.entry(for: keys[0]) != nil)
        storage.store(response(400), for: keys[8])
        // then
        let kept = keys.map { storage.entry(for: $0) != nil }
        #expect(kept.last == true)
        #expect(kept.first == true)
        // A quarter goes at a time.
        #expect(kept.dropFirst().dropLast() == [false, false, false, true, true, true, true])
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
        let cache = ResponseCache()
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
        #expect(storage.entry(for: key) == nil)
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
        #expect(storage.entry(for: key)?.entry.response.body.first == 99)
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
                // The URL and the body belong to the key.
                let size = body + 500 + 31 + "\(index)".utf8.count
                storage.store(response(body, mark: mark), for: keys[index])
                model.removeAll { $0.index == index }
                if size <= capacity / 8 {
                    model.append((index, size, body == 0 ? 0 : mark))
                }
                #expect(storage.size <= capacity)
                if model.reduce(0, { $0 + $1.size }) > capacity {
                    while model.reduce(0, { $0 + $1.size }) > capacity * 3 / 4 {
                        model.removeFirst()
                    }
                }
                #expect(storage.size == model.reduce(0) { $0 + $1.size })
            case 4 where random.next() % 200 == 0:
                storage.removeAll { _, _ in true }
                model = []
            default:
                // when something is asked for
                let response = storage.entry(for: keys[index])?.entry.response
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
            #expect((storage.entry(for: key) != nil) == model.contains { $0.index == index })
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
                        #expect(storage.entry(for: key)?.entry.response.body.first == UInt8(index))
                    }
                }
            }
        }
    }

    /// A body that says when its memory is given back.
    private func counted(_ number: Int, _ live: Lock<Int>) -> HTTP.Body {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 20_000, alignment: 1)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        bytes.storeBytes(of: number, as: Int.self)
        live.withLock { $0 += 1 }
        guard let start = bytes.baseAddress else {
            return .none
        }
        return .data(
            Data(
                bytesNoCopy: start, count: bytes.count,
                deallocator: .custom { pointer, _ in
                    pointer.deallocate()
                    live.withLock { $0 -= 1 }
                }))
    }

    @Test("what goes takes its key with it, and keys count", arguments: [false, true])
    func keys(isUsedMeanwhile: Bool) throws {
        // given: room for nine
        let storage = CacheStorage(capacity: 200_000)
        let live = Lock(0)
        // when
        for number in 0..<500 {
            let key = try #require(CacheKey(HTTP.Request(.post, endpoint, body: counted(number, live))))
            storage.store(response(10), for: key)
            for _ in 0..<(isUsedMeanwhile ? 20 : 0) {
                #expect(storage.entry(for: key) != nil)
            }
            #expect(storage.size <= 200_000)
            #expect((1...10).contains(live.withLock { $0 }))
        }
        // then
        storage.removeAll { _, _ in true }
        #expect(live.withLock { $0 } == 0)
        #expect(storage.size == 0)
    }

    @Test("keys whose bodies differ only at their end have hashes of their own")
    func hashes() throws {
        let hashes = try (0..<50).map { try key(String(repeating: "x", count: 200) + "\(100 + $0)").hashValue }
        #expect(Set(hashes).count == 50)
    }

    @Test("a hundred thousand calls at once leave nothing behind, and a key that nobody asks for has no memory")
    func calls() throws {
        // given
        let storage = CacheStorage(capacity: 10_000)
        let key = try key("a")
        let numbers = (0..<100_000).map { _ in storage.begin(key) }
        // when: the answers come backwards
        for (index, number) in numbers.enumerated().reversed() {
            storage.store(
                .init(response: response(1, mark: UInt8(truncatingIfNeeded: index))), for: key, number: number)
            storage.end(key)
        }
        // then
        #expect(storage.entry(for: key)?.entry.response.body.first == UInt8(truncatingIfNeeded: 99_999))
    }

    @Test("a response that was asked for before everything was forgotten is not kept")
    func removal() throws {
        // given
        let storage = CacheStorage(capacity: 10_000)
        let key = try key("a")
        let before = storage.begin(key)
        // when
        storage.removeAll { _, _ in true }
        storage.store(.init(response: response(1)), for: key, number: before)
        // then
        #expect(storage.entry(for: key) == nil)
        storage.store(response(1), for: key)
        #expect(storage.entry(for: key) != nil)
    }
}
