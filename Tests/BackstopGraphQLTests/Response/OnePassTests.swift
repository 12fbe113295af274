import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Decoding in one pass", .serialized, .limited)
struct OnePassTests {
    /// Data that counts how often it is made.
    struct Counted: Decodable, Sendable {
        static let counter = Counter()
        let hero: HeroName.Data.Hero?

        private enum CodingKeys: CodingKey {
            case hero
        }

        init(from decoder: any Decoder) throws {
            Self.counter.increment()
            hero = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(
                HeroName.Data.Hero.self, forKey: .hero)
        }
    }

    struct CountedQuery: GraphQL.Operation {
        typealias Data = Counted
        var document = HeroName().document
    }

    struct Setup: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        var isStrict = false
        var fails = false
    }

    @Test(
        "the data is decoded exactly once",
        arguments: [
            Setup(testDescription: "data", body: #"{"data":{"hero":{"name":"Luke"}}}"#),
            Setup(testDescription: "partial data", body: #"{"data":{"hero":null},"errors":[{"message":"a"}]}"#),
            Setup(
                testDescription: "partial data as a failure", body: #"{"data":{},"errors":[{"message":"a"}]}"#,
                isStrict: true, fails: true),
            Setup(testDescription: "data that does not fit", body: #"{"data":{"hero":7}}"#, fails: true),
            Setup(
                testDescription: "data that does not fit, and errors",
                body: #"{"data":{"hero":7},"errors":[{"message":"a"}]}"#, fails: true),
        ])
    func once(setup: Setup) async throws {
        // given
        let cache = ResponseCache()
        let client = try makeClient(ScriptedTransport(.json(200, setup.body)), url: endpoint + "/one-pass") {
            cache
            Retry()
            Decoding()
            StatusValidation()
            PersistedQueries(hasher: .sha256)
        }
        let before = Counted.counter.value
        // when
        let failure = await failure { () async throws(Failure) in
            try await client.fetch(
                CountedQuery(), options: client.graphQLOptions.changing { $0.failsOnPartialData = setup.isStrict })
        }
        // then
        #expect((failure != nil) == setup.fails)
        #expect(Counted.counter.value - before == 1)
    }
}
