import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("What an operation says of itself", .limited)
struct OperationTests {
    private struct With<Variables: Encodable & Sendable>: GraphQL.Operation {
        typealias Data = HeroName.Data
        var variables: Variables
        var document = HeroOfEpisode().document
    }

    private struct Dated: GraphQL.Operation {
        struct Data: Decodable, Sendable {
            var now: Date
        }
        struct Variables: Encodable, Sendable {
            var since: Date
        }

        var variables = Variables(since: Date(timeIntervalSince1970: 1_000_000_000))
        var document = GraphQL.Document(text: "query Dated($since: Date) { now }")
    }

    /// With coders of its own.
    private struct Seconds: GraphQL.Operation {
        typealias Data = Dated.Data
        var variables = Dated().variables
        var document = Dated().document
        var encoder: JSONEncoder
        var decoder: JSONDecoder
    }

    private struct Extended: GraphQL.Operation {
        typealias Data = HeroName.Data
        var extensions: [String: JSONValue] = ["trace": ["id": 7, "a": true], "persistedQuery": 1]
        static let hash = "97f75351ea20605b031e0e6ddc3fa18c4a10ea3e9c6fadbd592b507c65fcb930"
        var document = GraphQL.Document(text: "query E { a }", hash: Self.hash)
    }

    private func variables(_ transport: ScriptedTransport) throws -> JSONValue? {
        let body = try #require(transport.requests.last?.body.data)
        return try JSONDecoder().decode(JSONValue.self, from: body)["variables"]
    }

    @Test("the client's coders are no instances that operations share")
    func ownCoders() {
        #expect(HeroName().encoder !== HeroName().encoder)
        #expect(HeroName().decoder !== HeroName().decoder)
    }

    // MARK: Variables

    @Test(
        "an operation without a variable that must have a value is refused, and nothing is sent",
        arguments: [
            ("mutation M($a: Int!) { m(a: $a) }", "a"), ("query Q($a: Int, $b: [ID!]!) { q }", "b"),
            ("query Q($a: [ID!]!, $b: ID!) { q }", "a"), ("query Q($a: ID! @d(e: \"f\")) { q }", "a"),
            ("query Q($a: ID! = 1, $b: ID!) { q } query R($c: ID!) { r }", "b"),
            ("query Q($a: Int) { q }", nil), ("query Q($a: [ID!]) { q }", nil), ("query Q($a: ID! = 1) { q }", nil),
            ("query Q($a: In! = {b: [1]}) { q }", nil), ("query Q @live(if: \"$a: b!\") { q }", nil),
            ("query Q { q(a: $a) } fragment F($b: ID!) on T { f }", nil), ("query Q($x: ID!, $y: ID!) { q }", nil),
        ] as [(String, String?)])
    func required(text: String, missing: String?) async throws {
        // given
        struct Add: GraphQL.Operation {
            struct Data: Decodable, Sendable {}
            var document: GraphQL.Document
            var variables: [String: Int]
        }
        let transport = ScriptedTransport(.json(200, #"{"data":{}}"#))
        let client = try makeClient(transport)
        let add = Add(
            document: GraphQL.Document(text: text, name: text.contains("query R") ? "Q" : nil),
            variables: ["x": 1, "y": 2])
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(add) }
        // then
        #expect(failure?.code == missing.map { _ in "request.encoding" })
        #expect(transport.requests.count == (missing == nil ? 1 : 0))
        if let missing {
            #expect(failure?.explanation.contains("declares $\(missing), which must have a value") == true)
        }
    }

    @Test("variables that are no JSON object are refused in words, and nothing is sent")
    func noObject() async throws {
        func failed(_ operation: some GraphQL.Operation) async throws -> Failure? {
            let transport = ScriptedTransport()
            let client = try makeClient(transport)
            let failure = await failure { () async throws(Failure) in try await client.fetch(operation) }
            #expect(transport.requests.isEmpty)
            return failure
        }
        let failures = [
            try await failed(With(variables: ["JEDI"])), try await failed(With(variables: "JEDI")),
            try await failed(With(variables: 7)), try await failed(With(variables: [[String: Int]]())),
        ]
        for (failure, kind) in zip(failures, ["array", "string", "number", "array"]) {
            #expect(failure?.code == "request.encoding")
            #expect(failure?.graphQL?.failureCode == "graphQL.encodingError")
            #expect(failure?.explanation.contains("encoded as \(kind), but must be a JSON object") == true)
        }
    }

    /// An operation that writes its variables by itself, and so needs no type for them.
    private struct Written: GraphQL.Operation {
        typealias Data = HeroName.Data
        var json: String
        var document = HeroOfEpisode().document

        func encodedVariables(by encoder: JSONEncoder) throws -> Foundation.Data {
            Foundation.Data(json.utf8)
        }
    }

    @Test("variables that an operation writes by itself are sent, without a type for them as well")
    func written() async throws {
        // given
        let transport = ScriptedTransport(.hero.repeated())
        let client = try makeClient(transport)
        // when
        _ = try await client.fetch(Written(json: #"{"episode":"JEDI"}"#))
        // then
        #expect(try variables(transport) == ["episode": "JEDI"])
        // when
        _ = try await client.fetch(Written(json: "null"))
        // then
        #expect(try variables(transport) == nil)
        // when: no variables at all, whatever the encoder's format is
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        _ = try await client.fetch(HeroName(), options: client.graphQLOptions.changing { $0.encoder = encoder })
        // then
        #expect(!transport.requests[2].text.contains("variables"))
    }

    @Test(
        "variables that an operation writes by itself must be JSON: nothing else gets into the message",
        arguments: [
            #"{"episode":"JEDI"},"query":"mutation { removeAll }","x":{}"#, #"{"episode":"#, #"{"episode":}"#,
            #"{"episode":"JEDI"} {}"#, "{", "", " ", #"{'episode':1}"#,
        ])
    func malformed(json: String) async throws {
        // given
        let transport = ScriptedTransport()
        let client = try makeClient(transport)
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(Written(json: json)) }
        // then
        #expect(failure?.code == "request.encoding")
        #expect(failure?.explanation.contains("HeroOfEpisode") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test("a variable can be null, apart from not being given")
    func null() async throws {
        struct Profile: Encodable, Sendable {
            var nickname: GraphQL.Nullable<String>?
            var born: GraphQL.Nullable<Date>?
        }
        // given
        let transport = ScriptedTransport(.hero.repeated())
        let client = try makeClient(transport)
        let cases: [(Profile, JSONValue)] = [
            (Profile(), [:]), (Profile(nickname: .null), ["nickname": .null]),
            (Profile(nickname: .value("Ada")), ["nickname": "Ada"]),
            (Profile(nickname: .init(nil)), ["nickname": .null]),
            (Profile(nickname: .init("Ada")), ["nickname": "Ada"]),
            (Profile(born: .value(Date(timeIntervalSince1970: 0))), ["born": "1970-01-01T00:00:00Z"]),
        ]
        for (profile, expected) in cases {
            // when
            _ = try await client.fetch(With(variables: profile))
            // then
            #expect(try variables(transport) == expected)
        }
    }

    @Test("optional variables that are nil are none")
    func optional() async throws {
        let transport = ScriptedTransport(.hero.repeated())
        let client = try makeClient(transport)
        _ = try await client.fetch(With(variables: [String: Int]?.none))
        #expect(try variables(transport) == nil)
        _ = try await client.fetch(With(variables: Optional(["first": 2])))
        #expect(try variables(transport) == ["first": 2])
    }

    @Test("variables of a dictionary have one order, whatever encoder the app has")
    func sorted() async throws {
        // given
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted]
        let transport = ScriptedTransport(.hero)
        let client = try makeClient(transport) { ResponseCache() }.withOptions { options in
            options.values.graphQL.encoder = encoder
            options.values.graphQL.cachePolicy = .cacheFirst
        }
        let all = Dictionary(uniqueKeysWithValues: (0..<50).map { ("v\($0)", $0) })
        // when: the same values, in dictionaries that were filled in different orders
        for seed in 1...8 {
            var copy: [String: Int] = [:]
            for key in all.keys.shuffled() {
                copy[key] = all[key]
            }
            copy.reserveCapacity(seed * 100)
            _ = try await client.fetch(With(variables: copy))
        }
        // then
        #expect(transport.requests.count == 1)
    }

    // MARK: Encoders and decoders

    @Test("dates are written and read as the client says, or else the operation")
    func dates() async throws {
        // given
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let seconds = JSONEncoder()
        seconds.dateEncodingStrategy = .secondsSince1970
        let secondsDecoder = JSONDecoder()
        secondsDecoder.dateDecodingStrategy = .secondsSince1970
        let transport = ScriptedTransport(
            .json(200, #"{"data":{"now":"2001-09-09T01:46:40Z"}}"#), .json(200, #"{"data":{"now":1000000000}}"#),
            .json(200, #"{"data":{"now":1000000000}}"#))
        let client = try makeClient(transport).withOptions { [encoder, decoder] options in
            options.values.graphQL.encoder = encoder
            options.values.graphQL.decoder = decoder
        }
        var dates: [Date] = []
        var sent: [JSONValue?] = []
        // when
        dates.append(try await client.data(for: Dated()).now)
        sent.append(try variables(transport))
        dates.append(try await client.data(for: Seconds(encoder: seconds, decoder: secondsDecoder)).now)
        sent.append(try variables(transport))
        dates.append(
            try await client.data(
                for: Dated(),
                options: client.graphQLOptions.changing { options in
                    options.encoder = seconds
                    options.decoder = secondsDecoder
                }
            ).now)
        sent.append(try variables(transport))
        // then
        #expect(dates == Array(repeating: Date(timeIntervalSince1970: 1_000_000_000), count: 3))
        #expect(
            sent == [["since": "2001-09-09T01:46:40Z"], ["since": 1_000_000_000], ["since": 1_000_000_000]])
    }

    @Test("dates are written and read by the coders of the client's other calls, where it has none for GraphQL")
    func datesOfTheClient() async throws {
        // given
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let transport = ScriptedTransport(.json(200, #"{"data":{"now":"2001-09-09T01:46:40Z"}}"#))
        let client = try makeClient(transport).withOptions { [encoder, decoder] options in
            options.values.encoder = encoder
            options.values.decoder = decoder
        }
        // then
        #expect(try await client.data(for: Dated()).now == Date(timeIntervalSince1970: 1_000_000_000))
        #expect(try variables(transport) == ["since": "2001-09-09T01:46:40Z"])
    }

    @Test("dates are written in ISO 8601 unless an encoder has a strategy, and read so where there is no decoder")
    func datesByDefault() async throws {
        // given
        let transport = ScriptedTransport(.json(200, #"{"data":{"now":"2001-09-09T01:46:40Z"}}"#).repeated())
        let snakeCase = JSONEncoder()
        snakeCase.keyEncodingStrategy = .convertToSnakeCase
        let plain = try makeClient(transport)
        let withKeys = plain.withOptions { $0.values.graphQL.encoder = snakeCase }
        let withKeysForAll = plain.withOptions { $0.values.encoder = snakeCase }
        for client in [plain, withKeys, withKeysForAll] {
            // when
            let now = try await client.data(for: Dated()).now
            // then
            #expect(now == Date(timeIntervalSince1970: 1_000_000_000))
            #expect(try variables(transport) == ["since": "2001-09-09T01:46:40Z"])
        }
        // when: the operation's own encoder is taken at its word
        _ = try await plain.data(for: Seconds(encoder: JSONEncoder(), decoder: ClientDecoder.iso8601))
        // then
        #expect(try variables(transport) == ["since": 21_692_800])
    }

    private enum ClientDecoder {
        static var iso8601: JSONDecoder {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return decoder
        }
    }

    @Test("a decoder's way with keys and numbers concerns the data alone")
    func keys() async throws {
        struct Snake: GraphQL.Operation {
            struct Data: Decodable, Sendable {
                var heroName: String
                var height: Double
            }
            var document = GraphQL.Document(text: "query Snake { hero_name }")
        }
        // given
        let body =
            #"{"data":{"hero_name":"Luke","height":"tall"},"errors":[{"message":"m","extensions":{"error_code":1}}]}"#
        for strategy in [
            JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase,
            .custom { path in
                AnyKey(stringValue: (path.last?.stringValue ?? "") == "hero_name" ? "heroName" : "height")
            },
        ] {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = strategy
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "tall", negativeInfinity: "-", nan: "?")
            // when
            let client = try makeClient(ScriptedTransport(.json(200, body)))
            let result = try await client.fetch(
                Snake(), options: client.graphQLOptions.changing { $0.decoder = decoder })
            // then
            #expect(result.data.heroName == "Luke")
            #expect(result.data.height == .infinity)
            #expect(result.errors.first?.extensions["error_code"] == 1)
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    // MARK: Extensions

    @Test("an operation's own extensions are sent, beside that of persisted queries")
    func extensions() async throws {
        // given
        let transport = ScriptedTransport(.hero.repeated())
        let persisted = try makeClient(transport) {
            Decoding()
            PersistedQueries(hasher: .precomputed)
        }
        // when
        _ = try await makeClient(transport).fetch(Extended())
        _ = try await persisted.fetch(Extended())
        _ = try await persisted.fetch(
            Extended(), options: persisted.graphQLOptions.changing { $0.usesGETForHashedQueries = true })
        // then
        let own = #""trace":{"a":true,"id":7}"#
        let hash = #""persistedQuery":{"version":1,"sha256Hash":"\#(Extended.hash)"}"#
        #expect(
            transport.requests[0].text
                == #"{"operationName":"E","extensions":{"persistedQuery":1,\#(own)},"query":"query E { a }"}"#)
        #expect(transport.requests[1].text == #"{"operationName":"E","extensions":{\#(own),\#(hash)}}"#)
        let parts = URLComponents(url: transport.requests[2].url, resolvingAgainstBaseURL: false)
        #expect(parts?.queryItems?.last == URLQueryItem(name: "extensions", value: "{\(own),\(hash)}"))
    }

    @Test("extensions tell responses apart in the cache")
    func extensionsInCache() async throws {
        // given
        let transport = ScriptedTransport(.hero.repeated())
        let client = try makeClient(transport) { ResponseCache() }
        // when
        for tenant in ["a", "b", "a"] {
            _ = try await client.fetch(Extended(extensions: ["tenant": .string(tenant)]), cachePolicy: .cacheFirst)
        }
        // then
        #expect(transport.requests.count == 2)
    }

    @Test("extensions that cannot be encoded are a failure, and nothing is sent")
    func badExtensions() async throws {
        // given
        let transport = ScriptedTransport()
        let client = try makeClient(transport)
        // when
        let failure = await failure { () async throws(Failure) in
            try await client.fetch(Extended(extensions: ["x": .double(.nan)]))
        }
        // then
        #expect(failure?.code == "request.encoding")
        #expect(transport.requests.isEmpty)
    }

    // MARK: Texts

    @Test("no text shows the literals of a document, its variables, or what a failed call carries of them")
    func texts() async throws {
        // given
        let document = GraphQL.Document(
            text: #"query Login { login(password: "literal-secret") { id } }"#)
        var operation = With(variables: ["password": "variable-secret"])
        operation.document = document
        let body = #"{"errors":[{"message":"password=message-secret is wrong"}]}"#
        let client = try makeClient(ScriptedTransport(.graphQL(200, body)))
        // when
        let failure = await failure { [operation] () async throws(Failure) in try await client.fetch(operation) }
        var text = "\(document) \(String(reflecting: document)) \(try #require(failure))"
        dump(document, to: &text)
        dump(failure?.underlying, to: &text)
        dump(failure?.graphQL, to: &text)
        dump(failure?.graphQLErrors, to: &text)
        dump(failure?.values, to: &text)
        // then
        for secret in ["literal-secret", "variable-secret", "message-secret"] {
            #expect(!text.contains(secret), "\(secret) in \(text)")
        }
    }
}
