import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A secret of its own in every place that can carry one; none of them in any text that the library makes.
@Suite("Planted secrets", .limited)
struct PlantedSecretsTests {
    /// Each secret begins like this, and then says where it was planted.
    private static let mark = "SECRET"
    /// What only an app's own word makes a secret. It holds in all that is made for the call; a value that is printed
    /// by itself, such as a request, does not know of the call.
    private static let ownMark = "OWN"
    /// A value that nothing makes a secret, but that a dump of what holds it must not spread.
    private static let memberMark = "MEMBER"

    private struct Shop: ServiceError, CustomStringConvertible {
        let words: String
        var failureMessage: String? { words }
        var description: String { words }
    }

    private struct Odd: LocalizedError, CustomStringConvertible {
        var description: String { "it failed with token=SECRETother and https://ann:SECRETuser@a.example" }
        var errorDescription: String? { description }
    }

    /// Says more when it is in a dictionary that is printed.
    private struct Debugged: CustomStringConvertible, CustomDebugStringConvertible {
        var description: String { "odd" }
        var debugDescription: String { "odd, token=SECRETdebugged" }
    }

    private struct Account: Decodable, Sendable {
        let iban: Int
        let owner: String
    }

    /// An app's own error, thrown where a value is read.
    private struct Limit: Error, Equatable {
        let words: String
    }

    private struct Picky: Decodable, Sendable {
        init(from decoder: any Decoder) throws { throw Limit(words: "iban=OWNpicky, token=SECRETpicky") }
    }

    /// Objects of the system that carry secrets.
    private static func system(_ place: String) -> [String: Any] {
        var info: [String: Any] = [
            "credential": URLCredential(user: "ann", password: "SECRET\(place)L", persistence: .none)
        ]
        info["cookie"] = HTTPCookie(properties: [.name: "a", .value: "SECRET\(place)M", .domain: "a", .path: "/"])
        if let url = URL(string: "https://ann:SECRET\(place)N@a.example/?token=SECRET\(place)O") {
            var request = URLRequest(url: url)
            request.setValue("SECRET\(place)P", forHTTPHeaderField: "Authorization")
            request.httpBody = Data("SECRET".utf8)
            info["request"] = request
            info["response"] = answer(place)
        }
        return info
    }

    private static func answer(_ place: String) -> HTTPURLResponse? {
        URL(string: "https://a.example/?token=SECRET\(place)Q").flatMap { url in
            HTTPURLResponse(
                url: url, statusCode: 401, httpVersion: nil,
                headerFields: ["X-Auth-Token": "SECRET\(place)R and more", "Set-Cookie": "a=SECRET\(place)S"])
        }
    }

    /// Errors of the system, each with another behind it, and a list of them.
    private static var nested: NSError {
        func error(_ place: String, behind: [String: Any] = [:]) -> NSError {
            var info: [String: Any] = [
                NSLocalizedDescriptionKey: "GET https://ann:SECRET\(place)A@a.example/?token=SECRET\(place)B failed",
                NSURLErrorFailingURLErrorKey: URL(string: "https://ann:SECRET\(place)C@a.example/?sig=SECRET\(place)D")
                    as Any,
                "hints": ["password=SECRET\(place)E", ["api_key=SECRET\(place)F"]] as [Any],
                "headers": ["Authorization": "SECRET\(place)G", "Accept": "text/plain"],
                "resumeData": Data("SECRET".utf8), "odd": Debugged(),
                "https://a.example/?token=SECRET\(place)H": ["https://a.example/?token=SECRET\(place)I": 1],
                "urls": [URL(string: "https://a.example/?token=SECRET\(place)J"): 1],
                "old": NSDictionary(dictionary: ["Authorization": "SECRET\(place)K", "Accept": "text/plain"]),
            ]
            info.merge(system(place)) { $1 }
            info.merge(behind) { $1 }
            return NSError(domain: NSURLErrorDomain, code: -1004, userInfo: info)
        }
        let inmost = error("inmost")
        let middle = error("middle", behind: [NSUnderlyingErrorKey: inmost])
        return error(
            "outer", behind: [NSUnderlyingErrorKey: middle, "NSMultipleUnderlyingErrorsKey": [error("list"), Odd()]])
    }

    private static let words =
        "no: password=SECRETword, iban=OWNiban, see https://ann:SECRETinfo@a.example/?sig=SECRETsig"

    /// Errors that an interceptor may throw.
    private static let thrownErrors: [any Error] = [
        Shop(words: words), Odd(), Limit(words: words), TransportError(.refused, detail: words, underlying: nested),
        TransportError(.unknown, detail: words, underlying: Odd()), StatusError(409, detail: words),
        RequestError(.bodyUnreadable, words, underlying: nested), RejectionError("limit", words), nested,
        CocoaError(.fileReadUnknown, userInfo: nested.userInfo), POSIXError(.EIO, userInfo: nested.userInfo),
        TimeoutError(.attempt, after: .seconds(1)),
        DecodingFailure(
            Odd(), decoding: Account.self, from: Array(#"{"token":"SECRETbody"}"#.utf8), contentType: nil),
        DecodingError.dataCorrupted(
            .init(codingPath: [], debugDescription: "token=SECRETdebug", underlyingError: nested)),
        EncodingError.invalidValue("SECRETvalue", .init(codingPath: [], debugDescription: "token=SECRETdebug")),
        CancellationError(),
    ]

    private static func rig(_ step: ScriptedTransport.Step) throws -> (rig: Rig, client: Client, calls: Calls) {
        let rig = Rig(step.repeated())
        let calls = Calls()
        let client = try Client.standard(
            baseURL: "https://ann:SECRETbase@api.example.com/v1?token=SECRETquery", apiError: ProblemDetails.self,
            transport: rig.transport, logging: RequestLogging(.call, bodyLimit: 5000, curl: .always, to: rig.log),
            options: rig.options, handling: rig.handling
        ).withOptions { options in
            options.redaction = .standard.adding("iban")
            options.observers.append(calls)
            options.tracesInterceptors = true
            options.values[Tenant.self] = "SECRETvalue"
        }
        return (rig, client, calls)
    }

    private enum Tenant: CallKey { static let defaultValue = "" }

    private struct Login: JSONEndpoint {
        typealias Content = Account
        func makeRequest() throws -> HTTP.Request {
            try HTTP.Request(
                .put, "login?code=SECRETcode&iban=OWNitem",
                headers: ["DPoP": "SECRETdpop", "IBAN": "OWNheader", "X-Ticket": "SECRETticket"],
                body: .text(#"{"iban":"OWNjson","assertion":"SECRETassertion"}"#))
        }
    }

    /// All that the library can say about a failure, by name.
    private static func texts(_ failure: Failure, _ client: Client, _ calls: Calls, _ rig: Rig) -> [(String, String)] {
        var texts: [(String, String)] = [
            ("report", failure.report), ("explanation", failure.explanation), ("title", failure.message.title),
            ("message", failure.message.text), ("localized", failure.localizedDescription),
            ("localized NSError", (failure as NSError).localizedDescription), ("trace", failure.trace.text),
            ("trace JSON", failure.trace.json), ("log", rig.log.messages.joined(separator: "\n")),
            ("fingerprint", failure.fingerprint), ("report JSON", failure.jsonReport),
            ("JSON with details", failure.jsonReport(details: true)),
        ]
        let values: [(String, Any)] = [
            ("failure", failure), ("reason", failure.reason), ("values", failure.values),
            ("underlying", ownError(failure.underlying) as Any), ("asked", failure.originalRequest as Any),
            ("sent", failure.sentRequests), ("response", failure.receivedResponse as Any),
            ("headers", failure.response?.headers as Any), ("body", failure.request?.body as Any), ("client", client),
            ("options", client.options), ("calls", calls.all), ("context", CallContext(options: client.options)),
            ("problem", failure.error(as: ProblemDetails.self) as Any), ("trace", failure.trace),
            ("decoding", failure.decoding as Any), ("outcome", Outcome<Int>.unhandled(failure)),
            ("NSError", failure as NSError), ("nsError", failure.nsError),
        ]
        for (name, value) in values {
            texts.append(("print \(name)", "\(value)"))
            texts.append(("debug \(name)", String(reflecting: value)))
            texts.append(("dump \(name)", dumped(value)))
        }
        for (name, error) in [("NSError", failure as NSError), ("nsError", failure.nsError)] {
            var next: NSError? = error
            while let error = next {
                texts.append(("userInfo of \(name)", "\(error.userInfo) \(error.localizedDescription)"))
                next = error.userInfo[NSUnderlyingErrorKey] as? NSError
            }
        }
        return texts
    }

    /// An error of the package; the app's and the system's own print what they want.
    private static func ownError(_ error: any Error) -> (any Error)? {
        let isOwn = error is any FailureReasonConvertible && !(error is URLError)
        return isOwn || error is ProblemDetails ? error : nil
    }

    private static func check(_ failure: Failure, _ client: Client, _ calls: Calls, _ rig: Rig) {
        for (name, text) in texts(failure, client, calls, rig) {
            let value = String(name.split(separator: " ").last ?? "")
            var marks = [mark]
            if !["asked", "sent", "response", "headers", "underlying", "reason", "problem"].contains(value) {
                marks.append(ownMark)
            }
            if name.contains(" "), ["underlying", "reason", "problem", "values"].contains(value) {
                marks.append(memberMark)
            }
            for mark in marks {
                let found = text.range(of: mark).map { text[$0.lowerBound...].prefix(20) }
                #expect(found == nil, "\(name) of \(failure.code)")
            }
        }
        let behind = (failure as NSError).userInfo[NSUnderlyingErrorKey]
        #expect(behind is NSError, "\(failure.code)")
    }

    @Test("of an error that an interceptor throws come out nowhere, whatever its kind", arguments: thrownErrors.indices)
    func thrown(index: Int) async throws {
        // given
        let (rig, client, calls) = try Self.rig(.failure(Self.thrownErrors[index]))
        // when
        let failure = try #require(await client.perform(Login()) {}.failure)
        // then
        Self.check(failure, client, calls, rig)
        #expect(failure.report.contains("<redacted>"))
        #expect(calls.all.count == 1)
    }

    @Test(
        "of an answer come out nowhere, an app's own words included",
        arguments: [
            (200, #"{"iban":"OWNiban","owner":"ann"}"#), (200, #"{"owner":"ann","IBAN":"OWNiban"}"#),
            (200, #"{"iban":1,"owner":{"iban":"OWNiban"}}"#), (200, #"{"iban":"OWNiban","#),
            (200, #"<html><title>iban=OWNtitle</title><iban>OWNfield</iban>"#),
            (200, "iban=OWNplain"), (200, #"{"a":[{"iban":["OWNa"#), (404, #"{"iban":"OWNiban"}"#),
            (
                422,
                #"{"type":"https://a.example/?sig=SECRETsig","title":"iban=OWNtitle","detail":"password=SECRETdetail","instance":"/a?token=SECRETi","card":"MEMBERcard","nested":{"a":["MEMBERdeep"]}}"#
            ),
        ])
    func answers(status: Int, body: String) async throws {
        // given
        let type = status == 422 ? "application/problem+json" : "application/json"
        let headers: HTTP.Headers = [
            "Content-Type": "\(type)", "Location": "/a?iban=OWNlocation&code=SECRETcode", "Iban": "OWNheader",
        ]
        let (rig, client, calls) = try Self.rig(
            .respond { _, context in
                context.note("seen", "iban=OWNnote, token=SECRETnote")
                return HTTP.Response(
                    status: status, headers: headers, body: Data(body.utf8),
                    url: URL(string: "https://a.example/?code=SECRETurl"))
            })
        // when
        let failure = try #require(await client.perform(Login()) {}.failure)
        // then
        Self.check(failure, client, calls, rig)
    }

    @Test("of an error of the app's own, thrown while a value is read, come out nowhere; the error is reachable")
    func ownErrors() async throws {
        // given
        let (rig, client, calls) = try Self.rig(.json(200, "{}"))
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.get("a", as: Picky.self) })
        // then
        #expect(failure.code == "decoding")
        #expect(failure.error(as: Limit.self) == Limit(words: "iban=OWNpicky, token=SECRETpicky"))
        Self.check(failure, client, calls, rig)
    }

    private struct Unmade: JSONEndpoint {
        typealias Content = Account
        func makeRequest() throws -> HTTP.Request { throw PlantedSecretsTests.nested }
    }

    private struct Unread: Decodable, Sendable {
        init(from decoder: any Decoder) throws { throw PlantedSecretsTests.nested }
    }

    @Test("of a system's error, thrown while a request is made or a value is read, come out nowhere")
    func systemErrors() async throws {
        let (rig, client, calls) = try Self.rig(.json(200, "{}"))
        let unmade = try #require(await #expect(throws: Failure.self) { try await client.send(Unmade()) })
        #expect(unmade.code == "request.invalid")
        Self.check(unmade, client, calls, rig)
        let unread = try #require(await #expect(throws: Failure.self) { try await client.get("a", as: Unread.self) })
        #expect(unread.code == "decoding")
        Self.check(unread, client, calls, rig)
    }

    private struct Unwrapped: JSONEndpoint {
        typealias Content = Int
        typealias Root = [String: Int]
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "a") }
        func content(from root: [String: Int]) throws -> Int { throw Limit(words: "empty") }
    }

    @Test("an error of the app's own, thrown while content is taken out, and the decoder's are reachable")
    func reachable() async throws {
        let (_, client, _) = try Self.rig(.json(200, #"{"a":1}"#))
        let own = try #require(await #expect(throws: Failure.self) { try await client.send(Unwrapped()) })
        #expect(own.error(as: Limit.self) == Limit(words: "empty"))
        let decoders = try #require(await #expect(throws: Failure.self) { try await client.get("a", as: Int.self) })
        let error = try #require(decoders.error(as: DecodingError.self))
        guard case .typeMismatch = error else {
            Issue.record("\(error)")
            return
        }
        #expect(decoders.error(as: DecodingFailure.self)?.kind == .typeMismatch)
    }

    @Test("a system's error keeps domain and code, at every depth, and what is no secret")
    func nestedErrors() throws {
        let failure = Failure(TransportError(.refused, underlying: Self.nested))
        var error: NSError? = failure.nsError
        var depth = 0
        while let next = error {
            depth += 1
            #expect(next.domain == NSURLErrorDomain)
            #expect(next.code == -1004)
            #expect((next.userInfo["headers"] as? [String: String])?["Accept"] == "text/plain")
            #expect(next.localizedDescription == "GET https://<redacted>@a.example/?token=<redacted> failed")
            error = next.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        #expect(depth == 3)
        #expect((failure.nsError.userInfo["NSMultipleUnderlyingErrorsKey"] as? [Any])?.count == 2)
    }

    @Test("a header that says whether credentials may be sent is shown")
    func credentialsHeader() {
        let headers: HTTP.Headers = ["Access-Control-Allow-Credentials": "true, really", "X-Credentials": "SECRET"]
        #expect(
            headers.lines(.standard) == [
                "Access-Control-Allow-Credentials: true, really", "X-Credentials: <redacted>",
            ])
    }
}

/// Keeps the finished calls.
private final class Calls: CallObserver {
    /// The calls so far, guarded by the lock.
    private let calls = Lock<[FinishedCall]>([])

    var all: [FinishedCall] { calls.withLock { $0 } }

    func callFinished(_ call: FinishedCall) {
        calls.withLock { $0.append(call) }
    }
}
