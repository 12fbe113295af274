import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// Whose response it is, as strangers' services say: by headers that no list of secrets has.
@Suite("The callers of a cache", .limited)
struct CacheCallersTests {
    /// Who calls, for an interceptor that makes a header of it.
    private enum CallerKey: CallKey { static let defaultValue: String? = nil }

    /// Names the caller in a header.
    private struct Naming: HTTP.Interceptor {
        let header: HTTP.Headers.Name

        func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
            var request = request
            request.headers[header] = context.values[CallerKey.self]
            return try await next(request)
        }
    }

    /// Answers with the name in a header.
    private static func service(
        _ header: HTTP.Headers.Name, answering headers: HTTP.Headers = [:]
    ) -> ScriptedTransport {
        let step = Stub<HTTP.Request, HTTP.Response>.respond("service") { request, _ in
            var all = headers
            all[.contentType] = "application/json"
            return HTTP.Response(
                status: 200, headers: all,
                body: .init(#"{"data":{"hero":{"name":"\#(request.headers[header] ?? "nobody")"}}}"#.utf8))
        }
        return ScriptedTransport(step.repeated())
    }

    private func client(
        _ transport: ScriptedTransport, _ cache: ResponseCache, outside: (any HTTP.Interceptor)? = nil,
        inside: (any HTTP.Interceptor)? = nil
    ) throws -> Client {
        var options = GraphQL.Options()
        options.cachePolicy = .cacheFirst
        return try makeClient(transport, graphQL: options) {
            if let outside { outside }
            cache
            if let inside { inside }
            Decoding()
            StatusValidation()
        }
    }

    /// Asks for some callers in turn, who name themselves in a header.
    private func names(
        _ client: Client, _ header: HTTP.Headers.Name, _ callers: [String] = ["ann", "bob", "ann", "bob"]
    ) async throws -> [String?] {
        var names: [String?] = []
        for caller in callers {
            let options = client.graphQLOptions.changing { $0.headers[header] = caller }
            names.append(try await client.data(for: HeroName(), options: options).hero?.name)
        }
        return names
    }

    /// The same, but they name themselves in a value.
    private func names(byValue client: Client) async throws -> [String?] {
        var names: [String?] = []
        for caller in ["ann", "bob", "ann", "bob"] {
            let own = client.withOptions { $0.values[CallerKey.self] = caller }
            names.append(try await own.data(for: HeroName()).hero?.name)
        }
        return names
    }

    static let identities: [HTTP.Headers.Name] = [
        "Authorization", "Cookie", "X-Api-Key", "X-Tenant", "X-Tenant-Id", "X-User", "X-User-Id", "X-Account-Id",
        "X-Org-Id", "X-Organization", "X-Workspace", "X-Team-Id", "X-Customer-Id", "X-Shop-Id", "X-Hasura-Role",
        "X-Hasura-User-Id", "X-Impersonate-User", "X-Forwarded-User", "X-Client-Cert", "X-Device-Id", "X-Region",
        "X-Feature-Flags", "Accept", "Accept-Language", "Host", "From", "Baggage",
    ]

    @Test("are told apart by whatever header the options set", arguments: identities)
    func options(header: HTTP.Headers.Name) async throws {
        let transport = Self.service(header)
        let client = try client(transport, ResponseCache())
        #expect(try await names(client, header) == ["ann", "bob", "ann", "bob"])
        #expect(transport.requests.count == 2)
    }

    @Test("are told apart by whatever header an interceptor outside sets", arguments: identities)
    func outside(header: HTTP.Headers.Name) async throws {
        let transport = Self.service(header)
        let client = try client(transport, ResponseCache(), outside: Naming(header: header))
        #expect(try await names(byValue: client) == ["ann", "bob", "ann", "bob"])
        #expect(transport.requests.count == 2)
    }

    @Test(
        "are unknown if an interceptor inside names them: nothing is kept, and the trace says why",
        arguments: identities)
    func inside(header: HTTP.Headers.Name) async throws {
        let transport = Self.service(header)
        let observer = RecordingObserver()
        let client = try client(transport, ResponseCache(), inside: Naming(header: header))
            .withOptions { $0.observers = [observer] }
        #expect(try await names(byValue: client) == ["ann", "bob", "ann", "bob"])
        #expect(transport.requests.count == 4)
        let notes = observer.calls.first?.trace.events.filter { $0.name == "cache" }.map(\.text) ?? []
        #expect(
            notes == [
                "miss", "not kept: the header \(header.text) was added further inside, and there is no partition",
            ])
    }

    @Test("see nothing older once an answer has come that cannot be kept")
    func newer() async throws {
        let transport = Self.service("X-Experiment")
        let client = try client(transport, ResponseCache(), inside: Naming(header: "X-Experiment"))
        _ = try await client.data(for: HeroName())
        let named = client.withOptions { $0.values[CallerKey.self] = "ann" }
        #expect(try await named.fetch(HeroName(), cachePolicy: .networkFirst).data.hero?.name == "ann")

        await #expect(throws: Failure.self) { try await client.fetch(HeroName(), cachePolicy: .cacheOnly) }
    }

    @Test(
        "share where the header says nothing about the answer",
        arguments: ["traceparent", "X-Request-Id", "User-Agent"])
    func neutral(name: String) async throws {
        let header = HTTP.Headers.Name(name)
        let transport = Self.service(header)
        let client = try client(transport, ResponseCache())
        #expect(try await names(client, header) == ["ann", "ann", "ann", "ann"])
        // An interceptor inside may add it as well.
        let second = try self.client(transport, ResponseCache(), inside: Naming(header: header))
        #expect(try await names(byValue: second) == ["ann", "ann", "ann", "ann"])
    }

    @Test("share where the app says that a header does not matter")
    func ignored() async throws {
        let client = try client(Self.service("X-Screen"), ResponseCache(ignoring: ["x-screen"]))
        #expect(try await names(client, "X-Screen") == ["ann", "ann", "ann", "ann"])
    }

    @Test("are told apart by the URL's query, user and path", arguments: ["g?tenant=", "u/", "g?a=1&b="])
    func url(path: String) async throws {
        let transport = ScriptedTransport(
            Stub<HTTP.Request, HTTP.Response>.respond("service") { request, _ in
                HTTP.Response(
                    status: 200, headers: ["Content-Type": "application/json"],
                    body: .init(#"{"data":{"hero":{"name":"\#(request.url.absoluteString.suffix(3))"}}}"#.utf8))
            }.repeated())
        let client = try client(transport, ResponseCache())
        var names: [String?] = []
        for caller in ["ann", "bob", "ann", "bob"] {
            let options = client.graphQLOptions.changing { $0.path = path + caller }
            names.append(try await client.data(for: HeroName(), options: options).hero?.name)
        }
        #expect(names == ["ann", "bob", "ann", "bob"])
        #expect(transport.requests.count == 2)
    }

    /// Changes a request on its way.
    private struct Changing: HTTP.Interceptor {
        let change: @Sendable (inout HTTP.Request, String) -> Void

        func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
            var request = request
            change(&request, context.values[CallerKey.self] ?? "nobody")
            return try await next(request)
        }
    }

    @Test("are unknown if an interceptor inside changes the URL or the body", arguments: [true, false])
    func changed(isBody: Bool) async throws {
        let transport = ScriptedTransport(Stub<HTTP.Request, HTTP.Response>.hero.repeated())
        let client = try client(
            transport, ResponseCache(),
            inside: Changing { request, caller in
                if isBody {
                    request.body = .text(
                        request.text.replacing("}", with: #","tenant":"\#(caller)"}"#, maxReplacements: 1))
                } else {
                    request.url.append(queryItems: [.init(name: "tenant", value: caller)])
                }
            })
        _ = try await names(byValue: client)
        #expect(transport.requests.count == 4)
    }

    @Test("share what came by a hash, by POST and by GET", arguments: [true, false], [true, false])
    func persisted(byGET: Bool, isKnown: Bool) async throws {
        let transport = isKnown ? ScriptedTransport(.hero) : ScriptedTransport(.miss, .hero)
        var options = GraphQL.Options()
        options.cachePolicy = .cacheFirst
        options.usesGETForHashedQueries = byGET
        let client = try makeClient(transport, graphQL: options) {
            ResponseCache()
            Decoding()
            PersistedQueries()
        }
        _ = try await client.fetch(HeroOfEpisode())
        #expect(try await client.fetch(HeroOfEpisode()).isFromCache)
        try transport.checkFinished()
    }

    // MARK: What the service says

    @Test(
        "are told apart by a header that does not matter otherwise, if Vary names it",
        arguments: ["User-Agent", "X-Screen"])
    func vary(name: String) async throws {
        let header = HTTP.Headers.Name(name)
        let transport = Self.service(header, answering: ["Vary": "Accept-Encoding, \(name.uppercased())"])
        let client = try client(transport, ResponseCache(ignoring: ["X-Screen"]))
        #expect(
            try await names(client, header, ["ann", "ann", "bob", "bob", "ann"]) == ["ann", "ann", "bob", "bob", "ann"])
        #expect(transport.requests.count == 3)
    }

    @Test(
        "are unknown if Vary names a header that is added inside, whatever the partition",
        arguments: ["X-Tenant", "User-Agent", "X-Session-Locale", "X-Partition-Key", "Idempotency-Key"])
    func varyInside(name: String) async throws {
        let header = HTTP.Headers.Name(name)
        let transport = Self.service(header, answering: ["Vary": name])
        let cache = ResponseCache(partition: { _ in "account" })
        let client = try client(transport, cache, inside: Naming(header: header))
        #expect(try await names(byValue: client) == ["ann", "bob", "ann", "bob"])
    }

    @Test("get only their own, within the capacity, from a service that names other headers in Vary with each answer")
    func varyHostile() async throws {
        // given: 3 KB of names, and 2 KB in a header of the request that only counts where Vary names it
        let count = Lock(0)
        let step = Stub<HTTP.Request, HTTP.Response>.respond("service") { request, _ in
            let answer = count.withLock { count in
                count += 1
                return count
            }
            let names = (0..<300).map { "X-\(answer)-\($0)" }.joined(separator: ",")
            return HTTP.Response(
                status: 200,
                headers: ["Content-Type": "application/json", "Vary": "\(names), User-Agent, X-Screen"],
                body: .init(#"{"data":{"hero":{"name":"\#(request.headers["User-Agent"] ?? "nobody")"}}}"#.utf8))
        }
        let transport = ScriptedTransport(step.repeated())
        let cache = ResponseCache(capacity: 48_000, ignoring: ["X-Screen"])
        let client = try client(transport, cache)
        let screen = String(repeating: "x", count: 2000)
        // when
        for round in 0..<40 {
            for caller in ["ann", "bob", "bob"] {
                let options = client.graphQLOptions.changing {
                    $0.headers["User-Agent"] = caller
                    $0.headers["X-Screen"] = screen
                    $0.headers["X-Page"] = "\(round / 2)"
                }
                #expect(try await client.data(for: HeroName(), options: options).hero?.name == caller)
            }
        }
        // then: bob's second call needs no service
        #expect(transport.requests.count == 80)
        var kept = 0
        cache.removeAll { _ in
            kept += 1
            return false
        }
        #expect((1...48_000 / 5_000).contains(kept))
    }

    @Test(
        "get nothing from the cache that the service forbids to keep",
        arguments: [
            ["Cache-Control": "no-store"], ["Cache-Control": "max-age=60, No-Store"], ["Cache-Control": "private"],
            ["Cache-Control": #"max-age=0, private="Set-Cookie""#], ["Vary": "*"], ["Vary": "Accept, *"],
        ] as [HTTP.Headers])
    func forbidden(headers: HTTP.Headers) async throws {
        let transport = Self.service("X-Request-ID", answering: headers)
        let client = try client(transport, ResponseCache())
        #expect(try await names(client, "X-Request-ID") == ["ann", "bob", "ann", "bob"])
    }

    @Test("keep what is private for whom the partition names, and what may get old")
    func allowed() async throws {
        let mine = Self.service("X-Request-ID", answering: ["Cache-Control": "private, max-age=0"])
        let own = try client(mine, ResponseCache(partition: { _ in "ann" }))
        #expect(try await names(own, "X-Request-ID") == ["ann", "ann", "ann", "ann"])
        let other = Self.service("X-Request-ID", answering: ["Cache-Control": "public, max-age=60"])
        #expect(try await names(client(other, ResponseCache()), "X-Request-ID") == ["ann", "ann", "ann", "ann"])
    }

    @Test("may forbid it themselves")
    func ownNoStore() async throws {
        let transport = ScriptedTransport(Stub<HTTP.Request, HTTP.Response>.hero.repeated())
        let client = try client(transport, ResponseCache())
        _ = try await names(client, "Cache-Control", ["no-store", "no-store"])
        #expect(transport.requests.count == 2)
    }

    @Test("get no fallback's answer from the cache")
    func fallback() async throws {
        let transport = ScriptedTransport(.status(503), .hero)
        let body = #"{"data":{"hero":{"name":"Nobody"}}}"#
        let cache = ResponseCache(partition: { _ in "ann" })
        let client = try client(
            transport, cache,
            inside: Fallback<HTTP.Request, HTTP.Response>(
                value: HTTP.Response(status: 200, body: .init(body.utf8)), log: nil))
        #expect(try await client.data(for: HeroName()).hero?.name == "Nobody")
        #expect(try await client.data(for: HeroName()).hero?.name == "R2-D2")
    }
}
