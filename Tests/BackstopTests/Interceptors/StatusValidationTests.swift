import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Status validation", .limited)
struct StatusValidationTests {
    private static func answer(
        _ step: ScriptedTransport.Step, _ validation: StatusValidation
    ) async throws -> Result<HTTP.Response, Failure> {
        let client = try Rig(step).client { validation }
        do throws(Failure) {
            return .success(try await client.get("a"))
        } catch {
            return .failure(error)
        }
    }

    @Test(
        "accepts 200 to 299 unless it is told otherwise",
        arguments: [
            (200, true), (204, true), (299, true), (100, false), (199, false), (300, false), (304, false), (400, false),
            (401, false), (404, false), (422, false), (500, false), (599, false), (999, false),
        ])
    func standard(status: Int, isAccepted: Bool) async throws {
        // when
        let result = try await Self.answer(.status(status), StatusValidation())
        // then
        switch result {
        case .success(let response):
            #expect(isAccepted)
            #expect(response.status == status)
        case .failure(let failure):
            #expect(!isAccepted)
            #expect(failure.code == "status.\(status)")
            #expect(failure.response?.status == status)
        }
    }

    @Test(
        "accepts the range that it is given",
        arguments: [(199, false), (200, true), (304, true), (399, true), (400, false)])
    func range(status: Int, isAccepted: Bool) async throws {
        let result = try await Self.answer(.status(status), StatusValidation(accepting: 200..<400))
        #expect(((try? result.get()) != nil) == isAccepted)
    }

    @Test(
        "is the advice where the body of an error was decoded",
        arguments: [
            (404, "Have StatusValidation refuse the status 404: this is the body of an error, not the content."),
            (200, "Make the property optional, or have the server send the value."),
        ])
    func advice(status: Int, expected: String) async throws {
        struct Book: Decodable, Sendable { let id: Int }
        let client = try Rig(.json(status, #"{"message":"no such book"}"#)).client {
            Decoding()
            StatusValidation { _ in true }
        }
        let failure = await #expect(throws: Failure.self) {
            try await client.get("a", as: Book.self)
        }
        #expect(failure?.report.hasSuffix("next:     \(expected)") == true)
    }

    @Test("is not needed for the body of an error to be no content", arguments: [true, false])
    func unjudged(decodesInside: Bool) async throws {
        struct Book: Decodable, Sendable { let title: String? }
        struct Books: JSONEndpoint {
            typealias Content = Book
            func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "a") }
        }
        struct Ping: EmptyEndpoint {
            func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "a") }
        }
        func client(_ status: Int) throws -> Client {
            try Rig(.json(status, "{}").repeated()).client {
                if decodesInside {
                    Decoding()
                }
            }
        }
        // then: it fails where the content is decoded, or ignored
        for status in [400, 404, 503] {
            let client = try client(status)
            #expect(await client.result(of: .get("a", as: Book.self)).failure?.code == "status.\(status)")
            #expect(await client.result(of: .get("a", as: String.self)).failure?.code == "status.\(status)")
            #expect(await client.result(of: Books()).failure?.code == "status.\(status)")
            #expect(await client.result(of: Ping()).failure?.code == "status.\(status)")
            // and not where the response is what was asked for
            #expect(try await client.get("a").status == status)
        }
        #expect(try await client(399).get("a", as: Book.self).title == nil)
        // and not where the chain accepts it
        let lenient = try Rig(.json(404, "{}")).client {
            Decoding()
            StatusValidation(accepting: 200..<500)
        }
        #expect(try await lenient.get("a", as: Book.self).title == nil)
    }

    @Test(
        "also judges what an interceptor outside of it answers, or makes of its response",
        arguments: [302, 401, 503], [true, false])
    func answeredOutside(status: Int, asks: Bool) async throws {
        struct Book: Decodable, Sendable { let title: String? }
        struct Ping: EmptyEndpoint {
            func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "a") }
        }
        let outside = ClosureInterceptor { request, context, next in
            var response = asks ? try await next(request) : HTTP.Response(status: status, body: Data("{}".utf8))
            response.status = status
            return response
        }
        let chains: [[any HTTP.Interceptor]] = [
            [outside, Decoding(), StatusValidation()], [Decoding(), outside, StatusValidation()],
            [outside, StatusValidation()],
        ]
        for chain in chains {
            let client = try Rig(.json(200, "{}").repeated()).client {
                for interceptor in chain { interceptor }
            }
            #expect(await client.result(of: .get("a")).failure?.code == "status.\(status)")
            #expect(await client.result(of: .get("a", as: Book.self)).failure?.code == "status.\(status)")
            #expect(await client.result(of: .get("a", as: String.self)).failure?.code == "status.\(status)")
            #expect(await client.result(of: Ping()).failure?.code == "status.\(status)")
        }
    }

    @Test("leaves alone what it has judged and an interceptor outside of it knows, and what it would accept")
    func knownOutside() async throws {
        struct Book: Decodable, Sendable { let title: String? }
        let recovering = ClosureInterceptor { request, context, next in
            do {
                return try await next(request)
            } catch let error as StatusError where error.code == 404 {
                return try #require(error.response as? HTTP.Response)
            }
        }
        let client = try Rig(.json(404, "{}").repeated()).client {
            recovering
            Decoding()
            StatusValidation()
        }
        #expect(try await client.get("a").status == 404)
        #expect(try await client.get("a", as: Book.self).title == nil)
        let lenient = try Rig(.json(200, "{}").repeated()).client {
            ClosureInterceptor { _, _, _ in HTTP.Response(status: 404) }
            StatusValidation(accepting: 200..<500)
        }
        #expect(try await lenient.get("a").status == 404)
    }

    @Test("leaves alone a refusal of the server that others have turned into an error of their own and back")
    func ownError() async throws {
        struct Own: Error { let response: HTTP.Response }
        let client = try Rig(.json(422, "{}")).client {
            ClosureInterceptor { request, _, next in
                do {
                    return try await next(request)
                } catch let error as Own {
                    return error.response
                }
            }
            StatusValidation()
            ClosureInterceptor { request, _, next in throw Own(response: try await next(request)) }
        }
        #expect(try await client.get("a").status == 422)
    }

    @Test("judges a status that only an earlier request of the attempt had")
    func earlierStatus() async throws {
        let client = try Rig(.json(401, "{}"), .json(200, "{}")).client {
            ClosureInterceptor { request, _, next in
                var response = try await next(request)
                response.status = 401
                return response
            }
            ClosureInterceptor { request, _, next in
                do {
                    return try await next(request)
                } catch is StatusError {
                    return try await next(request)
                }
            }
            StatusValidation()
        }
        #expect(await client.result(of: .get("a")).failure?.code == "status.401")
    }

    @Test("of the attempt before says nothing about what an interceptor answers in its place")
    func answeredLater() async throws {
        let isClosed = Lock(false)
        let client = try Rig(.json(503, "{}").repeated()).client {
            HTTP.Retry(try RetryPolicy(attempts: 2, backoff: .none))
            ClosureInterceptor { request, _, next in
                guard isClosed.withLock({ exchange(&$0, with: true) }) else {
                    return try await next(request)
                }
                return HTTP.Response(status: 503)
            }
            StatusValidation()
        }
        #expect(await client.result(of: .get("a")).failure?.code == "status.503")
    }

    @Test("accepts by a rule of one's own", arguments: [(200, true), (201, false), (404, true), (500, false)])
    func rule(status: Int, isAccepted: Bool) async throws {
        let result = try await Self.answer(.status(status), StatusValidation { $0 == 200 || $0 == 404 })
        #expect(((try? result.get()) != nil) == isAccepted)
    }

    @Test(
        "compares media types without case and parameters, a star standing for any subtype",
        arguments: [
            ("application/json", true), ("Application/JSON; charset=utf-8", true), ("text/csv", true),
            ("TEXT/plain", true),
            ("application/xml", false), ("text", false), ("textual/plain", false), ("application/json-seq", false),
        ])
    func contentTypes(type: String, isAccepted: Bool) async throws {
        // given
        let validation = StatusValidation(contentTypes: ["application/JSON", "text/*"])
        // when
        let result = try await Self.answer(.status(200, headers: ["Content-Type": type], body: "1"), validation)
        // then
        switch result {
        case .success: #expect(isAccepted)
        case .failure(let failure):
            #expect(!isAccepted)
            #expect(failure.code == "decoding")
        }
    }

    @Test(
        "accepts the closed and the open ranges that it is given",
        arguments: [(199, false), (200, true), (299, true), (300, false)])
    func closedRange(status: Int, isAccepted: Bool) async throws {
        let closed = try await Self.answer(.status(status), StatusValidation(accepting: 200...299))
        let open = try await Self.answer(.status(status), StatusValidation(accepting: 200...))
        #expect(((try? closed.get()) != nil) == isAccepted)
        #expect(((try? open.get()) != nil) == (status >= 200))
    }

    @Test(
        "reads media ranges: stars, suffixes and parameters",
        arguments: [
            ("*/*", "image/png", true), ("*/*", "nonsense", true), ("*/json", "text/json", true),
            ("*/json", "text/xml", false), ("application/*", "application/pdf", true),
            ("application/*+json", "application/problem+json", true),
            ("application/*+json", "APPLICATION/vnd.api+JSON; x=1", true),
            ("application/*+json", "application/json", false), ("application/*+json", "text/problem+json", false),
            ("application/*+json", "application/+json", false),
            ("text/plain; charset=utf-8", "text/plain;charset=UTF-8", true),
            ("text/plain; charset=utf-8", "text/plain; format=flowed; charset=\"utf-8\"", true),
            ("text/plain; charset=utf-8", "text/plain", false),
            ("application/json; charset=utf-8", "application/json", true),
            ("application/json; charset=utf-8", "application/json; charset=latin1", false),
            ("application/*+json; charset=UTF-8", "application/problem+json", true),
            ("application/json; charset=latin1", "application/json", false),
            ("text/plain; charset=utf-8", "text/plain; charset=latin1", false),
            ("text/plain;q=0.5", "text/plain", true), ("text/plain", "text/plain; charset=utf-8", true),
            ("text/plain", "text/plain;", true), ("text/plain; a=\"x;y\"", "text/plain; a=\"x;y\"", true),
        ])
    func mediaRanges(range: String, type: String, isAccepted: Bool) async throws {
        // given
        let validation = StatusValidation(contentTypes: [range])
        // when
        let result = try await Self.answer(.status(200, headers: ["Content-Type": type], body: "1"), validation)
        // then
        #expect(((try? result.get()) != nil) == isAccepted)
    }

    @Test(
        "refuses what is no media type when it is made",
        arguments: [
            "", "json", "application", "application/", "/json", "a/b/c", "*json/x", "application/j*",
            "application/*json",
            "text/plain; charset", "text/plain; =x", "text/plain; a=\"x", "text /plain", "text/plain; a=b c",
        ])
    func malformed(type: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try requireValid(StatusValidation(contentTypes: ["text/*", type]))
        }
        #expect(error?.setting == "StatusValidation.contentTypes")
        #expect(throws: ConfigurationError.self) { try requireValid(StatusValidation(contentTypes: [])) }
    }

    @Test(
        "accepts a body without a type where any is accepted, and only there",
        arguments: [("*/*", true), ("text/*", false)])
    func noType(range: String, isAccepted: Bool) async throws {
        let step = ScriptedTransport.Step.status(200, body: "1")
        let result = try await Self.answer(step, StatusValidation(contentTypes: [range]))
        #expect(((try? result.get()) != nil) == isAccepted)
    }

    @Test("asks no content type of an answer without a body")
    func noBody() async throws {
        let result = try await Self.answer(.status(204), StatusValidation(contentTypes: ["application/json"]))
        #expect(try result.get().status == 204)
    }

    @Test("tells of a web page where JSON is accepted")
    func webPage() async throws {
        // given
        let page = "<!DOCTYPE html><html><head><title>Sign in</title></head><body><form></form></body></html>"
        let step = ScriptedTransport.Step.status(200, headers: ["Content-Type": "text/html; charset=utf-8"], body: page)
        // when
        let result = try await Self.answer(step, StatusValidation(contentTypes: ["application/json"]))
        // then
        let failure = try #require(throws: Failure.self) { try result.get() }
        guard case .decoding(let decoding) = failure.reason else {
            Issue.record("It is a decoding failure.")
            return
        }
        #expect(decoding.kind == .html)
        #expect(decoding.explanation.contains("titled \"Sign in\", probably a sign-in page"))
        #expect(decoding.explanation.contains("where content of type application/json was expected"))
        #expect(failure.report.contains("response: 200 OK, text/html; charset=utf-8, \(page.utf8.count) bytes"))
    }

    private static let others =
        [
            ("text/csv", "content of type text/csv", "a;b"), ("image/png", "content of type image/png", "\u{0}PNG"),
            (nil, "content without a type", #"{"id":1}"#), ("text/x\u{9B}31m", "content of type text/x 31m", "a"),
        ] as [(String?, String, String)]

    @Test("says which content type came and which are accepted", arguments: others)
    func explained(type: String?, found: String, body: String) async throws {
        // given
        var headers = HTTP.Headers()
        headers[.contentType] = type
        let validation = StatusValidation(contentTypes: ["application/json", "text/xml"])
        // when
        let result = try await Self.answer(.status(200, headers: headers, body: body), validation)
        // then
        let failure = try #require(throws: Failure.self) { try result.get() }
        let expected = "content of type application/json or text/xml"
        #expect(failure.explanation == "The content could not be read: $ should be \(expected), but is \(found).")
    }

    @Test("judges the status before the content type")
    func statusFirst() async throws {
        let step = ScriptedTransport.Step.status(404, headers: ["Content-Type": "text/html"], body: "<html>")
        let result = try await Self.answer(step, StatusValidation(contentTypes: ["application/json"]))
        #expect((try #require(throws: Failure.self) { try result.get() }).code == "status.404")
    }

    @Test("knows a type whose parameter has a quote and a semicolon inside its quotes")
    func quotedParameter() async throws {
        // given
        let type = #"text/plain; title="a\";b""#
        let rig = Rig(.status(200, headers: ["Content-Type": type], body: "x"))
        let client = try rig.client { StatusValidation(contentTypes: [type]) }
        // then
        #expect(try await client.get("a").body == Data("x".utf8))
    }

    @Test("shows the response that it refused, as an interceptor inside had changed it")
    func changedInside() async throws {
        // given
        let rig = Rig(.status(200, headers: ["Content-Type": "text/plain"], body: "first"))
        let client = try rig.client {
            StatusValidation(contentTypes: ["application/json"])
            ClosureInterceptor { request, _, next in
                var response = try await next(request)
                response.body = Data("second".utf8)
                return response
            }
        }
        // when
        let failure = await #expect(throws: Failure.self) { try await client.get("a") as HTTP.Response }
        // then
        #expect(failure?.response?.body == Data("second".utf8))
    }
}
