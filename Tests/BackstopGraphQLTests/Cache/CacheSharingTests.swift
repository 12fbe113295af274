import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// Content belongs to one call: what keeps responses, ours or an app's own, gives bytes to the next call and no
/// content.
@Suite("Content of another call", .limited)
struct CacheSharingTests {
    /// The same document, read into another type.
    private struct HeroCount: GraphQL.Operation {
        struct Data: Decodable, Sendable {
            struct Hero: Decodable, Sendable { var name: Name }
            /// Anything that tells it from the other operation's type.
            struct Name: Decodable, Sendable {
                let length: Int

                init(from decoder: any Decoder) throws {
                    length = try decoder.singleValueContainer().decode(String.self).count
                }
            }
            var hero: Hero?
        }

        var document = HeroName().document
    }

    /// Keeps the last response and answers everybody with it, as an app may write it.
    private final class Naive: HTTP.Interceptor, Sendable {
        let role: Role
        /// The last response, guarded by the lock.
        private let last = Lock<HTTP.Response?>(nil)

        init(role: Role) {
            self.role = role
        }

        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            if let response = last.withLock({ $0 }) {
                return response
            }
            let response = try await next(request)
            last.withLock { $0 = response }
            return response
        }
    }

    @Test(
        "is never read: not from a cache, a fallback or a de-duplication of the app's own",
        arguments: [Role.cache, .fallback, .custom("deduplication")])
    func own(role: Role) async throws {
        // given
        let transport = ScriptedTransport(.hero)
        let client = try makeClient(transport) {
            Naive(role: role)
            Decoding()
            StatusValidation()
        }
        // when
        let name = try await client.fetch(HeroName()).data.hero?.name
        let length = try await client.fetch(HeroCount()).data.hero?.name.length
        let strict = await failure { () async throws(Failure) in
            try await client.fetch(HeroName(), options: client.graphQLOptions.changing { $0.failsOnPartialData = true })
        }
        // then
        #expect(name == "R2-D2")
        #expect(length == 5)
        #expect(strict == nil)
        #expect(transport.requests.count == 1)
    }

    @Test("is never read from the response cache, wherever the content is decoded", arguments: [true, false])
    func responseCache(decodesInside: Bool) async throws {
        // given
        let transport = ScriptedTransport(.hero)
        let client = try makeClient(transport) {
            if !decodesInside {
                Decoding()
            }
            ResponseCache()
            if decodesInside {
                Decoding()
            }
        }
        // when
        let name = try await client.fetch(HeroName(), cachePolicy: .cacheFirst).data.hero?.name
        let length = try await client.fetch(HeroCount(), cachePolicy: .cacheFirst).data.hero?.name.length
        // then
        #expect(name == "R2-D2")
        #expect(length == 5)
        #expect(transport.requests.count == 1)
    }

    @Test("partial data that an app's own cache keeps is judged anew by each call")
    func strictness() async throws {
        // given
        let body = #"{"data":{"hero":{"name":"Half"}},"errors":[{"message":"a"}]}"#
        let client = try makeClient(ScriptedTransport(.graphQL(200, body))) {
            Naive(role: .cache)
            Decoding()
        }
        _ = try await client.fetch(HeroName())
        // when
        let failure = await failure { () async throws(Failure) in
            try await client.fetch(HeroName(), options: client.graphQLOptions.changing { $0.failsOnPartialData = true })
        }
        // then
        #expect(failure?.code == "service.graphQL.partialData")
    }
}
