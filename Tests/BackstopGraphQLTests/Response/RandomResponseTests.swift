import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Random responses", .limited)
struct RandomResponseTests {
    static let seeds = Seed.ofRun(and: [1, 2, 3, 4_000])

    private static let samples = [
        #"{"data":{"hero":{"name":"R2-D2"}},"errors":[{"message":"a","path":["hero",0,1.5,null],"locations":[{"line":1,"#
            + #""column":2}],"extensions":{"code":"C","big":18446744073709551616,"e":1e308}}],"extensions":{"x":[[{}]]}}"#,
        #"{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#,
        #"{"data":null,"errors":[7,"text",null,{},{"message":5}]}"#,
    ].map { Array($0.utf8) }

    private static let statuses = [200, 204, 294, 302, 400, 404, 500, 503]
    private static let types = ["application/json", "application/graphql-response+json", "text/html", ""]

    @Test("always end as a value or as a failure", arguments: seeds)
    func random(seed: Seed) async throws {
        let random = SeededRandom(seed: seed.number)
        func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int(random.next() % UInt64(elements.count))]
        }
        func body() -> Data {
            var bytes = pick(Self.samples)
            guard random.next() % 5 != 0 else {
                return Data((0..<random.next() % 200).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            }
            for _ in 0...random.next() % 4 where !bytes.isEmpty {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 5 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes[place] = pick(Array("{}[]\",:0e-n\\".utf8))
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 8)))
                case 3: bytes.removeLast(bytes.count - place)
                default: bytes.insert(contentsOf: pick(Self.samples), at: place)
                }
            }
            return Data(bytes)
        }
        for _ in 0..<300 {
            // given
            let steps = (0..<3).map { _ in
                Stub<HTTP.Request, HTTP.Response>.data(
                    pick(Self.statuses), body(), headers: ["Content-Type": pick(Self.types)])
            }
            let client = try makeClient(ScriptedTransport(steps)) {
                ResponseCache()
                Decoding()
                StatusValidation()
                PersistedQueries(hasher: .sha256)
            }
            // when
            let outcome = await client.perform(
                HeroName(),
                options: client.graphQLOptions.changing { $0.failsOnPartialData = random.next() % 2 == 0 })
            // then
            switch outcome {
            case .value(let result):
                #expect(result.response.status > 0)
            case .unhandled(let failure):
                #expect(failure.response != nil)
                #expect(!failure.report.isEmpty)
                #expect(failure.code != "other")
                _ = failure.graphQLErrors.map(\.description)
            case .handled, .cancelled:
                Issue.record("neither value nor failure: \(outcome)")
            }
        }
    }
}
