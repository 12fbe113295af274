import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

/// No header injection (RFC 9110, 5.5): what would break the message is refused before anything is sent.
@Suite("Headers that would break the message", .limited)
struct HeaderRefusalTests {
    private static let values = [
        "a\r\nX-Evil: 1", "a\nb", "a\rb", "a\n", "\r\na", "a\u{0}b", "a\u{1}b", "a\u{8}", "a\u{B}b", "a\u{1B}[2J",
        "a\u{1F}b", "a\u{7F}b",
    ]
    private static let names = [
        "", " ", "X Evil", "X-Evil ", "X:Evil", "X\r\nEvil", "X\nEvil", "X\u{0}", "X\u{1B}", "X\u{7F}", "Xé", "X(Evil)",
        "X\"", "X/Evil", "X@Evil", "X[1]", "X{1}", "X,Y", "X;Y", "X=Y", "X<Y>", "X?", "X\\",
    ]

    @Test("throw when a value is set or added", arguments: values)
    func value(value: String) {
        // given
        var headers: HTTP.Headers = ["X-A": "1"]
        // then
        let error = #expect(throws: RequestError.self) { try headers.set(value, for: "X-A") }
        #expect(error?.code == .invalidHeader)
        #expect(error?.detail.hasPrefix("The value of the header X-A has the control character 0x") == true)
        #expect(throws: RequestError.self) { try headers.add(value, for: "X-A") }
        #expect(headers.map(\.description) == ["X-A: 1"])
    }

    @Test("throw when a name is set or added", arguments: names)
    func name(name: String) {
        // given
        var headers = HTTP.Headers()
        // then
        let error = #expect(throws: RequestError.self) { try headers.set("1", for: HTTP.Headers.Name(name)) }
        #expect(error?.code == .invalidHeader)
        #expect(error.map { hasControls($0.detail) } == false)
        #expect(throws: RequestError.self) { try headers.add("1", for: HTTP.Headers.Name(name)) }
        #expect(headers.fields.isEmpty)
    }

    @Test("store nothing by subscript, and remember the refusal", arguments: values)
    func subscripts(value: String) {
        // given
        var headers: HTTP.Headers = ["X-A": "1", "X-B": "2"]
        // when
        headers["X-A"] = value
        // then
        #expect(headers.map(\.description) == ["X-A: 1", "X-B: 2"])
        #expect(headers.refused?.code == .invalidHeader)
    }

    @Test("are refused in a literal as well, and the first refusal is kept")
    func literal() {
        // when
        var headers: HTTP.Headers = ["X-A": "a\nb", "X-B": "2"]
        headers["X Y"] = "1"
        // then
        #expect(headers.map(\.description) == ["X-B: 2"])
        #expect(headers.refused?.detail.contains("X-A") == true)
    }

    @Test("do not tell the value in the error")
    func secret() {
        // given
        var headers = HTTP.Headers()
        // when
        headers[.authorization] = "Bearer hunter2\n"
        // then
        #expect(headers.refused.map { "\($0) \($0.detail)".contains("hunter2") } == false)
    }

    @Test("fail the call with request.invalidHeader, and nothing is sent", arguments: values)
    func callFails(value: String) async throws {
        // given
        let rig = Rig()
        let client = try rig.standard()
        // when
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.send(BookEndpoint(headers: ["X-A": value])) })
        // then
        #expect(failure.code == "request.invalidHeader")
        #expect(failure.request == nil)
        #expect(rig.transport.requests.isEmpty)
    }

    @Test("fail the call when an interceptor has set them, and nothing is sent")
    func interceptorFails() async throws {
        // given
        let rig = Rig(.json(200, Book.json))
        let client = try rig.client {
            Retry()
            ClosureInterceptor { request, _, next in
                var request = request
                request.headers["X-Tenant"] = "a\r\nX-Evil: 1"
                return try await next(request)
            }
        }
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) })
        // then
        #expect(failure.code == "request.invalidHeader")
        #expect(failure.attempts.count == 1)
        #expect(rig.transport.requests.isEmpty)
    }

    @Test("are refused before a transport that does not look sees them")
    func carelessTransport() async throws {
        // given
        struct Careless: HTTP.Transport {
            let sent = Counter()
            func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
                sent.increment()
                return HTTP.Response(status: 200)
            }
        }
        let transport = Careless()
        let client = try Client(baseURL: Rig.base, transport: transport, handling: Rig().handling) {}
        // when
        let failure = await #expect(throws: Failure.self) {
            try await client.get("books", headers: ["X-A": "a\r\nX-Evil: 1"]) as HTTP.Response
        }
        // then
        #expect(failure?.code == "request.invalidHeader")
        #expect(transport.sent.value == 0)
    }
}
