import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

#if Demo
    import BackstopFaultServer
#endif

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Accounts and the cache", .limited)
struct CacheCredentialsTests {
    /// Who is signed in, as an app's own interceptor knows it.
    final class Session: Sendable {
        /// The account, guarded by the lock.
        private let state = Lock<String?>(nil)

        var account: String? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    /// Adds the account's credentials to each request.
    struct SignIn: HTTP.Interceptor {
        let session: Session
        var role = Role.custom("signIn")
        var change: @Sendable (inout HTTP.Request, String) throws -> Void = { $0.headers[.authorization] = $1 }

        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            var request = request
            if let account = session.account {
                try change(&request, account)
            }
            return try await next(request)
        }
    }

    /// A service that calls the hero by whatever says who asks.
    static func service(_ who: @escaping @Sendable (HTTP.Request) -> String?) -> ScriptedTransport {
        let step = Stub<HTTP.Request, HTTP.Response>.respond("service") { request, _ in
            let name = who(request) ?? "nobody"
            return HTTP.Response(
                status: 200, headers: ["Content-Type": "application/json"],
                body: Data(#"{"data":{"hero":{"name":"\#(name)"}}}"#.utf8))
        }
        return ScriptedTransport(step.repeated())
    }

    func client(
        _ transport: ScriptedTransport, cache: ResponseCache, url: String = endpoint, session: Session? = nil,
        observer: RecordingObserver? = nil
    ) throws -> Client {
        var options = GraphQL.Options()
        options.cachePolicy = .cacheFirst
        return try makeClient(transport, url: url, graphQL: options) {
            cache
            Retry()
            if let session {
                SignIn(session: session)
            }
            Decoding()
            StatusValidation()
        }
        .withOptions { $0.observers = observer.map { [$0] } ?? [] }
    }

    #if Demo
        @Test("share nothing where the session's configuration says who asks")
        func configuredSession() async throws {
            try await withServer { server in
                let cache = ResponseCache()
                for account in ["Ann", "Bob"] {
                    // given
                    let configuration = URLSessionTransport.standardConfiguration
                    configuration.httpAdditionalHeaders = ["Authorization": account]
                    let client = try Client(
                        baseURL: server.url.absoluteString + "/graphql",
                        transport: try URLSessionTransport(configuration: configuration)
                    ) {
                        cache
                        Decoding()
                        StatusValidation()
                    }
                    // when
                    _ = try await client.fetch(HeroName(), cachePolicy: .cacheFirst)
                }
                // then
                #expect(await server.graphQLForms.count == 2)
            }
        }
    #endif

    // MARK: Credentials that a request has when it gets to the cache

    @Test(
        "are never shared, whatever header has them",
        arguments: [
            "Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "x-auth-token", "X-Session-ID", "Api-Secret",
            "X-Amz-Security-Token", "X-CSRF-Token",
        ])
    func headers(name: String) async throws {
        // given
        let header = try #require(HTTP.Headers.Name(name) as HTTP.Headers.Name?)
        let transport = Self.service { $0.headers[header] }
        let client = try client(transport, cache: ResponseCache())
        // when
        var names: [String?] = []
        for account in ["ann", "bob", "ann", "bob"] {
            names.append(
                try await client.data(
                    for: HeroName(), options: client.graphQLOptions.changing { $0.headers[header] = account }
                ).hero?.name)
        }
        // then
        #expect(names == ["ann", "bob", "ann", "bob"])
        #expect(transport.requests.count == 2)
    }

    @Test(
        "are never shared, wherever the URL has them",
        arguments: [
            ("https://ann:1@api.example.com/g", "https://bob:1@api.example.com/g"),
            ("https://ann:1@api.example.com/g", "https://ann:2@api.example.com/g"),
            ("https://api.example.com/g?api_key=ann", "https://api.example.com/g?api_key=bob"),
        ])
    func url(first: String, second: String) async throws {
        let cache = ResponseCache()
        let transport = Self.service { $0.url.absoluteString }
        let names = [
            try await client(transport, cache: cache, url: first).data(for: HeroName()).hero?.name,
            try await client(transport, cache: cache, url: second).data(for: HeroName()).hero?.name,
        ]
        #expect(Set(names).count == 2)
    }

    @Test("are also those that the app has told redaction, and those that a redaction that is off would show")
    func redaction() async throws {
        for redaction in [Redaction.standard.adding("tenant"), .off] {
            let header: HTTP.Headers.Name = redaction.isSensitive("X-Tenant") ? "X-Tenant" : "Cookie"
            let transport = Self.service { $0.headers[header] }
            let client = try client(transport, cache: ResponseCache()).withOptions { $0.redaction = redaction }
            var names: [String?] = []
            for account in ["ann", "bob"] {
                names.append(
                    try await client.data(
                        for: HeroName(), options: client.graphQLOptions.changing { $0.headers[header] = account }
                    ).hero?.name)
            }
            #expect(names == ["ann", "bob"])
        }
    }

    // MARK: Credentials that are added further inside

    @Test("that are added inside keep the response from being kept, since the cache does not know whose it is")
    func inside() async throws {
        // given
        let observer = RecordingObserver()
        let session = Session()
        let transport = Self.service { $0.headers[.authorization] }
        let client = try client(transport, cache: ResponseCache(), session: session, observer: observer)
        // when
        var names: [String?] = []
        for account in ["ann", "bob", "ann"] {
            session.account = account
            names.append(try await client.data(for: HeroName()).hero?.name)
        }
        // then
        #expect(names == ["ann", "bob", "ann"])
        #expect(transport.requests.count == 3)
        let notes = observer.calls.first?.trace.events.filter { $0.name == "cache" }.map(\.text) ?? []
        #expect(
            notes.count == 2
                && notes.last?.hasPrefix("not kept: the header Authorization was added further inside") == true)
    }

    @Test("may belong to where a redirect led, so that its response needs a partition", arguments: [nil, "ann"])
    func redirected(partition: String?) async throws {
        let hop = try HTTP.Request(.post, endpoint + "/")
        let transport = ScriptedTransport(
            .respond("redirect") { _, context in
                context.recordHop(hop)
                return HTTP.Response(
                    status: 200, headers: ["Content-Type": "application/json"],
                    body: Data(#"{"data":{"hero":{"name":"R2-D2"}}}"#.utf8))
            }.repeated())
        let cache = partition.map { name in ResponseCache(partition: { _ in name }) } ?? ResponseCache()
        let client = try client(transport, cache: cache)
        for _ in 0..<2 {
            #expect(try await client.data(for: HeroName()).hero?.name == "R2-D2")
        }
        #expect(transport.requests.count == (partition == nil ? 2 : 1))
    }

    @Test("that are added inside to the URL are seen as well", arguments: ["query", "user"])
    func insideURL(place: String) async throws {
        // given
        let session = Session()
        session.account = "ann"
        let transport = Self.service { $0.url.absoluteString }
        var options = GraphQL.Options()
        options.cachePolicy = .cacheFirst
        let client = try makeClient(transport, graphQL: options) {
            ResponseCache()
            SignIn(session: session) { request, account in
                var parts = try #require(URLComponents(url: request.url, resolvingAgainstBaseURL: true))
                if place == "query" {
                    parts.queryItems = [URLQueryItem(name: "access_token", value: account)]
                } else {
                    parts.user = account
                }
                request.url = try #require(parts.url)
            }
            Decoding()
        }
        // when
        _ = try await client.fetch(HeroName())
        _ = try await client.fetch(HeroName())
        // then
        #expect(transport.requests.count == 2)
    }

    @Test("that are added inside in a later attempt are seen as well")
    func laterAttempt() async throws {
        // given
        let session = Session()
        let transport = ScriptedTransport(
            .respond("signs in meanwhile") { _, _ in
                session.account = "ann"
                return HTTP.Response(status: 503)
            }, .hero.repeated())
        let client = try client(transport, cache: ResponseCache(), session: session)
        // when
        _ = try await client.fetch(HeroName())
        session.account = nil
        _ = try await client.fetch(HeroName())
        // then
        #expect(transport.requests.count == 3)
    }

    /// Answers everybody with what the first call got, as an interceptor that joins equal requests may.
    private final class Joining: HTTP.Interceptor, Sendable {
        /// The response, guarded by the lock.
        private let shared = Lock<HTTP.Response?>(nil)

        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            if let response = shared.withLock({ $0 }) {
                return response
            }
            let response = try await next(request)
            shared.withLock { $0 = response }
            return response
        }
    }

    @Test("are not known of a response for which the call sent nothing, so that it is not kept")
    func joined() async throws {
        // given: two calls of one account share a response, and the credentials are added further inside
        let session = Session()
        session.account = "alice"
        let transport = Self.service { $0.headers[.authorization] }
        let cache = ResponseCache()
        var options = GraphQL.Options()
        options.cachePolicy = .networkOnly
        let client = try makeClient(transport, graphQL: options) {
            cache
            Joining()
            SignIn(session: session)
            Decoding()
        }
        let names = [
            try await client.data(for: HeroName()).hero?.name, try await client.data(for: HeroName()).hero?.name,
        ]
        // when
        let failure = await failure { () async throws(Failure) in
            try await client.fetch(HeroName(), cachePolicy: .cacheOnly)
        }
        // then
        #expect(names == ["alice", "alice"])
        #expect(failure?.code == "rejected.cacheMiss")
    }

    @Test("that an authentication interceptor adds inside need a partition: the chain says so, and nothing is shared")
    func authentication() async throws {
        // given: nobody is signed in at first, so that no credentials are seen
        let session = Session()
        let transport = Self.service { $0.headers[.authorization] }
        var options = GraphQL.Options()
        options.cachePolicy = .cacheFirst
        func client(_ cache: ResponseCache) throws -> Client {
            try makeClient(transport, graphQL: options) {
                cache
                Retry()
                SignIn(session: session, role: .authentication)
                Decoding()
            }
        }
        let without = try client(ResponseCache())
        // when
        var names: [String?] = []
        for account in [nil, "ann", "bob"] {
            session.account = account
            names.append(try await without.data(for: HeroName()).hero?.name)
        }
        // then
        #expect(names == ["nobody", "ann", "bob"])
        let issues = without.chain.orderIssues.map(\.description)
        #expect(issues.count == 1 && issues.first?.contains("Give ResponseCache a partition") == true)
        #expect(try client(ResponseCache(partition: { _ in "" })).chain.orderIssues.isEmpty)
        let miss = await failure { () async throws(Failure) in
            try await without.fetch(HeroName(), cachePolicy: .cacheOnly)
        }
        #expect(miss?.code == "rejected.cacheMiss")
    }

    @Test("no text shows what a cache keeps")
    func dumps() async throws {
        // given
        let cache = ResponseCache()
        let client = try client(Self.service { _ in "hero-of-ann" }, cache: cache)
        _ = try await client.fetch(
            HeroOfEpisode(variables: .init(episode: "secret-variable")),
            options: client.graphQLOptions.changing {
                $0.headers[.authorization] = "Bearer secret-token"
            })
        // when
        var text = "\(cache) \(String(reflecting: cache))"
        dump(cache, to: &text)
        dump(client.chain, to: &text)
        let entries = Lock<[ResponseCache.Entry]>([])
        cache.removeAll { entry in
            entries.withLock { $0.append(entry) }
            return false
        }
        for entry in entries.withLock({ $0 }) {
            text += "\(entry) \(String(reflecting: entry))"
            dump(entry, to: &text)
        }
        // then
        #expect(text.contains("HeroOfEpisode"))
        for secret in ["secret-variable", "secret-token", "hero-of-ann"] {
            #expect(!text.contains(secret))
        }
    }
}
