import Backstop
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// What people write before they have read anything: it compiles, and means what they mean.
@Suite("What people write first", .limited)
struct GuessesTests {
    private static let missing = Failure(StatusError(404), response: HTTP.Response(status: 404))

    @Test("names a status by its name or its number")
    func patterns() async {
        for handler in [On(.notFound) { _ in }, On(404) { _ in }, On(.status(404)) { _ in }] {
            #expect(await handler.handle(Self.missing) == .handled)
            #expect(await handler.handle(Failure(StatusError(401))) == .unhandled)
        }
        #expect(FailurePattern.unauthorized.or(404).matches(Failure(StatusError(401))))
        let several: [On] = [
            On(404, 410) { _ in }, On(.offline, .notFound) { _ in .handled },
            On(404, .timeout, name: "gone") { failure in !failure.isOffline },
        ]
        for handler in several {
            #expect(await handler.handle(Self.missing) == .handled)
            #expect(await handler.handle(Failure(StatusError(500))) == .unhandled)
        }
        #expect(several.map(\.name) == ["On(status.404 or status.410)", "On(offline or status.404)", "gone"])
    }

    @Test("catches a failure by its pattern")
    func catches() async throws {
        func caught(_ transport: ScriptedTransport) async throws -> String {
            let client = try Client(baseURL: "https://api.example.com", transport: transport) { StatusValidation() }
            do {
                try await client.delete("books/1")
            } catch .offline {
                return "offline"
            } catch 404, .status(410) {
                return "gone"
            } catch {
                return error.code
            }
            return "deleted"
        }
        #expect(try await caught(ScriptedTransport(.failure(TransportError(.offline)))) == "offline")
        #expect(try await caught(ScriptedTransport(.status(404))) == "gone")
        #expect(try await caught(ScriptedTransport(.status(410))) == "gone")
        #expect(try await caught(ScriptedTransport(.status(503))) == "status.503")
        #expect(try await caught(ScriptedTransport(.status(204))) == "deleted")
        switch Self.missing {
        case .offline, .status(500...): Issue.record("It is missing.")
        case .notFound: break
        default: Issue.record("It is missing.")
        }
    }

    @Test("is caught by patterns also in a task, where its type is not known")
    func caughtInTask() async {
        func caught(_ error: any Error) async -> String {
            await Task {
                do {
                    throw error
                } catch .offline {
                    return "offline"
                } catch 404 {
                    return "gone"
                } catch {
                    return "\(type(of: error))"
                }
            }.value
        }
        #expect(await caught(Failure(TransportError(.offline))) == "offline")
        #expect(await caught(Self.missing) == "gone")
        #expect(await caught(CancellationError()) == "CancellationError")
    }

    @Test("catches by a code of the system what is of its kind, over any transport")
    func systemCodes() async throws {
        func caught(_ error: any Error) async throws -> String {
            let client = try Client(
                baseURL: "https://api.example.com", transport: ScriptedTransport(.failure(error))
            ) {}
            do {
                try await client.delete("books/1")
                return "deleted"
            } catch URLError.timedOut {
                return "timed out"
            } catch URLError.cannotConnectToHost {
                return "refused"
            } catch .cancelled {
                return "cancelled"
            } catch .cannotFindHost {
                return "no host"
            } catch .serverCertificateUntrusted {
                return "untrusted"
            } catch {
                return error.code
            }
        }
        #expect(try await caught(URLError(.cannotConnectToHost)) == "refused")
        #expect(try await caught(URLError(.timedOut)) == "timed out")
        #expect(try await caught(TransportError(.dns)) == "no host")
        #expect(try await caught(TransportError(.refused)) == "refused")
        #expect(try await caught(TimeoutError(.attempt, after: .seconds(30))) == "timed out")
        #expect(try await caught(TimeoutError(.deadline, after: .seconds(3))) == "timed out")
        // On Linux, the codes of the system are not those that its texts mean.
        #expect(try await caught(URLError(.dnsLookupFailed)) == "no host")
        #expect(try await caught(TransportError(.certificate, underlying: URLError(.unknown))) == "untrusted")
        // A body that another session reads is cancelled there.
        #expect(
            try await caught(RequestError(.bodyUnreadable, "It ended", underlying: URLError(.cancelled)))
                == "request.bodyUnreadable")
        #expect(try await caught(TransportError(.lost)) == "transport.lost")
        #expect(!(URLError.Code.cannotFindHost ~= Failure(TimeoutError(.attempt, after: .seconds(30)))))
        #expect(
            try await Task { () async throws -> String in
                withUnsafeCurrentTask { $0?.cancel() }
                return try await caught(CancellationError())
            }.value == "cancelled")
    }

    @Test("asks for JSON where JSON is read, by an endpoint as by a one-liner, unless it asks for something else")
    func accept() async throws {
        struct Books: JSONEndpoint {
            typealias Content = [String]
            var headers: HTTP.Headers = [:]
            func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books", headers: headers) }
        }
        struct Ping: EmptyEndpoint {
            func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "ping") }
        }
        let transport = ScriptedTransport(.json(200, "[]").repeated())
        let client = try Client(baseURL: "https://api.example.com", transport: transport) {}
        _ = try await client.send(Books())
        _ = try await client.get("books", as: [String].self)
        _ = try await client.send(Books(headers: ["Accept": "application/hal+json"]))
        _ = try await client.get("books", as: String.self)
        try await client.send(Ping())
        #expect(
            transport.requests.map { $0.headers[.accept] }
                == ["application/json", "application/json", "application/hal+json", nil, nil])
    }

    @Test("prints a call without its secrets")
    func printedCall() {
        let call = HTTP.Call(.get, "https://ann:hunter2@a.example/books?token=hunter3", headers: ["X-Key": "hunter4"])
        #expect(!dumped(call).contains("hunter"))
        #expect("\(call)".hasPrefix("GET https://"))
    }

    @Test("makes headers of a dictionary, and refuses a line break there too")
    func headers() {
        let names = ["X-B": "2", "x-a": "1"]
        let headers = HTTP.Headers(names)
        #expect(headers.fields.map(\.value) == ["2", "1"])
        #expect(headers["X-A"] == "1")
        #expect(HTTP.Headers(["X-A": "1\r\nHost: b"]).refused != nil)
    }

    @Test("returns whether a failure was handled")
    func booleans() async {
        struct Sold: ServiceError { var out = true }
        let handlers: [On] = [
            On(.status) { _ in false }, On(404) { failure in failure.isOffline },
            On(status: 404, 410) { _ in false },
            On(status: 400...) { failure in
                let isKnown = failure.name == "known"
                return isKnown
            },
        ]
        for handler in handlers {
            #expect(await handler.handle(Self.missing) == .unhandled, "\(handler.name)")
        }
        #expect(await On(.status) { _ in true }.handle(Self.missing) == .handled)
        #expect(await On(error: Sold.self) { error, _ in !error.out }.handle(Failure(Sold())) == .unhandled)
        #expect(await Otherwise { $0.isOffline }.handle(Self.missing) == .unhandled)
    }

    @Test("handles every failure as a Failure")
    func everyFailure() async {
        let codes = Notes<String>()
        let handler = On(error: Failure.self) { error, _ in codes.add(error.code) }
        #expect(await handler.handle(Self.missing) == .handled)
        #expect(await handler.handle(Failure(TransportError(.offline))) == .handled)
        #expect(codes.all == ["status.404", "transport.offline"])
    }

    @Test("still gives a verdict, or nothing")
    func verdicts() async {
        let notes = Notes<String>()
        let handlers: [On] = [
            On(.status) { _ in .handled }, On(.status) { failure in notes.add(failure.code) },
            On(.status) { failure in
                notes.add(failure.code)
                notes.add("again")
            },
        ]
        for handler in handlers {
            #expect(await handler.handle(Self.missing) == .handled)
        }
        #expect(notes.all == ["status.404", "status.404", "again"])
    }

    @Test("handles only failures in the closure of a call that is awaited")
    func handle() async throws {
        let client = try Rig(.json(200, Book.json), .status(404), .status(404), .status(404)).standard()
        let notes = Notes<String>()
        await client.perform(BookEndpoint()) { error in notes.add(error.code) }
        #expect(notes.all.isEmpty)
        let handled = await client.perform(BookEndpoint()) { error in
            notes.add(error.code)
            notes.add(error.message.title)
        }
        #expect(handled.handledBy == "call")
        #expect(notes.all == ["status.404", "Not found"])
        let left = await client.perform(BookEndpoint()) { error in error.isOffline }
        #expect(left.handledBy == nil)
        let value = await client.perform(BookEndpoint()) { _ in .value(.dune) }
        #expect(value.value == .dune)
    }

    @Test("gives a value for every failure")
    func values() async throws {
        struct Ping: EmptyEndpoint {
            func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "ping") }
        }
        let client = try Rig(.status(404).repeated()).standard()
        let notes = Notes<String>()
        #expect(await client.perform(.get("books", as: [Book].self)) { _ in [] }.value == [])
        #expect(await client.perform(.get("books/1", as: Book?.self)) { _ in .dune }.value == Book.dune)
        // For content that is a Bool, it is whether the failure was handled.
        #expect(await client.perform(.get("open", as: Bool.self)) { error in error.isOffline }.handledBy == nil)
        #expect(await client.perform(Ping()) { error in notes.add(error.code) }.handledBy == "call")
        #expect(notes.all == ["status.404"])
    }

    @Test("takes a closure without a label for the completion, on an actor as on the main actor")
    func completion() async throws {
        actor Box {
            private(set) var outcomes: [String?] = []
            func add(_ outcome: Outcome<Book>) { outcomes.append(outcome.value?.title) }
        }
        let client = try Rig(.json(200, Book.json).repeated()).standard()
        let box = Box()
        await client.perform(BookEndpoint(), on: box) { _, _ in }.value
        await client.perform(BookEndpoint(), on: box) { box, outcome in box.add(outcome) }.value
        await client.perform(BookEndpoint(), on: box, onSuccess: { box, book in box.add(.value(book)) }).value
        #expect(await box.outcomes == ["Dune", "Dune"])
        let titles = Notes<String?>()
        func start() -> Task<Void, Never> {
            client.perform(BookEndpoint()) { outcome in titles.add(outcome.value?.title) }
        }
        await start().value
        #expect(titles.all == ["Dune"])
    }

    @Test("gets a text as it is, and a string of JSON as its value")
    func text() async throws {
        let rig = Rig(
            .status(200, headers: ["Content-Type": "text/plain"], body: "pong"), .json(200, #""pong""#),
            .json(200, #"{"a":1}"#), .status(200, body: "\"quoted\""))
        let client = try rig.standard()
        var texts: [String] = []
        for _ in 0..<4 {
            texts.append(try await client.get("ping", as: String.self))
        }
        #expect(texts == ["pong", "pong", #"{"a":1}"#, "\"quoted\""])
        #expect(rig.transport.requests.allSatisfy { $0.headers[.accept] == nil })
    }

    @Test(
        "gets a text in the encoding that it declares, if that is known (RFC 2046, 4.1.2)",
        arguments: [
            ("ISO-8859-1", [0xE4, 0x41], "äA"), ("\"iso-8859-1\"", [0xE4, 0x41], "äA"), ("windows-1252", [0x80], "€"),
            ("ISO-8859-15", [0xA4], nil), ("ISO-8859-15", [0x41], "A"), ("utf-16le", [0x41, 0], nil),
            ("UTF-8", [0xC3, 0xA4], "ä"),
        ] as [(String, [UInt8], String?)])
    func charset(name: String, bytes: [UInt8], text: String?) async throws {
        let body = HTTP.Response(
            status: 200, headers: ["Content-Type": "text/plain; charset=\(name)"], body: Data(bytes))
        let client = try Rig(.response(body)).standard()
        #expect((try? await client.get("ping", as: String.self)) == text)
    }

    @Test("sends no JSON that is a String already as a string of JSON", arguments: [#"{"a":1}"#, "\n[{}]"])
    func encodedTwice(text: String) async throws {
        let rig = Rig(.status(200).repeated())
        let client = try rig.standard()
        let failure = await #expect(throws: Failure.self) { try await client.post("books", json: text) }
        #expect(failure?.code == "request.encoding")
        #expect(rig.transport.requests.isEmpty)
        try await client.post("books", json: JSONValue.string(text))
        #expect(rig.transport.requests.first?.body.data == (try JSONEncoder().encode(text)))
    }

    @Test("sends as a string what a person may have typed", arguments: ["{a", "{}", "[1]", "[draft]", "1"])
    func typed(text: String) async throws {
        let rig = Rig(.status(200))
        try await rig.standard().post("notes", json: text)
        #expect(rig.transport.requests.first?.body.data == Data("\"\(text)\"".utf8))
    }

    @Test("keeps the media type that a caller gives its JSON (RFC 7396)")
    func mediaType() async throws {
        let rig = Rig(.status(200))
        try await rig.standard().patch(
            "books/1", json: ["title": "Dune"], headers: ["Content-Type": "application/merge-patch+json"])
        #expect(rig.transport.requests.first?.headers[values: .contentType] == ["application/merge-patch+json"])
    }

    @Test("gets a text or a body that may be missing as it gets one that may not")
    func optional() async throws {
        let plain = ["Content-Type": "text/plain"] as HTTP.Headers
        let rig = Rig(
            .status(200, headers: plain, body: "pong"), .status(200, headers: plain, body: "null"), .json(200, "null"),
            .json(200, #""pong""#), .json(200, #"{"a":1}"#), .status(204), .status(200), .status(200, body: "\u{7}"),
            .status(204))
        let client = try rig.standard()
        var texts: [String?] = []
        for _ in 0..<7 {
            texts.append(try await client.get("ping", as: String?.self))
        }
        #expect(texts == ["pong", "null", nil, "pong", #"{"a":1}"#, nil, nil])
        #expect(try await client.get("ping", as: Data?.self) == Data([7]))
        #expect(try await client.get("ping", as: Data?.self) == nil)
        #expect(rig.transport.requests.allSatisfy { $0.headers[.accept] == nil })
    }

    @Test("signs in with a name and a password")
    func basic() async throws {
        // given
        let transport = ScriptedTransport(.status(200).repeated())
        let client = try Client.standard(
            baseURL: "https://api.example.com", transport: transport,
            authentication: .basic(user: "Aladdin", password: "open sesame"), logging: nil)
        let plain = try Client.standard(baseURL: "https://api.example.com", transport: transport, logging: nil)
        // when
        _ = try await client.get("a") as HTTP.Response
        _ = try await client.get("https://other.example/a") as HTTP.Response
        _ = try await client.get("a", headers: [.authorization: "Bearer own"]) as HTTP.Response
        _ = try await plain.get("a", headers: .basic(user: "Aladdin", password: "open sesame")) as HTTP.Response
        // then
        let expected = "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
        #expect(transport.requests.map { $0.headers[.authorization] } == [expected, nil, "Bearer own", expected])
        let shown = dumped(BasicAuthentication(user: "Aladdin", password: "open sesame"))
        #expect(!shown.contains("Aladdin") && !shown.contains("QWxh"))
    }

    @Test(
        "sends the name and the password to its own origin only, however that is written",
        arguments: [
            ("https://api.example.com:443/a", true), ("https://API.example.com/a", true),
            ("http://api.example.com/a", false), ("https://api.example.com:8443/a", false),
        ])
    func basicOrigin(target: String, isOwn: Bool) async throws {
        let transport = ScriptedTransport(.status(401))
        let client = try Client.standard(
            baseURL: "https://api.example.com", transport: transport,
            authentication: .basic(user: "Aladdin", password: "open sesame"), logging: nil)
        let failure = try #require(await #expect(throws: Failure.self) { _ = try await client.get(target) })
        #expect((transport.requests.first?.headers[.authorization] != nil) == isOwn)
        #expect("\(failure.trace)".contains("no credentials for") != isOwn)
    }

    @Test("sends the name and the password nowhere without a base URL")
    func basicWithoutBase() async throws {
        let transport = ScriptedTransport(.status(200))
        let chain = try HTTP.Chain(transport: transport) {
            BasicAuthentication(user: "Aladdin", password: "open sesame")
        }
        _ = try await chain.call(HTTP.Request(.get, "https://api.example.com/"))
        #expect(transport.requests.map { $0.headers[.authorization] } == [nil])
    }

    @Test("makes an interceptor of a closure")
    func closure() async throws {
        let rig = Rig(.status(200))
        let client = try rig.client {
            Backstop.ClosureInterceptor { request, _, next in
                var request = request
                request.headers["X-Tenant"] = "north"
                return try await next(request)
            }
        }
        _ = try await client.get("a") as HTTP.Response
        #expect(rig.transport.requests.first?.headers["X-Tenant"] == "north")
    }

    @Test("sends mixed JSON")
    func mixed() async throws {
        let rig = Rig(.status(200).repeated())
        let client = try rig.client()
        try await client.post("a", json: ["id": 1, "tags": ["x"], "isNew": true] as JSONValue)
        try await client.post("a", json: ["id": 1])
        let bodies = rig.transport.requests.map { String(decoding: $0.body.data ?? Data(), as: UTF8.self) }
        #expect(bodies.first?.contains(#""isNew":true"#) == true && bodies.last == #"{"id":1}"#)
    }

    @Test("sends data as the JSON that it is")
    func encoded() async throws {
        let rig = Rig(.status(200).repeated())
        let client = try rig.standard()
        let data = Data(#"{"id":1}"#.utf8)
        try await client.post("a", json: data)
        try await client.put("a", json: data as Data?)
        _ = try await client.send(.patch("a", json: data)) as HTTP.Response
        let requests = rig.transport.requests
        #expect(requests.map(\.body.data) == [data, data, data])
        #expect(requests.allSatisfy { $0.headers[.contentType] == "application/json" })
    }

    @Test("finds the interceptors in the namespace of HTTP")
    func names() throws {
        struct Parts {
            let breaker: HTTP.CircuitBreaker
            let retry: HTTP.Retry
        }
        let parts = Parts(breaker: HTTP.CircuitBreaker(grouping: .origin), retry: HTTP.Retry())
        let chain = try HTTP.Chain(transport: ScriptedTransport()) {
            parts.retry
            parts.breaker
            HTTP.Deadline()
        }
        #expect(chain.roles == [.retry, .circuitBreaker, .deadline])
    }

    @Test("gives an endpoint a decoder of its own")
    func decoder() async throws {
        struct Dates: JSONEndpoint {
            typealias Content = [Date]
            var decoder: JSONDecoder {
                let decoder = JSONDecoder()
                decoder.dateDecodingStrategy = .secondsSince1970
                return decoder
            }
            func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "dates") }
        }
        let dates = try await Rig(.json(200, "[0]")).standard().send(Dates())
        #expect(dates == [Date(timeIntervalSince1970: 0)])
    }
}
