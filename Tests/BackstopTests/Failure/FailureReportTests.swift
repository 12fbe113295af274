import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A printed failure", .limited)
struct FailureReportTests {
    private static func failure(
        _ steps: ScriptedTransport.Step..., request: @escaping @Sendable () throws -> HTTP.Request
    ) async throws -> Failure {
        let client = try Rig(steps: steps).standard()
        return try #require(await #expect(throws: Failure.self) { try await client.send(RawEndpoint(request)) })
    }

    private static func bookFailure(_ steps: ScriptedTransport.Step...) async throws -> Failure {
        let client = try Rig(steps: steps).standard()
        let endpoint = BookEndpoint(target: "books/1?token=hunter2&page=2")
        return try #require(await #expect(throws: Failure.self) { try await client.send(endpoint) })
    }

    @Test(
        "has a line for everything that is known, of every kind of failure", arguments: FailureSamples.all.map(\.name))
    func samples(name: String) throws {
        // given
        let failure = try #require(FailureSamples.failure(name))
        // when
        let report = "\(failure)"
        let lines = report.split(separator: "\n")
        // then
        #expect(report == failure.report)
        #expect(String(reflecting: failure) == report)
        #expect(lines.first?.hasPrefix("\(failure.code): ") == true)
        #expect(lines.contains { $0.hasPrefix("  request:  ") })
        #expect(lines.contains { $0.hasPrefix("  response: ") })
        #expect(lines.filter { $0.contains(". \(failure.code) in ") }.count == failure.attempts.count)
        #expect(lines.contains("  stopped:  \(failure.stopReason)"))
        if let request = failure.request {
            #expect(report.contains("  request:  \(request.method) \(request.url)"))
            #expect(report.contains("Authorization: <redacted>"))
        }
        if let response = failure.response {
            #expect(report.contains("  response: \(response.status) "))
            #expect(report.contains("\(response.bodySize) bytes"))
        }
        if case .decoding(let decoding) = failure.reason {
            #expect(report.contains("  where:    \(decoding.path)"))
            #expect(report.contains("  expected: \(decoding.expected)"))
            #expect(report.contains("  found:    \(decoding.found)"))
        }
        let needsNoStep = failure.isCancelled
        #expect(lines.contains { $0.hasPrefix("  next:     ") } == !needsNoStep)
        #expect(!hasControls(report))
        #expect(report.count < 20_000)
    }

    @Test("shows a status failure with URL, status, content type, size and body")
    func status() async throws {
        // when
        let failure = try await Self.bookFailure(.json(422, #"{"field":"title","problem":"is empty"}"#))
        // then
        #expect(
            failure.report == """
                status.422: The server answered 422 Unprocessable Content.
                  call:     BookEndpoint
                  request:  GET https://api.example.com/v1/books/1?token=<redacted>&page=2
                            Accept: application/json
                  response: 422 Unprocessable Content, application/json, 38 bytes
                            Content-Type: application/json
                            body: {"field":"title","problem":"is empty"}
                  where:    in the head of the response
                  attempts: 1. status.422 in 0 ms
                  stopped:  retrying would not fix this failure
                  next:     Correct the request: the response says what the server does not accept.
                """)
    }

    @Test("shows each attempt with its wait and the reason for it")
    func attempts() async throws {
        // when
        let failure = try await Self.bookFailure(
            .status(503, headers: ["Retry-After": "2"]), .failure(TransportError(.lost, phase: .waiting)),
            .delay(.seconds(1), then: .status(504)))
        // then
        #expect(failure.code == "status.504")
        #expect(
            failure.report.contains(
                """
                  attempts: 1. status.503 in 0 ms
                            2. transport.lost in 0 ms after a wait of 2 s (Retry-After)
                            3. status.504 in 1 s after a wait of 500 ms (backoff)
                  stopped:  all 3 attempts were used
                """))
    }

    @Test("shows a decoding failure with URL, status, content type, path, expected and found")
    func decoding() async throws {
        // when
        let failure = try await Self.bookFailure(.json(200, #"{"id":"one","title":"Dune"}"#))
        // then
        for line in [
            "decoding: The content could not be read: $.id should be ",
            "  request:  GET https://api.example.com/v1/books/1?",
            "  response: 200 OK, application/json, 27 bytes", "  where:    $.id, at byte 6", "  expected: ", "(Int)",
            #"  found:    string "one""#, #"  excerpt:  {"id":"one","title":"Dune"}"#, "  next:     ",
        ] {
            #expect(failure.report.contains(line))
        }
    }

    @Test("calls a sign-in page a sign-in page")
    func signIn() async throws {
        // given
        let page = """
            <!DOCTYPE html><html><head><title>Sign in &amp; go</title></head>
            <body><form><input type="password" value="hunter2"></form></body></html>
            """
        // when
        let failure = try await Self.bookFailure(.status(200, headers: ["Content-Type": "text/html"], body: page))
        // then
        #expect(failure.decoding?.kind == .html)
        #expect(failure.report.contains("titled \"Sign in & go\", probably a sign-in page"))
        #expect(failure.report.contains("  response: 200 OK, text/html, \(page.utf8.count) bytes"))
        #expect(failure.report.contains("next:     Check whether the session has ended, and whether the network"))
        #expect(failure.message.suggestion == "Please check whether your network asks you to sign in.")
        #expect(!failure.report.contains("hunter2"))
    }

    @Test("says that nothing was sent when the request could not be made")
    func unsent() async throws {
        let failure = try await Self.failure { try HTTP.Request(.get, "//evil.example") }
        #expect(failure.report.contains("request.invalidURL: The request could not be created: "))
        #expect(failure.report.contains("request:  nothing was sent"))
        #expect(failure.report.contains("response: no response"))
    }

    @Test("shows what was sent: headers, and the beginning of the body")
    func sent() async throws {
        // when
        let failure = try await Self.failure(.status(400)) {
            try HTTP.Request(
                .post, "login", headers: ["Content-Type": "application/json", "X-A": "1"],
                body: .text(#"{"user":"ann","password":"hunter2"}"#))
        }
        // then
        #expect(failure.report.contains("request:  POST https://api.example.com/v1/login"))
        #expect(failure.report.contains("X-A: 1"))
        #expect(failure.report.contains(#"body: 35 bytes: {"user":"ann","password":"<redacted>"}"#))
    }

    @Test("keeps what a server says short and on one line")
    func hostileReason() async throws {
        // given
        let reason = #"No.\u001b[2J\n  response: forged"# + String(repeating: "x", count: 100_000)
        // when
        let failure = try await Self.bookFailure(.json(400, #"{"error":true,"reason":"\#(reason)"}"#))
        // then
        #expect(failure.report.hasPrefix("service.SignUpError: SignUpError: No."))
        #expect(!failure.report.contains("\n  response: forged"))
        #expect(!hasControls(failure.report))
        #expect(failure.report.count < 20_000)
    }

    @Test("keeps the texts of other errors short and on one line")
    func hostileErrors() {
        // given
        struct Long: Error, CustomStringConvertible {
            var description = "a\n  request:  forged\u{1B}[2J" + String(repeating: "x", count: 100_000)
        }
        let text = Long().description
        let errors: [any Error] = [
            Long(), TransportError(.unknown, detail: text), RequestError(.invalid, text), RejectionError("limit", text),
            StatusError(404, detail: text),
        ]
        for error in errors {
            // when
            let report = Failure(error).report
            // then
            #expect(!hasControls(report))
            #expect(report.count < 5000)
            #expect(report.split(separator: "\n").filter { $0.hasPrefix("  request:") }.count == 1)
        }
    }
}
