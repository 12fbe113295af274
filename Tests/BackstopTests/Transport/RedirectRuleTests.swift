import BackstopTestSupport
import Foundation
import Testing

@testable import Backstop

@Suite("Redirects", .limited)
struct RedirectRuleTests {
    let rule = RedirectRule(
        maximum: 3, allowsInsecure: false, detectsLoops: true, refusesIPv6: URLSessionTransport.refusesIPv6)

    @Test(
        "the method after a redirect is the one that browsers use",
        arguments: [
            (301, HTTP.Method.post, "GET"), (302, .post, "GET"), (303, .post, "GET"), (303, .put, "GET"),
            (303, .head, "HEAD"), (301, .put, "PUT"), (302, .delete, "DELETE"), (307, .post, "POST"),
            (308, .patch, "PATCH"), (301, .head, "HEAD"),
        ])
    func method(status: Int, method: HTTP.Method, expected: String) throws {
        let next = try #require(try follow(method, status: status, to: "/b", body: .text("x")))
        #expect(next.request.method.name == expected)
        #expect(next.request.body.isNone == (expected == "GET"))
        #expect((next.request.headers[.contentType] == nil) == (expected == "GET"))
    }

    @Test("what is no redirect comes back as it is", arguments: [200, 300, 304, 305, 306, 404])
    func otherStatuses(status: Int) throws {
        #expect(try follow(status: status, to: "/b") == nil)
    }

    @Test("a redirect without a target comes back as it is")
    func noLocation() throws {
        let trail = RedirectTrail(HTTP.Request(url: try url("https://a.example/")))
        #expect(try rule.next(after: HTTP.Response(status: 302), on: trail) == nil)
    }

    @Test(
        "targets are resolved against where they came from",
        arguments: [
            ("/b", "https://a.example/b"), ("b", "https://a.example/x/b"), ("../b?q=1", "https://a.example/b?q=1"),
            ("../../../b", "https://a.example/b"),
            ("?q", "https://a.example/x/y?q"), ("//b.example/z", "https://b.example/z"),
            ("HTTPS://b.example/", "https://b.example/"),
            ("https://user:pass@b.example/", "https://b.example/"),
            ("/%20a?b=%2F", "https://a.example/%20a?b=%2F"),
        ])
    func targets(location: String, expected: String) throws {
        #expect(try RedirectRule.target(location, from: try url("https://a.example/x/y")).absoluteString == expected)
    }

    @Test(
        "credentials stay behind when scheme, host or port change",
        arguments: ["https://b.example/", "https://a.example:8443/", "https://sub.a.example/"])
    func otherOrigin(target: String) throws {
        let next = try #require(try follow(to: target))
        for name in ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key", "Host"] as [HTTP.Headers.Name] {
            #expect(next.request.headers[name] == nil)
        }
        #expect(next.request.headers[.accept] == "text/plain")
        #expect(next.remark == " (credentials dropped)")
    }

    @Test(
        "what only sounds like a credential goes along to another origin",
        arguments: [
            "Idempotency-Key", "idempotency-key", "X-Idempotency-Key", "Idempotency-Token", "X-Idempotency-Token",
            "Access-Control-Request-Headers", "Access-Control-Allow-Credentials", "Sec-WebSocket-Key", "Surrogate-Key",
            "Cache-Key", "X-Cache-Key", "X-Request-Id", "X-Correlation-Id", "traceparent", "baggage", "If-Match",
        ])
    func correlation(name: String) throws {
        #expect(try headerAfterRedirect(name, to: "https://b.example/") == "v")
    }

    @Test(
        "what proves something stays behind, however it is called",
        arguments: [
            "X-CSRF-Token", "X-XSRF-TOKEN", "X-Session-Id", "Signature", "Signature-Input", "X-Amz-Security-Token",
            "Ocp-Apim-Subscription-Key", "X-Auth", "Cookie2", "X-Client-Secret", "X-Pin",
            "X-MFA", "X-MFA-Code", "X-2FA", "X-OTP", "X-TOTP",
        ])
    func credentials(name: String) throws {
        #expect(try headerAfterRedirect(name, to: "https://b.example/") == nil)
        #expect(try headerAfterRedirect(name, to: "https://a.example/b") == "v")
    }

    @Test("what the call itself hides stays behind as well")
    func ownNames() throws {
        let own = Redaction.standard.adding("tenant")
        #expect(try headerAfterRedirect("X-Tenant", to: "https://b.example/", redaction: own) == nil)
        #expect(try headerAfterRedirect("X-Tenant", to: "https://b.example/") == "v")
        #expect(try headerAfterRedirect("X-Api-Key", to: "https://b.example/", redaction: .off) == nil)
    }

    @Test("credentials go along within the origin", arguments: ["/b", "https://A.example:443/b"])
    func sameOrigin(target: String) throws {
        let next = try #require(try follow(to: target))
        #expect(next.request.headers[.authorization] == "Bearer s")
        #expect(next.request.headers[.cookie] == "a=1")
        #expect(next.remark.isEmpty)
    }

    @Test("credentials that stayed behind do not come back on the way home")
    func thereAndBack() throws {
        let away = try #require(try follow(to: "https://b.example/"))
        let home = try #require(try rule.next(after: redirect(302, "https://a.example/home"), on: away))
        #expect(home.request.headers[.authorization] == nil)
    }

    @Test("from https to http is refused, unless it is allowed")
    func downgrade() throws {
        expect(.redirectRefused) { try follow(to: "http://a.example/") }
        let open = RedirectRule(maximum: 3, allowsInsecure: true, detectsLoops: true)
        let trail = RedirectTrail(try request(.get))
        let next = try #require(try open.next(after: redirect(302, "http://a.example/"), on: trail))
        #expect(next.request.headers[.authorization] == nil)
    }

    @Test("a target that is not among the allowed ones is refused")
    func allowed() throws {
        let narrow = RedirectRule(maximum: 3, allowsInsecure: false, detectsLoops: true) { $0.path == "/b" }
        let trail = RedirectTrail(try request(.get))
        let next = try #require(try narrow.next(after: redirect(302, "/b"), on: trail))
        #expect(next.request.url.path == "/b")
        expect(.redirectRefused) { try narrow.next(after: redirect(302, "/c"), on: next) }
    }

    @Test("other schemes and targets without a host are refused", arguments: ["ftp://a/b", "file:///etc", "data:,x"])
    func otherSchemes(target: String) throws {
        let error = try #require(throws: TransportError.self) { try follow(to: target) }
        #expect(error.code == .redirectRefused)
        #expect(Failure(error).report.contains("Fix the server's redirect"))
    }

    @Test(
        "targets that nothing can be sent to are refused",
        arguments: [
            "http://a.example:0/", "https://a.example:0/", "https://a.example:65536/", "https://a.example:70000/",
            "https://a.example:99999999999/", "https://a b.example/", "https://a%20b.example/", "https://a\"b/",
            "https://[::1/", "https://:443/", "https://", "http:///x", "https://a.example:x/",
            "https://a.example:9223372036854775807/", "https://a.example:9223372036854775808/",
            "https://a.example:18446744073709551616/x", "//a.example:99999999999999999999/x", "https://a.example:-1/",
            "https://a.example:+443/", "https://a.example:443:443/", "https://b.example\\@a.example/",
            "https://u:p@a.example:99999999999999999999/", "/a\u{FFFD}", "https://a.example/?q=\u{FFFD}",
        ])
    func unusableTargets(target: String) {
        expect(.redirectRefused) { try follow(to: target) }
    }

    @Test(
        "targets in letters that a URL does not have are percent-encoded as UTF-8",
        arguments: [
            ("/ü", "https://a.example/%C3%BC"),
            ("/b?to=https://c\\d/", "https://a.example/b?to=https://c%5Cd/"),
        ])
    func otherLetters(location: String, expected: String) throws {
        #expect(try RedirectRule.target(location, from: try url("https://a.example/x")).absoluteString == expected)
    }

    @Test("a host of other letters is encoded by the system, or refused where it cannot do that, as before iOS 17")
    func otherHost() throws {
        let location = "https://bücher.example/"
        if URL(string: location) == nil {
            expect(.redirectRefused) { try follow(to: location) }
        } else {
            let target = try RedirectRule.target(location, from: try url("https://a.example/x"))
            #expect(target.absoluteString == "https://xn--bcher-kva.example/")
        }
    }

    @Test(
        "targets that are no URLs before iOS 17 are encoded before they are read",
        arguments: [
            ("/a b|c", "/a%20b%7Cc"), ("/ü?q=ü#ü", "/%C3%BC?q=%C3%BC#%C3%BC"), ("/%20%zz%", "/%20%25zz%25"),
            ("https://a.example/x y?a=[1]", "https://a.example/x%20y?a=%5B1%5D"),
            ("//b.example/<>", "//b.example/%3C%3E"),
            ("https://[::1]:80/{}", "https://[::1]:80/%7B%7D"), ("b:c/d e", "b:c/d%20e"), ("?a|b", "?a%7Cb"), ("", ""),
            ("#a#b", "#a%23b"), ("https://a.example", "https://a.example"), ("/a?b?c/d", "/a?b?c/d"),
        ])
    func encoded(location: String, expected: String) {
        #expect(RedirectRule.encoded(location) == expected)
        // What nothing has to be done to is a URL on all systems.
        #expect(RedirectRule.encoded(expected) == expected)
    }

    // But for what is encoded already: Foundation encodes it again as soon as something else needs it, browsers do not.
    @Test("targets are encoded as today's Foundation does it")
    func encodedAsByFoundation() throws {
        let parts = [
            "a", "/", "?", " ", "|", "ü", "%", "\"", "<", "^", "`", "{", "\\", "=", "&", ":", "€", "~", "'",
        ]
        var random = SeededNumbers(seed: 18)
        for _ in 0..<2000 {
            let text =
                "/"
                + (0..<Int.random(in: 0...8, using: &random)).map { _ in
                    parts[Int.random(in: 0..<parts.count, using: &random)]
                }.joined()
            guard !text.hasPrefix("//"), let url = URL(string: text) else {
                continue
            }
            #expect(URL(string: RedirectRule.encoded(text))?.absoluteString == url.absoluteString, "\(text)")
        }
    }

    @Test(
        "credentials go along from http to https of the same host with a 307, which HSTS makes",
        arguments: [
            ("http://a.example/x", "https://a.example/x", 307, true),
            ("http://a.example:80/x", "https://A.example:443/x", 307, true),
            ("http://a.example/x", "https://a.example/x", 302, false),
            ("http://a.example/x", "https://b.example/x", 307, false),
            ("http://a.example:8080/x", "https://a.example/x", 307, false),
            ("http://a.example/x", "https://a.example:8443/x", 307, false),
            ("https://a.example/x", "https://a.example:8443/x", 307, false),
            ("http://a.example/x", "https://sub.a.example/x", 307, false),
        ])
    func upgrade(from: String, to target: String, status: Int, goAlong: Bool) throws {
        let request = HTTP.Request(url: try url(from), headers: ["Authorization": "Bearer s"])
        let next = try rule.next(after: redirect(status, target), on: RedirectTrail(request))
        #expect(try #require(next).request.headers[.authorization] == (goAlong ? "Bearer s" : nil))
    }

    #if canImport(FoundationNetworking)
        @Test("IPv6 addresses are refused on Linux, with what works instead")
        func addresses() {
            let error = #expect(throws: TransportError.self) { try follow(to: "https://[::1]/") }
            #expect(error?.code == .redirectRefused)
            #expect(error?.detail.contains("a name for it works") == true)
        }
    #endif

    @Test("a body that can be read only once is not promised again")
    func onceOnly() {
        let body = HTTP.Body.stream(once: AsyncStream<Data> { nil })
        expect(.redirectRefused) { try follow(.post, status: 307, to: "/b", body: body) }
        #expect(throws: Never.self) { try follow(.post, status: 303, to: "/b", body: body) }
    }

    @Test(
        "what the server chose is why a request after a redirect is refused, and a body that fails is not",
        arguments: [
            (RequestError.Code.invalidURL, "transport.redirectRefused"),
            (.invalidHeader, "transport.redirectRefused"), (.encoding, "request.encoding"),
            (.bodyUnreadable, "request.bodyUnreadable"),
        ])
    func failsAfterRedirect(code: RequestError.Code, expected: String) async throws {
        let request = HTTP.Request(.put, url: try url("https://a.example/x"), body: .text("x"))
        let error = await #expect(throws: (any Error).self) {
            try await rule.follow(request, context: CallContext()) { trail, _ in
                guard trail.count > 0 else {
                    return redirect(307, "/b")
                }
                throw RequestError(code, "It is refused")
            }
        }
        #expect(error.map { Failure.Reason(classifying: $0).code } == expected)
    }

    @Test("a loop is found as soon as it closes, where no cookie can end it")
    func loop() throws {
        expect(.redirects) { try follow(to: "/start") }
        let patient = RedirectRule(maximum: 3, allowsInsecure: false, detectsLoops: false)
        let next = try patient.next(after: redirect(302, "/start"), on: RedirectTrail(try request(.get)))
        #expect(next?.count == 1)
    }

    @Test("one redirect more than accepted ends the call")
    func tooMany() throws {
        var trail = RedirectTrail(try request(.get))
        for step in 1...3 {
            trail = try #require(try rule.next(after: redirect(302, "/\(step)"), on: trail))
        }
        expect(.redirects) { try rule.next(after: redirect(302, "/4"), on: trail) }
    }

    @Test("with none accepted the response comes back as it is")
    func none() throws {
        let rule = RedirectRule(maximum: 0, allowsInsecure: false, detectsLoops: true)
        #expect(try rule.next(after: redirect(302, "/b"), on: RedirectTrail(try request(.get))) == nil)
    }

    private func headerAfterRedirect(
        _ name: String, to target: String, redaction: Redaction = .standard
    ) throws -> String? {
        var request = HTTP.Request(url: try url("https://a.example/start"))
        request.headers[HTTP.Headers.Name(name)] = "v"
        let next = try rule.next(after: redirect(307, target), on: RedirectTrail(request), redaction: redaction)
        return try #require(next).request.headers[HTTP.Headers.Name(name)]
    }

    private func url(_ text: String) throws -> URL {
        try #require(URL(string: text))
    }

    private func request(_ method: HTTP.Method, body: HTTP.Body = .none) throws -> HTTP.Request {
        let headers: HTTP.Headers = [
            "Authorization": "Bearer s", "Cookie": "a=1", "Proxy-Authorization": "Basic x", "X-Api-Key": "k",
            "Host": "a.example", "Accept": "text/plain", "Content-Type": "text/plain",
        ]
        return HTTP.Request(method, url: try url("https://a.example/start"), headers: headers, body: body)
    }

    private func redirect(_ status: Int, _ location: String) -> HTTP.Response {
        HTTP.Response(status: status, headers: ["Location": location])
    }

    private func follow(
        _ method: HTTP.Method = .get, status: Int = 302, to location: String, body: HTTP.Body = .none
    ) throws -> RedirectTrail? {
        try rule.next(after: redirect(status, location), on: RedirectTrail(try request(method, body: body)))
    }

    private func expect(_ code: TransportError.Code, _ work: () throws -> RedirectTrail?) {
        let error = #expect(throws: TransportError.self) { try work() }
        #expect(error?.code == code)
    }
}
