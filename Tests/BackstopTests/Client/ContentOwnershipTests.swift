import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// What a caller reads is what was decoded for that caller, from the response that came out of the chain.
@Suite("Content belongs to one call and one response", .limited)
struct ContentOwnershipTests {
    private struct FirstName: JSONEndpoint {
        typealias Content = String
        struct Root: Decodable { var first: String }
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "name") }
        func content(from root: Root) throws -> String { root.first }
    }

    private struct LastName: JSONEndpoint {
        typealias Content = String
        struct Root: Decodable { var last: String }
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "name") }
        func content(from root: Root) throws -> String { root.last }
    }

    private static let name = #"{"first":"Ada","last":"Lovelace"}"#

    /// Keeps the first response and gives it to all further calls, as caches, fallbacks and de-duplication do.
    private final class Keeper: HTTP.Interceptor {
        let role = Role.cache
        private let kept = Lock<HTTP.Response?>(nil)

        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            if let response = kept.withLock({ $0 }) {
                return response
            }
            let response = try await next(request)
            kept.withLock { $0 = response }
            return response
        }
    }

    @Test("and is decoded anew for a call that gets a kept response")
    func kept() async throws {
        // given
        let rig = Rig(.json(200, Self.name))
        let client = try rig.client {
            Keeper()
            Decoding()
        }
        // then
        #expect(try await client.send(FirstName()) == "Ada")
        #expect(try await client.send(LastName()) == "Lovelace")
        #expect(rig.transport.requests.count == 1)
    }

    /// How an interceptor outside `Decoding` may change a response.
    private static let changes: [(what: String, change: @Sendable (inout HTTP.Response) -> Void)] = [
        ("body", { $0.body = Data(#"{"first":"Grace","last":"Hopper"}"#.utf8) }),
        ("a part of the body", { $0.body.replaceSubrange(10..<13, with: Data("Eda".utf8)) }),
    ]

    @Test(
        "and is decoded anew where an interceptor outside has changed the body", arguments: [("Grace", 0), ("Eda", 1)])
    func changedBody(expected: String, index: Int) async throws {
        // given
        let client = try Rig(.json(200, Self.name)).client {
            ClosureInterceptor { request, _, next in
                var response = try await next(request)
                Self.changes[index].change(&response)
                return response
            }
            Decoding()
        }
        // then
        #expect(try await client.send(FirstName()) == expected)
    }

    /// Reads what is not in the body.
    private struct Head: Endpoint {
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "head") }
        func content(from response: HTTP.Response) throws -> String {
            "\(response.status) \(response.headers["X-Page"] ?? "none")"
        }
    }

    @Test("and is read anew where an interceptor outside has changed status or headers")
    func changedHead() async throws {
        // given
        let client = try Rig(.status(200)).client {
            ClosureInterceptor { request, _, next in
                var response = try await next(request)
                response.status = 203
                response.headers["X-Page"] = "2"
                return response
            }
            Decoding()
        }
        // then
        #expect(try await client.send(Head()) == "203 2")
    }

    @Test("and is nil for an optional only where the response says so")
    func optional() async throws {
        // given: an interceptor outside gives a response of its own, which was never decoded
        struct Maybe: JSONEndpoint {
            typealias Content = Book?
            func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "maybe") }
        }
        let client = try Rig(.json(200, "null")).client {
            ClosureInterceptor { request, _, next in
                _ = try await next(request)
                return HTTP.Response(status: 200, body: Data(Book.json.utf8))
            }
            Decoding()
        }
        // then
        #expect(try await client.send(Maybe()) == .dune)
    }

    @Test("and a failure shows the response as the interceptor that failed saw it")
    func failureShowsChange() async throws {
        // given
        let client = try Rig(.json(200, Book.json)).client {
            Decoding()
            StatusValidation()
            ClosureInterceptor { request, _, next in
                var response = try await next(request)
                response.status = 418
                response.body = Data("short and stout".utf8)
                return response
            }
        }
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) })
        // then
        #expect(failure.response?.status == 418)
        #expect(failure.response?.bodySize == 15)
        #expect(failure.response?.body == Data("short and stout".utf8))
    }
}
