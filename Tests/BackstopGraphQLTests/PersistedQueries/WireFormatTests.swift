import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The wire format", .limited)
struct WireFormatTests {
    private static let heroHash = "7e7c85cbf5ef3af5641552c55965608a4e5d7243f3116a486d21c3a958d34235"
    private static let episodeHash = "4163d9dc95821728d575a1aff89c2e85aebabd644722a17e18635a7b63bbf198"

    private func client(
        _ transport: ScriptedTransport, url: String = endpoint, format: PersistedQueries.Format = .extensions,
        hasher: GraphQL.Hasher = .sha256
    ) throws -> Client {
        try makeClient(transport, url: url) {
            Decoding()
            StatusValidation()
            PersistedQueries(hasher: hasher, format: format)
        }
    }

    @Test("the hash is the lower-case SHA-256 of the text")
    func hash() async throws {
        // given
        let transport = ScriptedTransport(.json(200, #"{"data":{"test":1}}"#))
        // when
        _ = try await client(transport).fetch(TestQuery())
        // then
        let text = try #require(transport.requests.first?.text)
        #expect(TestQuery.hash.hasPrefix("8ed9fcbb") && TestQuery.hash.hasSuffix("eb30"))
        #expect(text.contains(#""sha256Hash":"\#(TestQuery.hash)""#))
    }

    @Test("a hash goes without the text, and the text with the same extensions")
    func post() async throws {
        // given
        let transport = ScriptedTransport(.miss, .hero)
        // when
        _ = try await client(transport).fetch(HeroName())
        // then
        let extensions = #""extensions":{"persistedQuery":{"version":1,"sha256Hash":"\#(Self.heroHash)"}}"#
        #expect(
            transport.requests.map(\.text) == [
                #"{"operationName":"HeroName",\#(extensions)}"#,
                #"{"operationName":"HeroName",\#(extensions),"query":"query HeroName { hero { name } }"}"#,
            ])
        for request in transport.requests {
            #expect(request.method == .post)
            #expect(request.url.absoluteString == endpoint)
            #expect(request.headers[.contentType] == "application/json")
            #expect(request.headers[.accept] == "application/graphql-response+json, application/json;q=0.9")
        }
    }

    @Test("variables stand between name and extensions, their members sorted")
    func variables() async throws {
        // given
        let transport = ScriptedTransport(.hero)
        // when
        var operation = HeroOfEpisode()
        operation.document = .init(text: "query HeroOfEpisode { hero { name } }", hash: Self.episodeHash)
        _ = try await client(transport).fetch(operation)
        // then
        #expect(
            transport.requests.first?.text
                == #"{"operationName":"HeroOfEpisode","variables":{"episode":"JEDI","first":2},"#
                + #""extensions":{"persistedQuery":{"version":1,"sha256Hash":"\#(Self.episodeHash)"}}}"#)
    }

    @Test(
        "a hash that is another text's is refused, and nothing is sent",
        arguments: [PersistedQueries.Format.extensions, .documentID])
    func foreignHash(format: PersistedQueries.Format) async throws {
        // given
        let transport = ScriptedTransport()
        let client = try client(transport, format: format)
        let operation = HeroName(document: .init(text: HeroName.text, hash: Self.episodeHash))
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(operation) }
        // then
        #expect(failure?.code == "request.invalid")
        #expect(failure?.explanation.contains("its hash is not the SHA-256 of its text") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test("without the interceptor, the text goes alone")
    func plain() async throws {
        // given
        let transport = ScriptedTransport(.hero)
        // when
        _ = try await makeClient(transport).fetch(HeroOfEpisode())
        // then
        #expect(
            transport.requests.first?.text
                == #"{"operationName":"HeroOfEpisode","variables":{"episode":"JEDI","first":2},"#
                + #""query":"query HeroOfEpisode($episode: Episode) { hero(episode: $episode) { name } }"}"#)
    }

    @Test("an operation without a name is sent without one")
    func anonymous() async throws {
        // given
        var operation = HeroName()
        operation.document = .init(text: "{ hero { name } }")
        let transport = ScriptedTransport(.hero.repeated())
        // when
        _ = try await makeClient(transport).fetch(operation)
        let client = try makeClient(transport)
        _ = try await client.fetch(
            operation, options: client.graphQLOptions.changing { $0.usesGETForQueries = true })
        // then
        #expect(transport.requests[0].text == #"{"query":"{ hero { name } }"}"#)
        #expect(transport.requests[1].url.query == "query=%7B%20hero%20%7B%20name%20%7D%20%7D")
    }

    @Test("a text with quotes, line breaks and other marks arrives as it was")
    func escaping() async throws {
        // given
        let text = "query Q {\n\t# \"quotes\" \\ & = + % / é 🚀 \u{2028}\n a(b: \"\"\"c\"\"\") }"
        var operation = HeroName()
        operation.document = .init(text: text)
        let transport = ScriptedTransport(.hero.repeated())
        // when
        _ = try await makeClient(transport).fetch(operation)
        let client = try makeClient(transport)
        _ = try await client.fetch(
            operation, options: client.graphQLOptions.changing { $0.usesGETForQueries = true })
        // then
        let body = try #require(transport.requests[0].body.data)
        let message = try JSONDecoder().decode([String: String].self, from: body)
        #expect(message == ["operationName": "Q", "query": text])
        let parts = URLComponents(url: transport.requests[1].url, resolvingAgainstBaseURL: false)
        #expect(parts?.queryItems?.last == URLQueryItem(name: "query", value: text))
        #expect(transport.requests[1].url.absoluteString.contains("+") == false)
    }

    // MARK: GET

    @Test("a hashed query goes by GET where that is wanted, and its text by POST")
    func getOfHash() async throws {
        // given
        let transport = ScriptedTransport(.miss, .hero)
        let client = try client(transport, url: endpoint + "?tenant=a%26b")
        // when
        var operation = HeroOfEpisode()
        operation.variables.episode = "A+B & \"C\""
        operation.document = .init(text: "query HeroOfEpisode { hero { name } }", hash: Self.episodeHash)
        _ = try await client.fetch(
            operation, options: client.graphQLOptions.changing { $0.usesGETForHashedQueries = true })
        // then
        try #require(transport.requests.count == 2)
        let first = transport.requests[0]
        #expect(first.method == .get)
        #expect(first.body.isNone)
        #expect(first.headers[.contentType] == nil)
        #expect(
            first.url.absoluteString == endpoint + "?tenant=a%26b&operationName=HeroOfEpisode"
                + "&variables=%7B%22episode%22%3A%22A%2BB%20%26%20%5C%22C%5C%22%22%2C%22first%22%3A2%7D"
                + "&extensions=%7B%22persistedQuery%22%3A%7B%22version%22%3A1%2C%22sha256Hash%22%3A%22\(Self.episodeHash)%22%7D%7D"
        )
        #expect(transport.requests[1].method == .post)
        #expect(transport.requests[1].url.absoluteString == endpoint + "?tenant=a%26b")
        #expect(forms(transport.requests) == ["H", "HT"])
    }

    @Test("queries that go by GET do so with their hashes, and with both", arguments: [false, true])
    func getOfText(hashedByGET: Bool) async throws {
        // given
        let transport = ScriptedTransport(.miss, .hero, .hero)
        let client = try client(transport, url: endpoint + "?tenant=a")
        // when
        for _ in 1...2 {
            _ = try await client.fetch(
                HeroName(),
                options: client.graphQLOptions.changing { options in
                    options.usesGETForQueries = true
                    options.usesGETForHashedQueries = hashedByGET
                })
        }
        // then
        #expect(forms(transport.requests) == ["H", "HT", "H"])
        #expect(transport.requests.map(\.method) == [.get, .get, .get])
        let names = transport.requests.map { request in
            URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems?.map(\.name) ?? []
        }
        let hash = ["tenant", "operationName", "extensions"]
        #expect(names == [hash, hash + ["query"], hash])
    }

    @Test("a GET has a header that browsers ask about first, and a POST has none of ours")
    func preflight() async throws {
        // given
        let transport = ScriptedTransport(.hero, .miss, .hero)
        let client = try client(transport)
        // when
        let bare = try makeClient(transport)
        _ = try await bare.fetch(HeroName(), options: bare.graphQLOptions.changing { $0.usesGETForQueries = true })
        _ = try await client.fetch(
            HeroName(), options: client.graphQLOptions.changing { $0.usesGETForHashedQueries = true })
        // then
        #expect(transport.requests.map { $0.headers["Apollo-Require-Preflight"] } == ["true", "true", nil])
    }

    @Test("mutations always go by POST", arguments: [false, true])
    func mutation(hasInterceptor: Bool) async throws {
        // given
        let transport = ScriptedTransport(.graphQL(200, #"{"data":{}}"#))
        let client = try hasInterceptor ? client(transport) : makeClient(transport)
        // when
        _ = try await client.fetch(
            CreateReview(),
            options: client.graphQLOptions.changing { options in
                options.usesGETForQueries = true
                options.usesGETForHashedQueries = true
            })
        // then
        #expect(transport.requests.map(\.method) == [.post])
        #expect(transport.requests.first?.url.absoluteString == endpoint)
    }

    // MARK: Documents known to the server

    @Test(
        "a SHA-256 has its prefix as a documentId and none as a hash, and an identifier of the server's own stays as it is",
        arguments: [
            (TestQuery.hash, "sha256:" + TestQuery.hash, TestQuery.hash),
            ("sha256:" + TestQuery.hash, "sha256:" + TestQuery.hash, TestQuery.hash),
            ("hero-1", "hero-1", "hero-1"), (TestQuery.hash.uppercased(), TestQuery.hash.uppercased(), nil),
        ])
    func identifiers(id: String, documentID: String, hash: String?) async throws {
        // given
        var operation = HeroName()
        operation.document = .init(name: "", kind: .query, knownToServerAs: id)
        let transport = ScriptedTransport(.hero.repeated())
        // when
        _ = try await client(transport, format: .documentID).fetch(operation)
        _ = try await client(transport).fetch(operation)
        // then
        #expect(transport.requests[0].text == #"{"documentId":"\#(documentID)"}"#)
        let extensions = #"{"persistedQuery":{"version":1,"sha256Hash":"\#(hash ?? id)"}}"#
        #expect(transport.requests[1].text == #"{"extensions":\#(extensions)}"#)
    }

    @Test("the draft's form is documentId, by POST and by GET", arguments: [false, true])
    func documentID(byGET: Bool) async throws {
        // given
        var operation = HeroOfEpisode()
        operation.document = .init(name: "HeroOfEpisode", kind: .query, knownToServerAs: "sha256:abc")
        let transport = ScriptedTransport(.hero)
        let client = try client(transport, format: .documentID)
        // when
        _ = try await client.fetch(
            operation, options: client.graphQLOptions.changing { $0.usesGETForHashedQueries = byGET })
        // then
        let request = try #require(transport.requests.first)
        if byGET {
            #expect(
                request.url.query == "documentId=sha256%3Aabc&operationName=HeroOfEpisode"
                    + "&variables=%7B%22episode%22%3A%22JEDI%22%2C%22first%22%3A2%7D")
        } else {
            #expect(
                request.text == #"{"documentId":"sha256:abc","operationName":"HeroOfEpisode","#
                    + #""variables":{"episode":"JEDI","first":2}}"#)
        }
    }

    @Test(
        "a document that only the server knows is sent by its hash, with the interceptor or without",
        arguments: [0, 1, 2, 3])
    func knownToServer(way: Int) async throws {
        // given
        var operation = HeroName()
        operation.document = .init(name: "HeroName", kind: .query, knownToServerAs: "abc")
        let transport = ScriptedTransport(.hero)
        let client = try way < 2 ? client(transport, hasher: .precomputed) : makeClient(transport)
        // when
        _ = try await client.fetch(
            operation, options: client.graphQLOptions.changing { $0.usesGETForHashedQueries = way % 2 == 1 })
        // then
        let request = try #require(transport.requests.first)
        let extensions = #"{"persistedQuery":{"version":1,"sha256Hash":"abc"}}"#
        if way % 2 == 1 {
            let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
            #expect(
                parts?.queryItems == [
                    URLQueryItem(name: "operationName", value: "HeroName"),
                    URLQueryItem(name: "extensions", value: extensions),
                ])
        } else {
            #expect(request.text == #"{"operationName":"HeroName","extensions":\#(extensions)}"#)
        }
    }
}
