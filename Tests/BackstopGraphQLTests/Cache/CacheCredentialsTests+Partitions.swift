import Backstop
import BackstopAuthentication
import BackstopCore
import BackstopGraphQL
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// Accounts that the app tells the cache about.
extension CacheCredentialsTests {
    @Test("a partition says whose responses they are, and nil goes past the cache")
    func partition() async throws {
        // given
        let session = Session()
        let transport = Self.service { $0.headers[.authorization] }
        let cache = ResponseCache(partition: { _ in session.account })
        let client = try client(transport, cache: cache, session: session)
        // when
        var names: [String] = []
        for account in [nil, "ann", "bob", nil, "ann", "bob"] {
            session.account = account
            names.append(try await client.data(for: HeroName()).hero?.name ?? "")
        }
        // then
        #expect(names == ["nobody", "ann", "bob", "nobody", "ann", "bob"])
        #expect(transport.requests.count == 4)
    }

    @Test("a response that varies with credentials added inside is kept for whom the partition names")
    func varies() async throws {
        // given
        let session = Session()
        session.account = "ann"
        let body = Data(#"{"data":{"hero":{"name":"ann's"}}}"#.utf8)
        let transport = ScriptedTransport(
            .response(HTTP.Response(status: 200, headers: ["Vary": "Authorization"], body: body)).repeated())
        let client = try client(transport, cache: ResponseCache(partition: { _ in session.account }), session: session)
        // when
        for _ in 0..<2 {
            #expect(try await client.data(for: HeroName()).hero?.name == "ann's")
        }
        // then
        #expect(transport.requests.count == 1)
    }

    @Test("a partition that changes while a call is under way keeps nothing")
    func partitionChanges() async throws {
        // given
        let gate = Gate()
        let session = Session()
        session.account = "ann"
        let transport = ScriptedTransport(
            .respond("late") { _, _ in
                try await gate.passUnlessCancelled()
                return HTTP.Response(status: 200, body: Data(#"{"data":{"hero":{"name":"ann's"}}}"#.utf8))
            }, .hero)
        let cache = ResponseCache(partition: { _ in session.account })
        let client = try client(transport, cache: cache, session: session)
        let late = Task { try await client.data(for: HeroName()).hero?.name }
        await transport.waitForRequests(1)
        // when
        session.account = "bob"
        gate.open()
        #expect(try await late.value == "ann's")
        // then
        #expect(try await client.data(for: HeroName()).hero?.name == "R2-D2")
        session.account = "ann"
        let again = await failure { () async throws(Failure) in
            try await client.fetch(HeroName(), cachePolicy: .cacheOnly)
        }
        #expect(again?.code == "rejected.cacheMiss")
    }

    @Test("what was kept for one account is not given to the next, though the service fails while they change places")
    func partitionChangesInOutage() async throws {
        // given: Ann's response is kept
        let gate = Gate()
        let session = Session()
        session.account = "ann"
        let transport = ScriptedTransport(
            .hero,
            .respond("late") { _, _ in
                try await gate.passUnlessCancelled()
                throw TransportError(.lost)
            })
        let cache = ResponseCache(partition: { _ in session.account })
        let client = try makeClient(transport) {
            cache
            Decoding()
            StatusValidation()
        }
        _ = try await client.fetch(HeroName(), cachePolicy: .networkFirst)
        let late = Task {
            await failure { () async throws(Failure) in
                try await client.fetch(HeroName(), cachePolicy: .networkFirst)
            }
        }
        await transport.waitForRequests(2)
        // when
        session.account = "bob"
        gate.open()
        // then
        #expect(await late.value?.code == "transport.lost")
    }

    @Test("a call that waited outside the cache while the accounts changed gets nothing of either")
    func partitionChangesBefore() async throws {
        // given: Bob's response is kept
        let gate = Gate()
        let session = Session()
        session.account = "bob"
        let transport = Self.service { $0.headers[.authorization] }
        let cache = ResponseCache(partition: { _ in session.account })
        let client = try client(transport, cache: cache, session: session)
        _ = try await client.fetch(HeroName())
        let waiting = try client.withChain {
            try $0.inserting(
                ClosureInterceptor { request, _, next in
                    try await gate.passUnlessCancelled()
                    return try await next(request)
                }, outside: .cache)
        }
        session.account = "ann"
        let late = Task {
            await failure { () async throws(Failure) in
                try await waiting.fetch(HeroName(), cachePolicy: .cacheOnly)
            }
        }
        await gate.waitForArrivals(1)
        // when
        session.account = "bob"
        gate.open()
        // then
        #expect(await late.value?.code == "rejected.cacheMiss")
    }

    @Test("a call that is made again although nobody decided it gets nothing of whoever has signed in since")
    func partitionOfRepeated() async throws {
        // given
        let session = Session()
        session.account = "ann"
        let transport = ScriptedTransport(
            .status(400), .graphQL(200, #"{"data":{"hero":{"name":"Bob's"}}}"#), .hero)
        let client = try client(transport, cache: ResponseCache(partition: { _ in session.account }))
        // when
        let outcome = await client.perform(HeroName(), cachePolicy: .cacheFirst) { _ in
            session.account = "bob"
            _ = try? await client.fetch(HeroName(), cachePolicy: .cacheFirst)
            FailureHandling.whenRetryingAlone?()
            return .retry
        }
        // then
        #expect(outcome.value?.data.hero?.name == "R2-D2")
        #expect(transport.requests.count == 3)
    }

    @Test("what a fallback answers takes nothing away that the service had said") func fallback() async throws {
        let transport = ScriptedTransport(.hero, .failure(TransportError(.offline)))
        let kept = HTTP.Response(
            status: 200, headers: ["Content-Type": "application/json"],
            body: Data(#"{"data":{"hero":{"name":"nobody"}}}"#.utf8))
        let client = try makeClient(transport) {
            ResponseCache()
            Fallback("kept", value: kept)
            Decoding()
            StatusValidation()
        }
        var names: [String?] = []
        for policy in [GraphQL.CachePolicy.networkFirst, .networkFirst, .cacheOnly] {
            names.append(try await client.fetch(HeroName(), cachePolicy: policy).data.hero?.name)
        }
        #expect(names == ["R2-D2", "nobody", "R2-D2"])
    }

    @Test("without a network, what was kept is given although the token has expired")
    func offline() async throws {
        // given
        let credentials = try Credentials(TokenSet(access: "t", account: "ann")) { _ in
            throw TransportError(.offline)
        }
        let cache = ResponseCache(partition: { $0.values.account })
        let client = try makeClient(ScriptedTransport(.hero)) {
            cache
            BearerAuthentication(credentials)
            Decoding()
            StatusValidation()
        }.withOptions { $0.values.account = "ann" }
        _ = try await client.fetch(HeroName())
        // when
        try await credentials.signIn(TokenSet(access: "t", expirySince1970: .zero, account: "ann"))
        // then
        let result = try await client.fetch(HeroName(), cachePolicy: .networkFirst)
        #expect(result.source.stored != nil && result.data.hero?.name == "R2-D2")
    }

    @Test("what is forgotten while a call is under way does not come back with its response")
    func removeAll() async throws {
        // given
        let gate = Gate()
        let cache = ResponseCache()
        let transport = ScriptedTransport(
            .respond("late") { _, _ in
                try await gate.passUnlessCancelled()
                return HTTP.Response(status: 200, body: Data(#"{"data":{"hero":{"name":"Late"}}}"#.utf8))
            }, .hero)
        let client = try client(transport, cache: cache)
        let late = Task { try await client.data(for: HeroName()).hero?.name }
        await transport.waitForRequests(1)
        // when
        cache.removeAll()
        gate.open()
        #expect(try await late.value == "Late")
        // then
        #expect(try await client.data(for: HeroName()).hero?.name == "R2-D2")
        #expect(try await client.data(for: HeroName()).hero?.name == "R2-D2")
        #expect(transport.requests.count == 2)
    }
}
