import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// "hunter2" stands wherever a secret can be, and must not come out anywhere.
@Suite("Secrets", .limited)
struct SecretsTests {
    private static let secret = "hunter2"

    private static let request: @Sendable () throws -> HTTP.Request = {
        var request = try HTTP.Request(
            .put, "https://ann:hunter2@api.example.com/login?access_token=hunter2&page=2#id_token=hunter2",
            headers: [
                "Authorization": "Bearer hunter2", "Cookie": "session=hunter2", "Proxy-Authorization": "Basic hunter2",
                "X-API-Key": "hunter2", "Idempotency-Key": "hunter2",
                "Referer": "https://ann:hunter2@a.example/?token=hunter2",
                "Content-Type": "application/json",
            ])
        request.body = .text(
            #"{"user":"ann","password":"hunter2","nested":{"client_secret":["hunter2"]},"pin":"hunter2"}"#)
        return request
    }

    private static func step(_ status: Int, _ body: String) -> ScriptedTransport.Step {
        .respond { _, context in
            context.note("redirect", "302 to https://ann:hunter2@a.example/in?token=hunter2\n\u{1B}[2J")
            return HTTP.Response(
                status: status,
                headers: [
                    "Set-Cookie": "session=hunter2; Path=/", "Location": "https://ann:hunter2@a.example/?token=hunter2",
                    "X-Auth-Token": "hunter2", "Content-Type": "application/json",
                ],
                body: Data(body.utf8),
                url: URL(string: "https://ann:hunter2@a.example/in?token=hunter2#access_token=hunter2"))
        }
    }

    private static let bodies = [
        (404, #"{"user":"ann","password":"hunter2","tokens":[{"refresh_token":"hunter2"}]}"#),
        (404, #"{"password":"hunter2"#), (404, "user=ann&password=hunter2"),
        (404, "Authorization: Bearer hunter2hunter2"),
        (200, #"{"id":"one","title":"Dune","apiKey":"hunter2"}"#), (200, #"{"id":1,"titel":"x","secret":"hunter2"}"#),
        (200, #"{"password":"hunter2","id":"#), (200, #"<html><input type="password" value="hunter2"></html>"#),
        (200, #"{"error":1,"reason":"x","password":"hunter2"}"#), (503, #"{"password":"hunter2"}"#),
    ]

    private struct Login: JSONEndpoint {
        typealias Content = Book
        func makeRequest() throws -> HTTP.Request { try SecretsTests.request() }
    }

    /// An interceptor that keeps a token.
    private struct TokenInterceptor: HTTP.Interceptor {
        let token = "hunter2"
        var role: Role { .custom("token") }
        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response { try await next(request) }
    }

    @Test("come out neither of a query, nor of a chain and its transport")
    func parts() throws {
        // given
        let query: HTTP.Query = ["token": "hunter2", "page": 2, "all": HTTP.Query.nameOnly]
        let client = try Client(baseURL: Rig.base) { TokenInterceptor() }
        // then
        #expect("\(query)" == "token=<redacted>&page=2&all")
        for value in [query, client, client.chain, URLSessionTransport()] as [Any] {
            #expect(!"\(value) \(String(reflecting: value)) \(dumped(value))".contains("hunter2"))
        }
        #expect(!dumped(client.chain).contains("URLSessionConfiguration"))
    }

    @Test("come out nowhere, whatever fails and however it is printed", arguments: bodies)
    func nowhere(status: Int, body: String) async throws {
        // given
        let rig = Rig(Self.step(status, body).repeated())
        let client = try rig.standard(bodyLimit: 5000, curl: .always).withOptions { $0.tracesInterceptors = true }
        // when
        let outcome = await DefaultHandlers.withHandlers {
        } operation: {
            await client.perform(Login())
        }
        let failure = try #require(outcome.failure)
        // then
        let texts = try [
            failure.description, failure.debugDescription, dumped(failure), "\(failure)", String(reflecting: failure),
            failure.localizedDescription, failure.explanation, failure.code, failure.trace.text, failure.trace.json,
            rig.log.messages.joined(separator: "\n"), "\((failure as NSError).userInfo)", "\(failure as NSError)",
            "\(failure.nsError) \(failure.nsError.userInfo)", "\(failure.message)", dumped(outcome),
            dumped(#require(failure.request)), dumped(#require(failure.response)), "\(#require(failure.request))",
        ]
        for (index, text) in texts.enumerated() {
            #expect(!text.contains(Self.secret), "text \(index)")
            #expect(!text.isEmpty, "text \(index)")
        }
        #expect(rig.log.entries.count == 2)
        #expect(failure.report.contains("<redacted>"))
        #expect(failure.trace.text.contains("302 to https://<redacted>@a.example/in?token=<redacted>"))
        #expect(!hasControls(failure.trace.text))
    }

    @Test("are all in the report that is asked for by name")
    func unredacted() async throws {
        // given
        let rig = Rig(Self.step(404, #"{"password":"hunter2"}"#))
        let client = try rig.standard()
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(Login()) })
        // then
        for text in [
            "ann:hunter2@api.example.com/login?access_token=hunter2", "Authorization: Bearer hunter2",
            "Cookie: session=hunter2", #""password":"hunter2","nested""#, "Set-Cookie: session=hunter2",
            "Location: https://ann:hunter2@a.example/?token=hunter2", #"body: {"password":"hunter2"}"#,
        ] {
            #expect(failure.unredactedReport.contains(text))
        }
    }

    @Test("do not come out of the system's error, which carries the URL")
    func systemError() async throws {
        // given
        let url = "https://ann:hunter2@api.example.com/?token=hunter2"
        let system = URLError(
            .cannotConnectToHost,
            userInfo: [
                NSURLErrorFailingURLErrorKey: URL(string: url) as Any, "NSErrorFailingURLStringKey": url,
                NSLocalizedDescriptionKey: "Could not connect to the server.",
            ])
        let rig = Rig(.failure(TransportError(.refused, detail: "No route to \(url)", underlying: system)).repeated())
        let client = try rig.standard()
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(Login()) })
        // then
        let behind = try #require((failure as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)
        for error in [failure.nsError, behind] {
            #expect(error.domain == NSURLErrorDomain)
            #expect(error.code == URLError.Code.cannotConnectToHost.rawValue)
            #expect(error.localizedDescription == "Could not connect to the server.")
            #expect(!"\(error) \(error.userInfo)".contains(Self.secret))
        }
        #expect(!"\(failure) \((failure as NSError).userInfo)".contains(Self.secret))
    }

    @Test("do not come out of errors about the request")
    func requestErrors() async throws {
        // given
        let rig = Rig()
        let client = try rig.standard()
        // when
        for target in ["//ann:hunter2@a.example/?token=hunter2", "ftp://ann:hunter2@a.example", "../x?token=hunter2"] {
            let failure = try #require(
                await #expect(throws: Failure.self) { try await client.get(target) as HTTP.Response })
            // then
            #expect(failure.code == "request.invalidURL")
            #expect(!"\(failure) \(failure.underlying) \((failure as NSError).userInfo)".contains(Self.secret))
        }
        #expect(!rig.log.messages.joined().contains(Self.secret))
    }

    private struct Secretive: Encodable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                "hunter2", .init(codingPath: [], debugDescription: "It cannot be encoded."))
        }
    }

    @Test("do not come out of a value that cannot be encoded")
    func encoding() async throws {
        // given
        let client = try Rig().standard()
        // when
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.post("a", json: Secretive()) as HTTP.Response })
        // then
        #expect(failure.code == "request.encoding")
        let texts = ["\(failure)", dumped(failure), "\((failure as NSError).userInfo)", "\(failure.nsError)"]
        #expect(!texts.joined().contains(Self.secret))
    }
}
