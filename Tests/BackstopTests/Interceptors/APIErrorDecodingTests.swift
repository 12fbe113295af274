import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("API error decoding", .limited)
struct APIErrorDecodingTests {
    /// How often the decoder of `CountedError` was asked for, in one test at a time.
    private enum Counter {
        @TaskLocal static var log = RecordingLog()
    }

    private struct CountedError: APIError {
        static let identifyingKeys = ["error", "reason"]
        static var decoder: JSONDecoder {
            Counter.log.write(LogEntry(.debug, "decoder"))
            return JSONDecoder()
        }
        let reason: String
    }

    private struct KeylessError: APIError {
        static let identifyingKeys: [String] = []
        let reason: String
    }

    private struct CodedError: APIError {
        static let identifyingKeys = ["error_code"]
        static var decoder: JSONDecoder {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        }
        let errorCode: String
        var failureCode: String { errorCode }
        var isTransient: Bool? { errorCode == "busy" }
    }

    private static let body = #"{"error":true,"reason":"Username is too short."}"#

    private struct EverywhereError: APIError {
        static let identifyingKeys = ["code", "message"]
        static let comesWithSuccess = true
        let message: String
    }

    private struct MessageError: APIError {
        static let identifyingKeys = ["message"]
        let message: String
    }

    private struct PlainError: APIError {
        static let identifyingKeys = ["error_code"]
        let errorCode: String
        var failureCode: String { errorCode }
    }

    @Test("reads the error with the client's decoder, unless it has its own, and says in the report if it cannot")
    func clientDecoder() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let transport = ScriptedTransport(.json(422, #"{"error_code":"soldOut"}"#).repeated())
        for (decoder, code) in [(decoder, "service.soldOut"), (nil, "status.422")] {
            let client = try Client.standard(
                baseURL: "https://api.example.com", apiError: PlainError.self, transport: transport, logging: nil,
                decoder: decoder)
            let failure = await client.result(of: .get("a", as: String.self)).failure
            #expect(failure?.code == code)
            #expect(failure?.report.contains("apiError: looks like PlainError, but is not") == (decoder == nil))
        }
        // and those whose members have names of their own do not change
        let problem = #"{"type":"about:blank","invalid_params":1}"#
        let client = try Client.standard(
            baseURL: "https://api.example.com", apiError: ProblemDetails.self,
            transport: ScriptedTransport(
                .status(422, headers: ["Content-Type": "application/problem+json"], body: problem)),
            logging: nil, decoder: decoder)
        let details = await client.result(of: .get("a")).failure?.error(as: ProblemDetails.self)
        #expect(details?.extensions["invalid_params"]?.int == 1)
    }

    @Test("whose code repeats what was sent as a secret is not written anywhere")
    func secretCode() async throws {
        // given
        let log = RecordingLog()
        let transport = ScriptedTransport(.json(400, #"{"error_code":"bad_hunter2battery"}"#))
        let client = try Client.standard(
            baseURL: "https://api.example.com", apiError: CodedError.self, transport: transport,
            logging: RequestLogging(.call, to: log))
        // when
        let failure = await #expect(throws: Failure.self) {
            try await client.post("login", json: ["password": "hunter2battery"])
        }
        // then
        #expect(failure?.code == "service.bad_hunter2battery")
        #expect(failure?.report.contains("hunter2") == false)
        #expect(failure.map { "\($0) \($0.logLine) \($0.logFields)".contains("hunter2") } == false)
        #expect(log.entries.count == 1)
        #expect("\(log.entries.map { "\($0.message) \($0.fields)" })".contains("hunter2") == false)
    }

    @Test("leaves a success alone that has the keys of the error", arguments: [200, 201, 202, 299])
    func success(status: Int) async throws {
        // given
        let body = #"{"id":1,"message":"Your order is on its way."}"#
        let rig = Rig(.json(status, body))
        // when
        let order = try await rig.standard(apiError: MessageError.self).post("orders", as: [String: JSONValue].self)
        // then
        #expect(order["id"] == 1)
        #expect(rig.observer.calls.first?.trace.events.filter { $0.kind == .note }.isEmpty == true)
    }

    @Test("finds the error in a success where its type says that it comes there")
    func comesWithSuccess() async throws {
        let client = try Rig(.json(200, #"{"code":7,"message":"Sold out."}"#)).standard(apiError: EverywhereError.self)
        let failure = await #expect(throws: Failure.self) { try await client.get("a") as HTTP.Response }
        #expect(failure?.error(as: EverywhereError.self)?.message == "Sold out.")
    }

    @Test("throws the error whatever the status of a refusal is", arguments: [302, 400, 401, 404, 422, 501])
    func anyStatus(status: Int) async throws {
        // given
        let client = try Rig(.json(status, Self.body)).standard()
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) })
        // then
        #expect(failure.code == "service.SignUpError")
        #expect(failure.error(as: SignUpError.self) == SignUpError(error: true, reason: "Username is too short."))
        #expect(failure.statusCode == status)
        #expect(failure.response?.body == Data(Self.body.utf8))
        #expect(failure.message.text == "Username is too short.")
        #expect(failure.attempts.count == 1)
    }

    @Test("reads the error whatever the content type says, and tries again where the status may pass")
    func transient() async throws {
        // given
        let headers: HTTP.Headers = ["Retry-After": "4", "Content-Type": "text/plain"]
        let rig = Rig(.json(503, Self.body, headers: headers), .json(200, Book.json))
        // when
        let book = try await rig.standard().send(BookEndpoint())
        // then
        #expect(book == .dune)
        #expect(rig.clock.sleeps == [.seconds(4)])
        let attempts = try #require(rig.observer.calls.first?.trace.attempts)
        #expect(attempts.map(\.result) == [.failed(code: "service.SignUpError"), .ok])
        #expect(attempts.last?.waitReason == "Retry-After")
    }

    @Test("lets the error itself say whether it may pass", arguments: [("busy", 400, 2), ("denied", 503, 1)])
    func ownTransience(code: String, status: Int, requests: Int) async throws {
        // given
        let rig = Rig(.json(status, #"{"error_code":"\#(code)"}"#), .json(404, #"{"error_code":"denied"}"#))
        let client = try rig.standard(apiError: CodedError.self)
        // when
        _ = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        // then
        #expect(rig.transport.requests.count == requests)
    }

    @Test("neither changes nor decodes a good response")
    func goodResponse() async throws {
        // given
        let json = #"{"id":1,"title":"Dune","error":null,"nested":{"reason":"x"}}"#
        let rig = Rig(.json(200, json, headers: ["X-A": "1"]))
        try await Counter.$log.withValue(RecordingLog()) {
            // when
            let response = try await rig.standard(apiError: CountedError.self).get("a")
            // then
            #expect(response.body == Data(json.utf8))
            #expect(response.headers["X-A"] == "1")
            #expect(Counter.log.entries.isEmpty)
        }
    }

    @Test("decodes an error once")
    func once() async throws {
        // given
        let client = try Rig(.json(422, Self.body)).standard(apiError: CountedError.self)
        await Counter.$log.withValue(RecordingLog()) {
            // when
            await #expect(throws: Failure.self) { try await client.get("a") as HTTP.Response }
            // then
            #expect(Counter.log.entries.count == 1)
        }
    }

    @Test(
        "does not take for an error what has the keys elsewhere than at the top",
        arguments: [
            #"{"data":{"error":true,"reason":"x"}}"#, #"[{"error":true,"reason":"x"}]"#,
            #"{"error":true,"data":{"reason":"x"}}"#,
            #"{"text":"\"error\":true,\"reason\":1"}"#, #"{"Error":true,"Reason":"x"}"#, "\"error reason\"", "",
            "<error reason>",
            "{}", "null",
        ])
    func elsewhere(json: String) async throws {
        // given
        let rig = Rig(.json(404, json))
        // when
        let failure = await #expect(throws: Failure.self) { try await rig.standard().get("a") as HTTP.Response }
        // then
        #expect(failure?.code == "status.404")
        #expect(failure?.trace.events.filter { $0.kind == .note }.isEmpty == true)
    }

    @Test("lets a body go on that looks like the error and is not, with a note in the trace")
    func undecodable() async throws {
        // given
        let rig = Rig(
            .json(401, #"{"error":1,"reason":[]}"#))
        let client = try rig.standard()
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) })
        // then
        #expect(failure.code == "status.401")
        let notes = rig.observer.calls.map { $0.trace.events.filter { $0.kind == .note } }
        #expect(notes.map { $0.map(\.name) } == [["apiError"]])
        #expect(notes.first?.first?.text.hasPrefix("looks like SignUpError, but is not: ") == true)
        #expect(notes.first?.first?.text.contains("$.error should be") == true)
        #expect(failure.trace.text.contains("looks like SignUpError"))
    }

    @Test("hides the app's own words in the note about what is not the error")
    func noteIsRedacted() async throws {
        // given
        let rig = Rig(.json(401, #"{"error":"OWNiban","reason":[]}"#))
        let client = try rig.standard().withOptions { $0.redaction = .standard.adding("error") }
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) })
        // then
        #expect(failure.trace.text.contains("looks like SignUpError"))
        #expect(!failure.trace.text.contains("OWNiban"))
    }

    @Test("finds nothing when the type names no keys")
    func keyless() async throws {
        let client = try Rig(.json(404, Self.body)).standard(apiError: KeylessError.self)
        let failure = await #expect(throws: Failure.self) { try await client.get("a") as HTTP.Response }
        #expect(failure?.code == "status.404")
    }

    @Test("uses the decoder and the code of the error's type")
    func decoder() async throws {
        let client = try Rig(.json(409, #"{"error_code":"soldOut"}"#)).standard(apiError: CodedError.self)
        let failure = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        #expect(failure?.code == "service.soldOut")
    }

    @Test("keeps a code that the server chose short and on one line")
    func hostileCode() async throws {
        // given
        let code = #"sold\nout\u001b[2J"# + String(repeating: "x", count: 10_000)
        let rig = Rig(.json(409, #"{"error_code":"\#(code)"}"#))
        let client = try rig.standard(apiError: CodedError.self)
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) })
        // then
        #expect(failure.code.hasPrefix("service.sold"))
        #expect(failure.code.count < 200)
        #expect(!hasControls(failure.code))
        #expect(!failure.code.contains("\n"))
        #expect(rig.log.messages.first?.contains("\n") == false)
    }

    @Test("shows the response that the error was read of, as an interceptor inside had changed it")
    func changedInside() async throws {
        // given
        let rig = Rig(.json(422, "{}"))
        let body = #"{"error":true,"reason":"No."}"#
        let client = try rig.client {
            APIErrorDecoding(SignUpError.self)
            ClosureInterceptor { request, _, next in
                var response = try await next(request)
                response.body = Data(body.utf8)
                return response
            }
        }
        // when
        let failure = await #expect(throws: Failure.self) { try await client.get("a") as HTTP.Response }
        // then
        #expect(failure?.error(as: SignUpError.self)?.reason == "No.")
        #expect(failure?.response?.body == Data(body.utf8))
    }
}
