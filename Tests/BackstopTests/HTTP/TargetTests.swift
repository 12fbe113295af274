import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A target", .limited)
struct TargetTests {
    private static let encoded =
        [
            // What is encoded stays, what is not is encoded, character by character.
            ("a%2Fb/c d", "a%2Fb/c%20d"), ("a%2Fb", "a%2Fb"), ("a%2fb%", "a%2fb%25"), ("100%", "100%25"),
            ("a%zz%41", "a%25zz%41"), ("%", "%25"), ("%2", "%252"), ("å/ö", "%C3%A5/%C3%B6"), ("🦊", "%F0%9F%A6%8A"),
            ("e\u{301}", "e%CC%81"), ("a\\b", "a%5Cb"), ("a|b^c`d", "a%7Cb%5Ec%60d"), ("<a>\"{}", "%3Ca%3E%22%7B%7D"),
            ("[1]", "%5B1%5D"), ("!$&'()*+,;=:@", "!$&'()*+,;=%3A@"), ("a/!$&'()*+,;=:@", "a/!$&'()*+,;=:@"),
            ("-._~", "-._~"), ("a?b c&d=[1]#f g", "a?b%20c&d=%5B1%5D"), ("a?x=%20 y%", "a?x=%20%20y%25"),
            ("a?b?c/d", "a?b?c/d"), ("a?", "a?"), ("a#f", "a"), ("1:2", "1%3A2"), ("a/b:c", "a/b:c"),
            ("/a:b", "/a:b"), ("?a:b//c", "?a:b//c"),
            // Dot segments are resolved, encoded ones too.
            ("a/./b", "a/b"), ("a/../b", "b"), ("a/b/..", "a/"), ("a/b/.", "a/b/"), ("a/%2e%2E/b", "b"),
            ("a/.%2e/b", "b"),
            ("%2e/a", "a"), ("/a/../b", "/b"), ("a/..", "/"), ("/a/..", "/"), (".", "."), ("./", "/"),
            ("a/.../b", "a/.../b"),
            ("a/..b/c..", "a/..b/c.."), ("a//b", "a//b"), ("a//../b", "a/b"), ("a/%252e%252e/b", "a/%252e%252e/b"),
            ("./1:2", "1%3A2"), ("a?../b", "a?../b"),
            // Whole URLs.
            ("https://b.example/å b?c d", "https://b.example/%C3%A5%20b?c%20d"),
            ("https://b.example/a%2Fb/c d#e", "https://b.example/a%2Fb/c%20d"),
            ("https://b.example/../a/./b/..", "https://b.example/a/"),
            ("HTTPS://B.example:8443", "HTTPS://B.example:8443"),
            ("https://ann:p w@b.example/", "https://ann:p%20w@b.example/"),
            ("http://[fe80::1%25en0]:80/x", "http://[fe80::1%25en0]:80/x"),
            ("https://b.example:/x", "https://b.example/x"), ("https://a@b@c.example", "https://a%40b@c.example"),
            ("https://b.example//x", "https://b.example//x"), ("https://b.example\\x", nil),
        ] as [(String, String?)]

    @Test("is encoded character by character, and its dot segments are resolved", arguments: encoded)
    func encodes(target: String, expected: String?) throws {
        guard let expected else {
            #expect(throws: RequestError.self) { try HTTP.Request(.get, target) }
            return
        }
        let request = try HTTP.Request(.get, target)
        #expect(request.url.absoluteString == expected)
        // Once more changes nothing.
        #expect(try HTTP.Request(.get, request.url.absoluteString).url.absoluteString == expected)
    }

    @Test(
        "that leads above the base is refused when the request is made",
        arguments: ["..", "../a", "a/../..", "/..", "%2e%2e/a", "a/.%2E/../b", "./../a", "a//../../.."])
    func above(target: String) {
        let error = #expect(throws: RequestError.self) { try HTTP.Request(.get, target) }
        #expect(error?.code == .invalidURL)
        #expect(error?.detail.contains("above the base URL") == true)
    }

    @Test(
        "that leads above the base only once a server decodes slashes, or drops path parameters, is refused",
        arguments: [
            "..%2Fadmin", "..%2fadmin", "/..%2Fadmin", "%2e%2e%2fadmin", "%2E.%2Fadmin", "a/..%2F../admin",
            "a%2F..%2F..",
            "users/..%2F..%2Fadmin", "..\\admin", "..%5Cadmin", "%2e%2e%5cadmin", "a/..\\..\\admin",
            "..;/admin",
            "..;x=1/admin", "a/..;/..;/admin", "%2f..%2fadmin", "a/%2F/..%2f..%2fb",
        ])
    func aboveOnceDecoded(target: String) {
        let error = #expect(throws: RequestError.self) { try HTTP.Request(.get, target) }
        #expect(error?.code == .invalidURL)
        #expect(error?.detail.contains("above the base URL") == true)
        // As a URL as well.
        if let url = URL(string: target), url.absoluteString == target {
            #expect(throws: RequestError.self) { try HTTP.Request(.get, url) }
        }
    }

    @Test(
        "that stays below the base once a server decodes slashes is sent as it is",
        arguments: [
            "a/..%2Fb", "a%2F..", "a%2F..%2Fb", "a/..;", "a;..", "..%252Fadmin", "...%2Fb", "..a%2Fb",
            "a?q=..%2F..%2Fb", "https://b.example/..%2Fx", "a/%2E%2E%2Fb",
        ])
    func belowOnceDecoded(target: String) throws {
        #expect(try HTTP.Request(.get, target).url.absoluteString == target)
    }

    @Test("with a colon in its first segment says how to write it")
    func colon() throws {
        let error = #expect(throws: RequestError.self) { try HTTP.Request(.post, "messages:send") }
        #expect(error?.detail.contains("begins with a slash: /messages:send") == true)
        #expect(try HTTP.Request(.post, "/messages:send").url.absoluteString == "/messages:send")
    }

    @Test("is refused when it is made, where it gets too long by what is encoded or added")
    func long() throws {
        let value = String(repeating: "å", count: 20_000)
        #expect(throws: RequestError.self) { try HTTP.Request(.get, value) }
        #expect(throws: RequestError.self) { try HTTP.Request(.get, "a", query: ["q": value]) }
        #expect(throws: RequestError.self) { try HTTP.Request(.get, ["a", value]) }
        let short = String(repeating: "å", count: 10_000)
        #expect(try HTTP.Request(.get, ["a", short]).url.absoluteString.utf8.count == 60_002)
    }

    @Test(
        "that would name another host is refused",
        arguments: [
            "//evil.example", "//evil", "/.//evil.example", "a/..//evil.example", "/a/..//evil.example",
            ".//evil.example", "/%2e//evil.example",
        ])
    func otherHost(target: String) {
        #expect(throws: RequestError.self) { try HTTP.Request(.get, target) }
    }

    @Test(
        "with an authority that cannot be read is refused",
        arguments: [
            "https://", "https://:80", "https://b.example:0", "https://b.example:65536", "https://b.example:8o",
            "https://b ex.example", "https://[::1", "https://::1]", "https://[evil]", "https://b.example:80:80",
            "https://bücher.example", "https://a|b", "https://user@", "https://%zz.example", "https:b.example",
            "https://good.example\\@evil.example", "https://evil.example\\.good.example/x",
        ])
    func authority(target: String) {
        let error = #expect(throws: RequestError.self) { try HTTP.Request(.get, target) }
        #expect(error?.code == .invalidURL)
    }

    @Test("with letters in its host that are not ASCII says how to write it")
    func international() {
        let error = #expect(throws: RequestError.self) { try HTTP.Request(.get, "https://bücher.example") }
        #expect(error?.detail.contains("xn--bcher-kva.example") == true)
    }

    @Test(
        "as a base URL is encoded in the same way",
        arguments: [
            ("https://a.example/v 1/å", "https://a.example/v%201/%C3%A5"),
            ("https://a.example/a%2Fb/c d", "https://a.example/a%2Fb/c%20d"),
            ("https://a.example/v1/../v2/", "https://a.example/v2/"),
            ("https://a.example/v1#top", "https://a.example/v1"),
            ("https://a.example?k=a b", "https://a.example?k=a%20b"),
        ])
    func base(text: String, expected: String) throws {
        let client = try Client(baseURL: text, transport: ScriptedTransport()) {}
        #expect(client.baseURL?.absoluteString == expected)
    }

    @Test(
        "of segments keeps each of them inside one",
        arguments: [
            ("../admin", "users/..%2Fadmin"), ("a?b", "users/a%3Fb"), ("a/b", "users/a%2Fb"), ("a#b", "users/a%23b"),
            ("a%2Fb", "users/a%252Fb"), ("%2e%2e", "users/%252e%252e"), ("å b", "users/%C3%A5%20b"),
            ("a:b", "users/a%3Ab"),
            ("a;b", "users/a%3Bb"), ("a\nb", "users/a%0Ab"), ("...", "users/..."),
            ("//evil.example", "users/%2F%2Fevil.example"), ("../../../admin", "users/..%2F..%2F..%2Fadmin"),
            ("..;", "users/..%3B"), ("..\\..", "users/..%5C.."),
        ])
    func segments(segment: String, expected: String) throws {
        #expect(try HTTP.Request(.get, ["users", segment]).url.absoluteString == expected)
        #expect(try HTTP.Request(.get, ["users", segment, "x"]).url.absoluteString == expected + "/x")
    }

    @Test("of segments refuses those that lead to another path", arguments: ["", ".", ".."])
    func refusedSegments(segment: String) {
        let error = #expect(throws: RequestError.self) { try HTTP.Request(.delete, ["users", segment]) }
        #expect(error?.code == .invalidURL)
    }

    @Test("of segments may begin with what looks like a scheme or a host")
    func firstSegment() throws {
        #expect(try HTTP.Request(.get, ["https://evil.example"]).url.absoluteString == "https%3A%2F%2Fevil.example")
        #expect(try HTTP.Request(.get, [String]()).url.absoluteString == ".")
    }

    @Test("takes variables, numbers, booleans, optionals, arrays and dictionaries in its query")
    func query() throws {
        // given
        enum Order: String, HTTP.QueryValue { case byTitle }
        let page = 2
        let size: Int64? = nil
        let price = 1.5
        let total = Decimal(string: "12.50")
        let shelf: UInt8 = 7
        // when
        let request = try HTTP.Request(
            .get, "books",
            query: [
                "page": page, "size": size, "price": price, "total": total, "shelf": shelf, "on": false,
                "ids": [1, 2], "none": [String](), "order": Order.byTitle, "text": "a&b", "nothing": nil,
            ])
        let filters: [String: String?] = ["b": "2", "a": nil, "c": "3"]
        let filtered = try HTTP.Request(.get, "books?x=1", query: HTTP.Query(filters))
        // then
        #expect(
            request.url.absoluteString == "books?page=2&price=1.5&total=12.5&shelf=7&on=false&ids=1&ids=2"
                + "&order=byTitle&text=a%26b")
        #expect(filtered.url.absoluteString == "books?x=1&b=2&c=3")
    }

    /// Decodes a text as a server does; nil when it is not encoded right.
    private static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("brings any segments and any query back from the URL", arguments: Seed.ofRun)
    func roundTrip(seed: Seed) throws {
        var numbers = seed.numbers
        let alphabet = Array("ab/?#%&=+ .:@;,[]\"\\|åé\u{301}🦊\u{0}\n~2Ff")
        func text(_ numbers: inout SeededNumbers) -> String {
            String(
                (0..<Int.random(in: 1...8, using: &numbers)).compactMap { _ in alphabet.randomElement(using: &numbers) }
            )
        }
        for _ in 0..<3000 {
            // given
            let segments = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in text(&numbers) }
                .filter { $0 != "." && $0 != ".." }
            let items = (0..<Int.random(in: 0...3, using: &numbers)).map { _ in (text(&numbers), text(&numbers)) }
            // when
            var query = HTTP.Query()
            for (name, value) in items {
                query.add(value, for: name)
            }
            let url = try HTTP.Request(.get, segments, query: query).url.absoluteString
            // then
            let halves = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let path = halves.first == "." ? [] : halves.first?.split(separator: "/").map { Self.decoded($0) }
            #expect(path == segments.map { $0 }, "\(segments)")
            let found = (halves.count > 1 ? halves[1].split(separator: "&") : []).map { item in
                item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { Self.decoded($0) }
            }
            #expect(found == items.map { [$0.0, $0.1] }, "\(items)")
            #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
    }

    @Test("of any text is sent as ASCII below the base, or refused", arguments: Seed.ofRun)
    func anyText(seed: Seed) throws {
        var numbers = seed.numbers
        let alphabet = Array("a./%2eE?#:@[]\\ å")
        for _ in 0..<3000 {
            // given
            let target = String(
                (0..<Int.random(in: 0...12, using: &numbers)).compactMap { _ in alphabet.randomElement(using: &numbers)
                })
            guard let url = try? HTTP.Request(.get, target).url.absoluteString else {
                continue
            }
            // then
            #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(target)")
            #expect(!url.hasPrefix("//"), "\(target)")
            let path = url.prefix { $0 != "?" }
            let isClimbing = path.split(separator: "/").contains { Self.decoded($0) == ".." }
            #expect(!isClimbing, "\(target)")
            #expect(try HTTP.Request(.get, url).url.absoluteString == url, "\(target)")
        }
    }
}
