import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// Types of all kinds play the parts that the guides name, and are passed by these names.
@Suite("An interceptor and a transport", .limited)
struct ConformanceTests {
    private struct StructInterceptor: HTTP.Interceptor {
        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            try await next(request.adding("structure"))
        }
    }

    private final class ClassInterceptor: HTTP.Interceptor {
        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            try await next(request.adding("class"))
        }
    }

    private actor ActorInterceptor: HTTP.Interceptor {
        private var count = 0

        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            count += 1
            return try await next(request.adding("actor \(count)"))
        }
    }

    @MainActor
    private final class MainInterceptor: HTTP.Interceptor {
        nonisolated var role: Role { .custom("main") }
        private var count = 0

        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            count += 1
            return try await next(request.adding("main \(count)"))
        }
    }

    private struct StructTransport: HTTP.Transport {
        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            HTTP.Response(status: 200, body: request.trail)
        }
    }

    private final class ClassTransport: HTTP.Transport {
        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            HTTP.Response(status: 200, body: request.trail)
        }
    }

    private actor ActorTransport: HTTP.Transport {
        private var count = 0

        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            count += 1
            return HTTP.Response(status: 200, body: request.trail)
        }
    }

    @MainActor
    private final class MainTransport: HTTP.Transport {
        private var count = 0

        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            count += 1
            return HTTP.Response(status: 200, body: request.trail)
        }
    }

    @MainActor
    @Test("may be a structure, a class, an actor or a class of the main actor, passed as any HTTP.Transport")
    func kinds() async throws {
        // given
        let transports: [any HTTP.Transport] = [
            StructTransport(), ClassTransport(), ActorTransport(), MainTransport(),
        ]
        let interceptors: [any HTTP.Interceptor] = [
            StructInterceptor(), ClassInterceptor(), ActorInterceptor(), MainInterceptor(),
        ]
        for (index, transport) in transports.enumerated() {
            // when
            let chosen: any HTTP.Interceptor = interceptors[0]
            let client = try Client(baseURL: Rig.base, transport: transport) {
                chosen
                Array(interceptors.dropFirst())
            }
            let answer = try await client.get("books").body
            // then
            #expect(
                String(decoding: answer, as: UTF8.self) == "structure, class, actor \(index + 1), main \(index + 1)")
        }
        #expect(interceptors.map(\.role.name) == ["StructInterceptor", "ClassInterceptor", "ActorInterceptor", "main"])
    }

    @Test("may be passed by name to the standard client, and to a derived chain")
    func passed() async throws {
        // given
        let transport: any HTTP.Transport = StructTransport()
        let interceptor: any HTTP.Interceptor = StructInterceptor()
        // when
        let client = try Client.standard(
            baseURL: Rig.base, transport: transport, authentication: interceptor, logging: nil
        )
        .withChain { try $0.inserting(interceptor, outside: .retry).replacing(transport: transport) }
        // then
        #expect(String(decoding: try await client.get("books").body, as: UTF8.self) == "structure, structure")
    }
}

extension HTTP.Request {
    /// The same request with one more word in its trail.
    fileprivate func adding(_ word: String) -> HTTP.Request {
        var copy = self
        copy.headers["X-Trail"] = [headers["X-Trail"], word].compactMap { $0 }.joined(separator: ", ")
        return copy
    }

    /// The words that interceptors have added.
    fileprivate var trail: Data {
        Data((headers["X-Trail"] ?? "").utf8)
    }
}
