import Backstop
import BackstopAuthentication
import BackstopCore
import BackstopStreams
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket
@testable import BackstopTesting

@Suite("A socket of server-sent events whose server refuses, or is lost", .limited)
struct EventRefusalTests {
    private static let result = EventSocketTests.result(7)

    /// A client whose token is renewed once it is refused.
    private static func renewing() throws -> Client {
        let credentials = try Credentials(TokenSet(access: "old", refresh: "r", account: "ann")) { _ in
            TokenSet(access: "new", refresh: "s", account: "ann")
        }
        return try Client(baseURL: "https://a.example/graphql", transport: ScriptedTransport()) {
            BearerAuthentication(credentials)
            Decoding()
            StatusValidation()
        }
    }

    @Test("renews the token and begins anew, whichever request refuses it", arguments: ["PUT", "GET", "POST"])
    func renewed(method: String) async throws {
        let server = EventServer { request in
            request.method == method && request.headers[.authorization] == "Bearer old"
                ? .errors(401, "expired") : nil
        }
        let socket = try server.socket()
        var results = try await Self.renewing().subscribe(Live(), by: .events(over: socket)).makeAsyncIterator()
        // Over a stream of its own, since the first one has the old token.
        server.next(1, Self.result, on: server.state.withLock { $0.streams.count - 1 })
        #expect(try await results.next()?.data.number == 7)
        #expect(server.requests("PUT").map(\.headers[.authorization]) == ["Bearer old", "Bearer new"])
        #expect(server.requests("POST").last?.headers[.authorization] == "Bearer new")
    }

    @Test(
        "shows what asked for a refused stream, and whether it had a token", arguments: ["PUT", "GET"], [true, false])
    func refusedToken(method: String, isSignedIn: Bool) async throws {
        let server = EventServer { $0.method == method ? .errors(401, "expired") : nil }
        let socket = try server.socket()
        let client = try Client(baseURL: "https://a.example/graphql", transport: ScriptedTransport()) {
            ClosureInterceptor { request, _, next in
                var request = request
                request.headers[.authorization] = isSignedIn ? "Bearer planted-token" : nil
                return try await next(request)
            }
            StatusValidation()
        }
        let failure = await #expect(throws: Failure.self) {
            try await client.subscribe(Live(), by: .events(over: socket))
        }
        #expect(failure?.message.text == (isSignedIn ? "Your session has expired." : "You are not signed in."))
        let sent = try #require(failure?.sentRequest as? HTTP.Request)
        #expect(sent.method.name == method && (sent.headers[.authorization] != nil) == isSignedIn)
        #expect(failure?.report.contains("nothing was sent") == false)
        #expect(failure?.report.contains("planted-token") == false)
    }

    @Test(
        "ends an operation that is refused as over HTTP, and no other; with a DELETE if the server may run it",
        arguments: [400, 403, 422, 429, 408, 500, 502, 503, 504])
    func operation(status: Int) async throws {
        let answer = #"{"errors":[{"message":"no such field"}]}"#
        let server = EventServer { $0.body.contains("wrong") ? .errors(status, "no such field") : nil }
        let socket = try server.socket()
        let client = try socket.client()
        let stream = try await client.subscribe(Live(), by: .events(over: socket))
        var others = stream.makeAsyncIterator()
        let wrong = Wrong()
        let failure = await #expect(throws: Failure.self) {
            try await client.subscribe(wrong, by: .events(over: socket))
        }
        let plain = try client.withChain { $0.replacing(transport: ScriptedTransport(.json(status, answer))) }
        let expected = await #expect(throws: Failure.self) { try await plain.subscribe(wrong, by: .events) }
        #expect(failure?.code == expected?.code && failure?.statusCode == status)
        #expect(failure?.graphQLErrors == expected?.graphQLErrors)
        server.next(1, Self.result)
        #expect(try await others.next()?.data.number == 7)
        if status == 408 || status >= 500 {
            try await server.wait(for: "DELETE", with: "operationId=2")
        } else {
            stream.cancel()
            let ends = try await server.wait(for: "DELETE")
            #expect(ends.map(\.target) == ["https://a.example/graphql/stream?operationId=1"])
        }
    }

    @Test(
        "does not show the token that the server repeats, whatever stands behind it", arguments: ["POST", "GET"],
        ["!", "\u{301}"])
    func token(method: String, end: String) async throws {
        let server = EventServer { request in
            guard request.method == method, let token = request.token else { return nil }
            return EventServer.Reply(
                status: 403, type: "text/plain", body: "no: \(token)\(end)", field: "no: \(token)!")
        }
        let socket = try server.socket()
        let client = try socket.client()
        let failure = await #expect(throws: Failure.self) {
            try await client.subscribe(Live(), by: .events(over: socket))
        }
        #expect(failure?.report.contains("no: …\(end)") == true && failure?.report.contains("token-of-stream") == false)
        #expect(failure?.report.contains("X-Field: no: …!") == true)
    }

    @Test("takes no token that is too short to be a secret out of an answer", arguments: ["e", "42", "errors"])
    func short(token: String) async throws {
        let server = EventServer { request in
            switch request.method {
            case "PUT": EventServer.Reply(status: 201, type: "text/plain", body: token)
            case "GET":
                EventServer.Reply(status: 200, type: "text/event-stream", pieces: AsyncStream { await Self.untilEnd() })
            default: EventServer.Reply(status: 200, body: #"{"errors":[{"message":"the 42 errors"}]}"#)
            }
        }
        let socket = try server.socket()
        let client = try socket.client()
        let failure = await #expect(throws: Failure.self) {
            for try await _ in try await client.subscribe(Live(), by: .events(over: socket)) {}
        }
        #expect(failure?.graphQLErrors.map(\.message) == ["the 42 errors"])
    }

    private static func untilEnd() async -> Data? {
        try? await untilCancelled()
        return nil
    }

    @Test("subscribes again with a new reservation when the stream is lost, as one loss however many were on it")
    func lost() async throws {
        let server = EventServer()
        let socket = try server.socket()
        let client = try socket.client(attempts: 3, budget: RetryBudget(capacity: 1, refill: 0, interval: nil))
        let losses = Lock<[String]>([])
        // Before a POST is answered, there is nothing to lose.
        let subscribed = Gate()
        subscribed.open()
        let tasks = (0..<10).map { _ in
            Task {
                let stream = try await client.subscribe(
                    Live(), by: .events(over: socket),
                    resubscribed: { failure in losses.withLock { $0.append(failure.code) } })
                await subscribed.pass()
                for try await result in stream { return result.data.number }
                return 0
            }
        }
        await subscribed.waitForArrivals(10)
        server.end()
        try await server.wait(for: "POST", times: 20)
        for id in 1...10 { server.next(id, Self.result, on: 1) }
        for task in tasks { #expect(try await task.value == 7) }
        #expect(losses.withLock { $0 } == Array(repeating: "transport.lost", count: 10))
        #expect(server.requests("PUT").count == 2 && server.requests("GET").last?.token == "token-of-stream-2")
    }

    @Test("does not repeat a mutation whose POST was lost, and tells the server to end it")
    func mutation() async throws {
        let server = EventServer { request in
            guard request.method == "POST" else { return nil }
            throw TransportError(.lost, phase: .waiting, detail: "gone")
        }
        let client = try server.socket().client(attempts: 5)
        let failure = await #expect(throws: Failure.self) {
            try await client.send(Ask(query: "mutation { a }", isRepeatable: nil))
        }
        #expect(failure?.code == "transport.lost" && failure?.explanation.contains("gone") == true)
        try await server.wait(for: "DELETE", with: "operationId=1")
        #expect(server.requests("POST").count == 1)
    }

    @Test("repeats a query whose POST was lost, over the same stream")
    func query() async throws {
        let isFirst = Lock(true)
        let server = EventServer { request in
            guard request.method == "POST" else { return nil }
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if fails { throw TransportError(.lost, phase: .waiting) }
            return nil
        }
        let client = try server.socket().client(attempts: 2)
        let task = Task { try await client.send(Ask(query: "{ a }")) }
        try await server.wait(for: "POST", with: #""operationId":"2""#)
        server.next(2, "{}")
        server.complete(2)
        try await task.value
        #expect(server.requests("PUT").count == 1)
    }

    @Test("leaves it to the policy whether a query whose POST was lost is repeated, also over a stream that was in use")
    func kept() async throws {
        let server = EventServer { request in
            guard request.method == "POST", request.body.contains("lost") else { return nil }
            throw TransportError(.lost, phase: .waiting)
        }
        let client = try server.socket().client(attempts: 1)
        let task = Task { try await client.send(Ask(query: "{ a }")) }
        try await server.wait(for: "POST")
        server.next(1, "{}")
        server.complete(1)
        try await task.value
        await #expect(throws: Failure.self) { try await client.send(Ask(query: "{ lost }")) }
        #expect(server.requests("POST").count == 2)
    }

    @Test("takes a result for the answer, whatever becomes of the POST")
    func answered() async throws {
        let post = Gate()
        let server = EventServer { request in
            guard request.method == "POST" else { return nil }
            await post.pass()
            throw TransportError(.lost, phase: .waiting)
        }
        let socket = try server.socket()
        let client = try socket.client()
        async let subscription = client.subscribe(Live(), by: .events(over: socket))
        await post.waitForArrivals(1)
        server.next(1, Self.result)
        var results = try await subscription.makeAsyncIterator()
        #expect(try await results.next()?.data.number == 7)
        post.open()
        server.next(1, EventSocketTests.result(8))
        #expect(try await results.next()?.data.number == 8)
        #expect(server.requests("DELETE").isEmpty)
    }

    @Test(
        "takes errors that come with 200 for those of the operation",
        arguments: [#"{"errors":[{"message":"no"}]}"#, "{\n  \"errors\": [\n    {\"message\": \"no\"}\n  ]\n}\n"],
        [true, false])
    func errors(body: String, isSubscription: Bool) async throws {
        let server = EventServer { $0.method == "POST" ? EventServer.Reply(status: 200, body: body) : nil }
        let socket = try server.socket()
        let client = try socket.client(attempts: 3)
        let failure = await #expect(throws: Failure.self) {
            if isSubscription {
                for try await _ in try await client.subscribe(Live(), by: .events(over: socket)) {}
            } else {
                _ = try await client.fetch(Wrong(document: GraphQL.Document(text: "query Live { wrong }")))
            }
        }
        #expect(failure?.graphQLErrors.map(\.message) == ["no"], "\(failure?.report ?? "")")
        #expect(server.requests("POST").count == 1 && server.requests("DELETE").isEmpty)
    }

    @Test(
        "takes no other answer than 202 for an acceptance, and ends what it may have begun",
        arguments: [(200, ""), (200, "<html>"), (200, #"{"data":{"errors":1}}"#), (201, "token"), (204, "")])
    func unknown(status: Int, body: String) async throws {
        let server = EventServer {
            $0.body.contains("wrong") ? EventServer.Reply(status: status, type: "text/plain", body: body) : nil
        }
        let socket = try server.socket()
        let client = try socket.client(attempts: 3)
        var others = try await client.subscribe(Live(), by: .events(over: socket)).makeAsyncIterator()
        let failure = await #expect(throws: Failure.self) {
            for try await _ in try await client.subscribe(Wrong(), by: .events(over: socket)) {}
        }
        #expect(failure?.code == "transport.badResponse" && failure?.nextStep?.contains("graphql-sse") == true)
        #expect(failure?.explanation.contains("to begin an operation") == true)
        #expect(failure?.explanation.contains("\(status) and not 202") == true)
        #expect(failure?.error(as: TransportError.self)?.phase == .receiving)
        try await server.wait(for: "DELETE", with: "operationId=2")
        server.next(1, Self.result)
        #expect(try await others.next()?.data.number == 7)
    }

    @Test("takes a POST that is refused with its token for the loss of a stream that ends", arguments: [401, 404, 409])
    func endedStream(status: Int) async throws {
        let clock = ManualClock()
        let server = EventServer {
            $0.method == "POST" && $0.token == "token-of-stream-1" ? .errors(status, "Stream not found") : nil
        }
        let socket = try server.socket(clock: clock)
        let client = try socket.client(attempts: 2)
        async let subscription = client.subscribe(Live(), by: .events(over: socket))
        await clock.waitForSleeper(remaining: .milliseconds(250))
        server.end()
        var results = try await subscription.makeAsyncIterator()
        server.next(1, Self.result, on: 1)
        #expect(try await results.next()?.data.number == 7)
        #expect(server.requests("POST").map(\.token) == ["token-of-stream-1", "token-of-stream-2"])
    }

    @Test("tells of a POST that is refused with its token while the stream lives", arguments: [401, 404, 409])
    func livingStream(status: Int) async throws {
        let clock = ManualClock()
        let server = EventServer { $0.method == "POST" ? .errors(status, "Stream not found") : nil }
        let socket = try server.socket(clock: clock)
        let client = try socket.client(attempts: 2)
        let task = Task { try await client.subscribe(Live(), by: .events(over: socket)) }
        await clock.waitForSleeper(remaining: .milliseconds(250))
        await clock.advance(by: .milliseconds(250))
        let failure = await #expect(throws: Failure.self) { _ = try await task.value }
        #expect(failure?.statusCode == status)
    }

    @Test("repeats a mutation whose stream was refused, because it was not sent", arguments: ["PUT", "GET"])
    func unsent(method: String) async throws {
        let isFirst = Lock(true)
        let server = EventServer { request in
            guard request.method == method, isFirst.withLock({ $0 }) else { return nil }
            isFirst.withLock { $0 = false }
            return .errors(503, "overloaded")
        }
        let client = try server.socket().client(attempts: 2)
        let task = Task { try await client.send(Ask(query: "mutation { a }", isRepeatable: nil)) }
        try await server.wait(for: "POST")
        server.next(1, "{}")
        server.complete(1)
        try await task.value
    }

    @Test("does not wait for a POST that is not answered, whose mutation may have been sent")
    func unanswered() async throws {
        let clock = ManualClock()
        let (arrived, ended) = (Gate(), Gate())
        let server = EventServer { request in
            guard request.method == "POST" else { return nil }
            arrived.open()
            defer { ended.open() }
            try await untilCancelled()
            return nil
        }
        var options = CallOptions()
        options.clock = clock
        let socket = try server.socket(
            SocketOptions(idle: .seconds(1000), ping: nil, acknowledge: .seconds(170)), clock: clock)
        let client = try socket.client(attempts: 5, options: options)
        let task = Task { try await client.send(Ask(query: "mutation { a }", isRepeatable: nil)) }
        await arrived.pass()
        await clock.waitForSleeper(remaining: .seconds(600))
        await clock.advance(by: .seconds(600))
        let failure = await #expect(throws: Failure.self) { try await task.value }
        #expect(failure?.code == "timeout.attempt" && failure?.progress?.phase == .sending)
        // The server may still get the two in another order.
        #expect(server.requests("DELETE").isEmpty)
        await clock.waitForSleeper(remaining: .seconds(170))
        await clock.advance(by: .seconds(170))
        try await server.wait(for: "DELETE", with: "operationId=1")
        await ended.pass()
        #expect(server.requests("POST").count == 1)
    }

    @Test("limits the time to the stream, and a mutation was not sent then", arguments: ["PUT", "GET"])
    func acknowledgement(method: String) async throws {
        let clock = ManualClock()
        let isFirst = Lock(true)
        let server = EventServer { request in
            if request.method == method, isFirst.withLock({ $0 }) {
                isFirst.withLock { $0 = false }
                try await untilCancelled()
            }
            return nil
        }
        let socket = try server.socket(SocketOptions(ping: nil, acknowledge: .seconds(3)))
        var options = CallOptions()
        options.clock = clock
        let client = try socket.client(attempts: 2, options: options)
        let task = Task { try await client.send(Ask(query: "mutation { a }", isRepeatable: nil)) }
        try await server.wait(for: method)
        await clock.waitForSleeper(remaining: .seconds(3))
        await clock.advance(by: .seconds(3))
        try await server.wait(for: "POST")
        server.next(1, "{}")
        server.complete(1)
        try await task.value
        #expect(server.requests("PUT").count == 2)
    }

    @Test("does not repeat a request for a stream itself, and says that nothing was sent", arguments: ["PUT", "GET"])
    func unreachable(method: String) async throws {
        let server = EventServer { request in
            guard request.method == method else { return nil }
            throw TransportError(.lost, phase: .waiting)
        }
        let error = await #expect(throws: TransportError.self) { try await server.socket().ask() }
        #expect(error?.code == .lost && error?.phase == .connecting)
        #expect(server.requests(method).count == 1)
    }

    private struct Wrong: GraphQL.Operation {
        typealias Data = Live.Data
        var document = GraphQL.Document(text: "subscription Live { wrong }")
    }
}
