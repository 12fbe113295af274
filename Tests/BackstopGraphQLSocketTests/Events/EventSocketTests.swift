import Backstop
import BackstopAuthentication
import BackstopCore
import BackstopStreams
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket
@testable import BackstopTesting

@Suite("A socket of server-sent events", .limited)
struct EventSocketTests {
    static func result(_ number: Int) -> String { #"{"data":{"number":\#(number)}}"# }

    @Test("carries two subscriptions over one stream, and each gets its own results")
    func two() async throws {
        let server = EventServer()
        let socket = try server.socket()
        let client = try socket.client()
        var first = try await client.subscribe(Live(), by: .events(over: socket)).makeAsyncIterator()
        var second = try await client.subscribe(Live(), by: .events(over: socket)).makeAsyncIterator()
        server.next(2, Self.result(20))
        server.next(1, Self.result(10))
        #expect(try await first.next()?.data.number == 10)
        #expect(try await second.next()?.data.number == 20)
        server.complete(1)
        #expect(try await first.next() == nil)
        server.next(2, Self.result(21))
        #expect(try await second.next()?.data.number == 21)
        #expect(server.state.withLock { $0.requests.map(\.method) } == ["PUT", "GET", "POST", "POST"])
    }

    @Test("asks as the protocol has it, with the fields of the request")
    func requests() async throws {
        let server = EventServer()
        let socket = try server.socket()
        async let answer = socket.ask(headers: [
            "Authorization": "Bearer a", "Content-Type": "text/x", "Accept": "*/*", "X-Request-ID": "1",
        ])
        let post = try await server.wait(for: "POST")[0]
        server.next(1, #"{"data":1}"#)
        server.complete(1)
        #expect(try await answer == #"{"data":1}"#)
        let requests = server.state.withLock { $0.requests }
        #expect(requests.map(\.headers[.accept]) == ["text/plain", "text/event-stream", "application/json"])
        // Only the one is read while it arrives, and takes a connection for long.
        #expect(requests.map(\.isStream) == [false, true, false])
        #expect(requests.map(\.token) == [nil, "token-of-stream-1", "token-of-stream-1"])
        for request in requests {
            #expect(request.headers[.authorization] == "Bearer a" && request.headers["X-Request-ID"] == nil)
            #expect(request.target == "https://a.example/graphql/stream")
        }
        #expect(post.headers[.contentType] == "application/json")
        #expect(post.body == #"{"query":"{ a }","extensions":{"operationId":"1"}}"#)
    }

    @Test(
        "adds its id to the extensions of an operation, and changes nothing else",
        arguments: [
            (#"{}"#, #"{"extensions":{"operationId":"7"}}"#),
            (#" { "query" : "{a}" } "#, #" { "query" : "{a}" ,"extensions":{"operationId":"7"}} "#),
            (
                #"{"extensions":{},"variables":{"a":1.50}}"#,
                #"{"extensions":{"operationId":"7"},"variables":{"a":1.50}}"#
            ),
            (#"{"extensions":{ "b":{"c":"}"}}}"#, #"{"extensions":{ "b":{"c":"}"},"operationId":"7"}}"#),
            (#"{"extensions":null,"query":"}"}"#, #"{"extensions":{"operationId":"7"},"query":"}"}"#),
            (
                #"{"variables":{"extensions":{}},"query":""}"#,
                #"{"variables":{"extensions":{}},"query":"","extensions":{"operationId":"7"}}"#
            ),
        ])
    func operation(body: String, sent: String) throws {
        let url = try #require(URL(string: "https://a.example/graphql/stream"))
        // A part of something longer, whose indices do not begin at 0.
        let part = Data("--\(body)".utf8).dropFirst(2)
        let request = try EventRequest.operation(7, part).call(to: url, [:], token: "t").makeRequest()
        #expect(request.body.data.map { String(decoding: $0, as: UTF8.self) } == sent)
    }

    @Test("sends no credentials to another origin")
    func otherOrigin() async throws {
        let server = EventServer()
        let socket = try server.socket()
        let client = try socket.client(at: "https://b.example/graphql")
        let task = Task { try await client.send(Ask(query: "{ a }", headers: ["Authorization": "Bearer a"])) }
        try await server.wait(for: "POST")
        server.next(1, "{}")
        server.complete(1)
        try await task.value
        #expect(server.state.withLock { $0.requests.allSatisfy { $0.headers[.authorization] == nil } })
    }

    @Test("ends a subscription that is not wanted any more with a DELETE, and no other")
    func cancelled() async throws {
        let server = EventServer()
        let socket = try server.socket()
        let client = try socket.client()
        let first = try await client.subscribe(Live(), by: .events(over: socket))
        var second = try await client.subscribe(Live(), by: .events(over: socket)).makeAsyncIterator()
        first.cancel()
        let end = try await server.wait(for: "DELETE")[0]
        #expect(end.target == "https://a.example/graphql/stream?operationId=1" && end.token == "token-of-stream-1")
        #expect(!end.isStream)
        server.next(1, Self.result(1))
        server.next(2, Self.result(2))
        #expect(try await second.next()?.data.number == 2)
    }

    @Test("ends an operation that is dropped at once only after the server has answered its POST")
    func crossed() async throws {
        let post = Gate()
        let steps = Lock<[String]>([])
        let server = EventServer { request in
            if request.method == "POST" {
                await post.pass()
                steps.withLock { $0.append("accepted") }
            } else if request.method == "DELETE" {
                steps.withLock { $0.append("ended") }
            }
            return nil
        }
        let socket = try server.socket()
        let task = Task { try await socket.ask() }
        await post.waitForArrivals(1)
        task.cancel()
        _ = await task.result
        post.open()
        try await server.wait(for: "DELETE", with: "operationId=1")
        #expect(steps.withLock { $0 } == ["accepted", "ended"])
    }

    @Test("ends an operation once more whose POST came after the DELETE that followed it")
    func overtaken() async throws {
        let post = Gate()
        let server = EventServer(phase: .connecting) { request in
            if request.method == "POST", request.body.contains("late") {
                try await post.passUnlessCancelled()
            }
            return nil
        }
        let socket = try server.socket()
        let client = try socket.client()
        var other = try await client.subscribe(Live(), by: .events(over: socket)).makeAsyncIterator()
        let task = Task { try await socket.ask("{ late }") }
        await post.waitForArrivals(1)
        task.cancel()
        _ = await task.result
        try await server.wait(for: "DELETE", with: "operationId=2")
        server.next(2, "{}")
        try await server.wait(for: "DELETE", times: 2, with: "operationId=2")
        // What crosses the second one, and a result of what never was, ask for nothing.
        server.next(2, "{}")
        server.next(3, "{}")
        server.next(1, Self.result(1))
        #expect(try await other.next()?.data.number == 1)
        #expect(server.requests("DELETE").count == 2)
    }

    @Test("ends an operation once more whose DELETE failed, if a result of it comes five seconds later")
    func failedEnd() async throws {
        let clock = ManualClock()
        let count = Lock(0)
        let server = EventServer { request in
            guard request.method == "DELETE", count.withLock({ exchange(&$0, with: $0 + 1) }) == 0 else { return nil }
            return .errors(403, "no")
        }
        let socket = try server.socket(clock: clock)
        let client = try socket.client()
        let first = try await client.subscribe(Live(), by: .events(over: socket))
        var second = try await client.subscribe(Live(), by: .events(over: socket)).makeAsyncIterator()
        first.cancel()
        try await server.wait(for: "DELETE")
        for number in 1...20 {
            server.next(1, Self.result(number))
            server.next(2, Self.result(number))
            #expect(try await second.next()?.data.number == number)
        }
        #expect(server.requests("DELETE").count == 1)
        while server.requests("DELETE").count < 2 {
            await clock.advance(by: .seconds(5))
            server.next(1, Self.result(21))
            await Task.yield()
        }
        #expect(Set(server.requests("DELETE").map(\.target)).count == 1)
    }

    @Test("ends an operation once more whose POST got no answer, and came after the DELETE that followed it")
    func lostPost() async throws {
        let server = EventServer { request in
            guard request.method == "POST", request.body.contains("late") else { return nil }
            throw TransportError(.lost, phase: .waiting)
        }
        let socket = try server.socket()
        _ = try? await socket.ask("{ late }", isRepeatable: false)
        try await server.wait(for: "DELETE", with: "operationId=1")
        server.next(1, "{}")
        try await server.wait(for: "DELETE", times: 2, with: "operationId=1")
    }

    @Test(
        "does not end an operation that is dropped and then refused, but if the server may run it",
        arguments: [(400, 2), (504, 1)])
    func droppedAndRefused(status: Int, ended: Int) async throws {
        let post = Gate()
        let server = EventServer { request in
            guard request.method == "POST", request.body.contains("wrong") else { return nil }
            await post.pass()
            return .errors(status, "no such field")
        }
        let socket = try server.socket()
        let task = Task { try await socket.ask("{ wrong }") }
        await post.waitForArrivals(1)
        task.cancel()
        _ = await task.result
        post.open()
        let other = Task { try await socket.ask() }
        try await server.wait(for: "POST", with: "{ a }")
        other.cancel()
        try await server.wait(for: "DELETE", with: "operationId=\(ended)")
        #expect(ended == 1 || server.requests("DELETE").count == 1)
    }

    @Test("tries again to end an operation", arguments: [nil, 503] as [Int?])
    func endsAgain(status: Int?) async throws {
        let isFirst = Lock(true)
        let server = EventServer { request in
            guard request.method == "DELETE", isFirst.withLock({ $0 }) else { return nil }
            isFirst.withLock { $0 = false }
            guard let status else { throw TransportError(.lost, phase: .waiting) }
            return .errors(status, "overloaded")
        }
        let socket = try server.socket()
        let client = try socket.client()
        try await client.subscribe(Live(), by: .events(over: socket)).cancel()
        let ends = try await server.wait(for: "DELETE", times: 2)
        #expect(Set(ends.map(\.target)).count == 1)
    }

    @Test("tries three times to end an operation if nobody answers, for three seconds each")
    func unanswered() async throws {
        let clock = ManualClock()
        let server = EventServer { request in
            if request.method == "DELETE" { try await untilCancelled() }
            return nil
        }
        let socket = try server.socket(clock: clock)
        let client = try socket.client()
        // One goes on, so that nothing else sleeps.
        var others = try await client.subscribe(Live(), by: .events(over: socket)).makeAsyncIterator()
        try await client.subscribe(Live(), by: .events(over: socket)).cancel()
        for attempt in 1...3 {
            if attempt > 1 { await clock.runNextSleep() }
            try await server.wait(for: "DELETE", times: attempt)
            await clock.waitForSleeper(remaining: .seconds(3))
            await clock.advance(by: .seconds(3))
        }
        server.next(1, Self.result(1))
        #expect(try await others.next()?.data.number == 1)
        #expect(server.requests("DELETE").count == 3)
    }

    @Test("ends a few operations at once, and the others after these")
    func ends() async throws {
        let gate = Gate()
        let running = Lock((now: 0, most: 0))
        let server = EventServer { request in
            guard request.method == "DELETE" else { return nil }
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { running.withLock { $0.now -= 1 } }
            await gate.pass()
            return nil
        }
        let socket = try server.socket(clock: ManualClock())
        let client = try socket.client()
        for _ in 0..<20 {
            try await client.subscribe(Live(), by: .events(over: socket)).cancel()
        }
        let task = Task { try await socket.ask() }
        try await server.wait(for: "DELETE", times: 4)
        try await server.wait(for: "POST", times: 21)
        server.next(21, "{}")
        server.complete(21)
        _ = try await task.value
        gate.open()
        let ends = try await server.wait(for: "DELETE", times: 20)
        #expect(Set(ends.map(\.target)).count == 20 && running.withLock { $0.most } == 4)
    }

    @Test("does not take requests that wait in its transport for a server that does not read")
    func line() async throws {
        let post = Gate()
        let server = EventServer { request in
            if request.method == "POST" { await post.pass() }
            return nil
        }
        let socket = try server.socket(SocketOptions(ping: nil, acknowledge: .seconds(170), unwritten: 1000))
        let query = "{ \(String(repeating: "a", count: 1000)) }"
        let answers = (0..<10).map { _ in Task { try await socket.ask(query) } }
        await post.waitForArrivals(10)
        post.open()
        for id in 1...10 {
            server.next(id, "{}")
            server.complete(id)
        }
        for answer in answers { #expect(try await answer.value == "{}") }
    }

    @Test("closes its stream some time after the last operation")
    func idle() async throws {
        let clock = ManualClock()
        let server = EventServer()
        let options = SocketOptions(idle: .seconds(7), ping: nil, acknowledge: .seconds(170))
        let socket = try server.socket(options, clock: clock)
        let task = Task { try await socket.ask() }
        try await server.wait(for: "POST")
        server.next(1, "{}")
        server.complete(1)
        _ = try await task.value
        await clock.waitForSleeper(remaining: .seconds(7))
        await clock.advance(by: .seconds(7))
        await server.waitForEnd()
        #expect(server.requests("DELETE").isEmpty)
    }

    @Test("is lost when nothing comes for longer than the limit of silence, and comments are something")
    func silence() async throws {
        let clock = ManualClock()
        let server = EventServer()
        let socket = try server.socket(silence: .seconds(45), clock: clock)
        let task = Task { try await socket.ask() }
        try await server.wait(for: "POST")
        for _ in 0..<3 {
            await clock.waitForSleeper(remaining: .seconds(45))
            await clock.advance(by: .seconds(30))
            server.send(":\n\n")
        }
        await clock.waitForSleeper(remaining: .seconds(45))
        await clock.advance(by: .seconds(46))
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .lost && error?.detail.contains("Nothing came") == true)
        #expect(error?.detail.contains("for 45 s, the limit silence of GraphQL.Socket") == true)
        await server.waitForEnd()
    }

    @Test("takes only URLs of HTTP", arguments: ["wss://a.example/graphql", "a.example", "https://u:p@a.example", ""])
    func urls(url: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try GraphQL.Socket(events: url, over: ScriptedTransport())
        }
        #expect(error?.setting == "GraphQL.Socket.url" && error?.fix.contains("https://api.example.com") == true)
    }

    @Test("has the documented defaults")
    func defaults() throws {
        let socket = try GraphQL.Socket(events: "https://a.example/graphql/stream", over: ScriptedTransport())
        #expect(socket.idle == .seconds(10) && socket.ping == nil)
        #expect(socket.acknowledge == .seconds(10) && socket.longest == 1 << 20)
        #expect(throws: ConfigurationError.self) {
            try GraphQL.Socket(events: "https://a.example", over: ScriptedTransport(), silence: .zero)
        }
    }
}
