import BackstopTestSupport
import Foundation
import Testing

@testable import Backstop

@Suite("A plain target")
struct PlainTargetTests {
    @Test(
        "is a path or a whole URL in which nothing is encoded, resolved or refused",
        arguments: [
            ("books", true), ("/books/1", true), ("a.b/c-d_e~f/", true), ("", true), ("books?page=2&q=a.b", true),
            ("https://api.example.com", false), ("http://127.0.0.1:8080/v1/books?page=2", false),
        ])
    func isPlain(text: String, isRelative: Bool) {
        #expect(PlainTarget(text)?.isRelative == isRelative)
    }

    @Test(
        "is not one that has to be parsed",
        arguments: [
            ".", "..", "a/.", "a/../b", "./a", "//host", "//", "a//b", "a:b", "a%2Fb", "a b", "a?b c", "a#b", "a;b",
            "å",
            "a\\b", "a\nb", "https://", "https:///a", "https://a@b", "https://B.example", "https://b:0",
            "https://b:65536",
            "https://b:/", "https://b?a", "https://b/../a", "https://b//a", "https://[::1]/", "ftp://b/", "HTTPS://b/",
            "https://b:80a/",
        ])
    func isNotPlain(text: String) {
        #expect(PlainTarget(text) == nil)
    }

    @Test("means the same when it is parsed", arguments: Seed.ofRun)
    func meansTheSame(seed: Seed) throws {
        var random = seed.numbers
        let pieces = [
            "a", "Z", "0", "80", "/", "/", "//", ".", "..", "?", "#", "%2e", "%2F", "%", "=", "&", ":", ";", "@", "[",
            "]",
            "\\", "å", " ", "-", "_", "~", "+", "http://", "https://", "host", ".example", ":8080", "\n",
        ]
        var plain = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...6, using: &random)
            let start = Bool.random(using: &random) ? "" : "https://host"
            let text = start + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let target = PlainTarget(text) else {
                continue
            }
            plain += 1
            let parsed = try RequestURL(parsing: text)
            #expect((parsed.scheme == nil) == target.isRelative, "\(text)")
            #expect(!parsed.leadsAboveOnceDecoded, "\(text)")
            #expect(try parsed.url().absoluteString == (text.isEmpty ? "." : text), "\(text)")
            #expect(try HTTP.Request(.get, text).url.absoluteString == (text.isEmpty ? "." : text), "\(text)")
            if target.isRelative {
                let parts = target.parts(of: text)
                #expect(parts.path == parsed.path && parts.query == parsed.query, "\(text)")
            }
        }
        #expect(plain > 1000)
    }
}
