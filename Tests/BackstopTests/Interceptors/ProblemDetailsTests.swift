import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// RFC 9457, "Problem Details for HTTP APIs".
@Suite("Problem details", .limited)
struct ProblemDetailsTests {
    private static let type = "application/problem+json"

    private static func problem(_ json: String) throws -> ProblemDetails {
        try JSONDecoder().decode(ProblemDetails.self, from: Data(json.utf8))
    }

    private static func failure(_ json: String, type: String = type, status: Int = 403) async throws -> Failure? {
        let rig = Rig(.json(status, json, headers: ["Content-Type": type]).repeated())
        let client = try rig.standard(apiError: ProblemDetails.self)
        return await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
    }

    @Test("have all members of the RFC's own example, and its extensions")
    func example() async throws {
        // given
        let json = """
            {"type":"https://example.com/probs/out-of-credit","title":"You do not have enough credit.",
            "detail":"Your current balance is 30, but that costs 50.","instance":"/account/12345/msgs/abc",
            "status":403,"balance":30,"accounts":["/account/12345","/account/67890"]}
            """
        // when
        let failure = try #require(try await Self.failure(json))
        // then
        let problem = try #require(failure.error(as: ProblemDetails.self))
        #expect(problem.type == "https://example.com/probs/out-of-credit")
        #expect(problem.title == "You do not have enough credit.")
        #expect(problem.detail == "Your current balance is 30, but that costs 50.")
        #expect(problem.instance == "/account/12345/msgs/abc")
        #expect(problem.status == 403)
        #expect(problem.extensions == ["balance": 30, "accounts": ["/account/12345", "/account/67890"]])
        #expect(failure.code == "service.problem")
        #expect(
            failure.explanation == """
                The server says: You do not have enough credit. Your current balance is 30, but that costs 50. (type: \
                https://example.com/probs/out-of-credit, instance: /account/12345/msgs/abc, status: 403, "accounts": \
                ["\\/account\\/12345","\\/account\\/67890"], "balance": 30)
                """)
        #expect(failure.message == Failure(StatusError(403)).message)
        #expect(
            failure.report.hasSuffix(
                "\n  next:     Look up this problem type: https://example.com/probs/out-of-credit"))
        #expect(failure.statusCode == 403)
    }

    @Test(
        "that come as a success leave the doubt of the status that they name",
        arguments: [(500, true), (504, true), (503, false), (409, false)])
    func asSuccess(status: Int, mayHaveWorked: Bool) async throws {
        let body = #"{"title":"No.","status":\#(status)}"#
        let transport = ScriptedTransport(.json(200, body, headers: ["Content-Type": Self.type]))
        let client = try Client.standard(baseURL: "https://shop.example.com", transport: transport, logging: nil)
        let failure = await #expect(throws: Failure.self) { try await client.post("orders", json: ["book": 1]) }
        #expect(failure?.code == "service.problem")
        #expect(failure?.mayHaveWorked == mayHaveWorked)
    }

    @Test("are described on one line, whatever the server sends")
    func line() throws {
        let problem = try Self.problem(#"{"title":"No.\nbackstop error: #7","instance":"/a\u001b[2J\u202e"}"#)
        for text in ["\(problem)", String(reflecting: problem), "\(problem.customMirror.children.map(\.value))"] {
            #expect(!text.contains { $0.isNewline || $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(text)")
        }
    }

    @Test("are about:blank and nothing else when the object is empty")
    func defaults() throws {
        let problem = try Self.problem("{}")
        #expect(problem.type == "about:blank")
        #expect([problem.title, problem.detail, problem.instance] == [nil, nil, nil])
        #expect(problem.status == nil)
        #expect(problem.extensions.isEmpty)
        #expect(problem.failureMessage == nil)
    }

    @Test(
        "ignore members of a wrong type (3.1)",
        arguments: [
            #"{"type":1}"#, #"{"type":null}"#, #"{"title":["x"]}"#, #"{"title":null}"#, #"{"status":"403"}"#,
            #"{"status":403.5}"#, #"{"status":1e30}"#, #"{"status":null}"#, #"{"detail":{}}"#, #"{"instance":true}"#,
        ])
    func wrongTypes(json: String) throws {
        #expect(try Self.problem(json) == Self.problem("{}"))
    }

    @Test("keep the good members beside wrong ones")
    func mixed() throws {
        let problem = try Self.problem(#"{"type":7,"title":"Out of credit","status":"403","extra":null}"#)
        #expect(problem.type == "about:blank")
        #expect(problem.title == "Out of credit")
        #expect(problem.extensions == ["extra": .null])
    }

    @Test(
        "say all of it to developers, and nothing of it to people",
        arguments: [
            (#"{"title":"T","detail":"D"}"#, "The server says: T. D."), (#"{"title":"T!"}"#, "The server says: T!"),
            (#"{"detail":"D."}"#, "The server says: D."), (#"{"title":"T","detail":"T"}"#, "The server says: T."),
            ("{}", "The server sent problem details without a title or detail."),
            (
                #"{"status":422,"errors":{"name":"short"}}"#,
                #"The server sent problem details without a title or detail. (status: 422, "errors": {"name":"short"})"#
            ),
        ])
    func words(json: String, text: String) throws {
        let problem = try Self.problem(json)
        #expect(problem.failureMessage == nil)
        #expect(problem.failureExplanation == text)
    }

    @Test("are shown to people where the app says so, and only what it says")
    func shown() async throws {
        // given
        let json = #"{"title":"Out of credit","detail":"Your balance is 30.","status":403}"#
        let rig = Rig(.json(403, json, headers: ["Content-Type": Self.type]))
        let client = try rig.standard(apiError: ProblemDetails.self).withOptions { options in
            options.showToPeople(ProblemDetails.self) { $0.detail }
        }
        // when
        let failure = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        // then
        #expect(failure?.message.text == "Your balance is 30.")
        #expect(failure?.localizedDescription == "Your balance is 30.")
    }

    @Test("have the words of their own status where something on the way made it a 200")
    func meantStatus() async throws {
        let failure = try await Self.failure(#"{"title":"No.","status":401}"#, status: 200)
        #expect(failure?.message.text == "You are not signed in.")
    }

    @Test(
        "have the words of the response's status where that is one of a failure (RFC 9457, 3.1.2)",
        arguments: [(500, 401), (503, 400), (400, 503), (404, 401)])
    func advisoryStatus(status: Int, own: Int) async throws {
        let failure = try await Self.failure(#"{"title":"No.","status":\#(own)}"#, status: status)
        let plain = Failure(StatusError(status), request: failure?.request)
        #expect(failure?.message.text == plain.message.text)
    }

    @Test(
        "are told by the content type, without case and parameters",
        arguments: [
            ("application/problem+json", true), ("application/problem+json; charset=utf-8", true),
            ("Application/Problem+JSON", true), ("application/json", false), ("application/problem+xml", false),
        ])
    func contentType(type: String, isProblem: Bool) async throws {
        let failure = try await Self.failure(#"{"title":"No."}"#, type: type)
        #expect(failure?.code == (isProblem ? "service.problem" : "status.403"))
    }

    @Test("are an error also where the status is 200")
    func ok() async throws {
        #expect(try await Self.failure(#"{"title":"No."}"#, status: 200)?.code == "service.problem")
    }

    @Test("that are no object leave it at the status, with a note", arguments: ["[]", "\"no\"", "{", "", "null"])
    func noObject(json: String) async throws {
        let failure = try #require(try await Self.failure(json))
        #expect(failure.code == "status.403")
        #expect(failure.trace.events.contains { $0.name == "apiError" } == !json.isEmpty)
    }

    @Test("are what the standard client reads unless it is told otherwise")
    func standard() async throws {
        // given
        let rig = Rig(.json(403, #"{"title":"No."}"#, headers: ["Content-Type": Self.type]))
        let client = try Client.standard(
            baseURL: Rig.base, transport: rig.transport, logging: nil, options: rig.options)
        // then
        let failure = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        #expect(failure?.error(as: ProblemDetails.self)?.title == "No.")
    }

    @Test("without a type says nothing of looking it up")
    func noType() async throws {
        // given
        let rig = Rig(
            .status(400, headers: ["Content-Type": "application/problem+json"], body: #"{"title":"Bad input"}"#),
            .status(
                400, headers: ["Content-Type": "application/problem+json"],
                body: #"{"title":"Bad input","type":"https://a.example/problems/1"}"#))
        let client = try rig.standard(apiError: ProblemDetails.self)
        // when
        let plain = await #expect(throws: Failure.self) { try await client.get("a") as HTTP.Response }
        let typed = await #expect(throws: Failure.self) { try await client.get("a") as HTTP.Response }
        // then
        #expect(plain?.report.contains("problem type") == false)
        #expect(typed?.report.contains("Look up this problem type: https://a.example/problems/1") == true)
    }
}
