import Backstop
import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopGraphQL

@Suite("The storage of the cache", .limited)
struct CacheStorageTests {
    // The seed is the test's argument, so every failure names it; the last one is another in every run.
    static let seeds: [UInt64] = [1, 2, 3, 50_000, SystemRandom().next()]

    private func key(_ name: String) throws -> CacheKey {
        var operation = HeroName()
        operation.document = .init(name: name, kind: .query, text: "")
        return CacheKey(
            try OperationCall(operation, options: GraphQL.Options()), try HTTP.Request(.post, endpoint), headers: [])
    }

    private func response(_ size: Int, mark: UInt8 = 0) -> HTTP.Response {
        HTTP.Response(status: 200, body: Data(repeating: mark, count: size))
    }

    @Test("lets the least recently used go first")
    func leastRecentlyUsed() throws {
        // given: eight entries fill it
        let storage = CacheStorage(capacity: 8 * 1000)
        let keys = try (0..<9).map { try key("\($0)") }
        for key in keys.prefix(8) {
            storage.store(response(500), for: key)
        }
        // when: the first is used, and one more comes
        #expect(storage.response(for: keys[0]) != nil)
        storage.store(response(500), for: keys[8])
        // then
        let kept = keys.map { storage.response(for: $0) != nil }
        #expect(kept == [true, false, true, true, true, true, true, true, true])
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
        #expect(storage.response(for: key) == nil)
    }

    @Test("replaces what is there, and counts it once")
    func replacing() throws {
        // given
        let storage = CacheStorage(capacity: 8000)
        let first = try key("first")
        storage.store(response(500), for: first)
        let key = try key("a")
        // when
        for index in 0..<100 {
            storage.store(response(500, mark: UInt8(index)), for: key)
        }
        // then
        #expect(storage.response(for: key)?.body.first == 99)
        #expect(storage.response(for: first) != nil)
    }

    @Test("random use: never more than its capacity, and the most recent entries survive", arguments: seeds)
    func random(seed: UInt64) throws {
        print("cache storage: seed \(seed)")
        // given
        let random = SeededRandom(seed: seed)
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
                let size = body + 500
                storage.store(response(body, mark: mark), for: keys[index])
                model.removeAll { $0.index == index }
                if size <= capacity / 8 {
                    model.append((index, size, body == 0 ? 0 : mark))
                }
                while model.reduce(0, { $0 + $1.size }) > capacity {
                    model.removeFirst()
                }
            case 4 where random.next() % 200 == 0:
                storage.removeAll()
                model = []
            default:
                // when something is asked for
                let response = storage.response(for: keys[index])
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
            #expect((storage.response(for: key) != nil) == model.contains { $0.index == index })
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
                        #expect(storage.response(for: key)?.body.first == UInt8(index))
                    }
                }
            }
        }
    }
}
