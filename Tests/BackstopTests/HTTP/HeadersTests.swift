import Backstop
import BackstopTestSupport
import Testing

@Suite("Headers", .limited)
struct HeadersTests {
    @Test("keep the order in which they were given, and the names as they were written")
    func order() throws {
        // given
        var headers: HTTP.Headers = ["X-B": "1", "x-a": "2"]
        // when
        try headers.add("3", for: "X-C")
        headers["X-D"] = "4"
        // then
        #expect(headers.map(\.name.text) == ["X-B", "x-a", "X-C", "X-D"])
        #expect(headers.fields.map(\.value) == ["1", "2", "3", "4"])
    }

    @Test("find a name in upper and lower case", arguments: ["Content-Type", "content-type", "CONTENT-TYPE"])
    func caseInsensitive(name: String) {
        // given
        let headers: HTTP.Headers = ["Content-type": "text/plain"]
        // then
        #expect(headers[HTTP.Headers.Name(name)] == "text/plain")
        #expect(HTTP.Headers.Name(name) == .contentType)
        #expect(Set([HTTP.Headers.Name(name), .contentType]).count == 1)
    }

    @Test("tell letters apart from characters that differ from them by the same bit")
    func caseBit() {
        #expect(HTTP.Headers.Name("X^") != HTTP.Headers.Name("X~"))
        #expect(HTTP.Headers.Name("X-A") != HTTP.Headers.Name("X-AB"))
    }

    @Test("give the first of several values, and all of them in their order")
    func severalValues() throws {
        // given
        var headers: HTTP.Headers = ["Set-Cookie": "a=1", "Accept": "*/*", "set-cookie": "b=2"]
        // when
        try headers.add("c=3", for: .setCookie)
        // then
        #expect(headers[.setCookie] == "a=1")
        #expect(headers[values: .setCookie] == ["a=1", "b=2", "c=3"])
        #expect(headers[values: "X-None"] == [])
    }

    @Test("put a value that is set in the place of all values of the name, where the first one stood")
    func setReplaces() throws {
        // given
        var headers: HTTP.Headers = ["X-A": "1", "X-B": "2", "x-a": "3", "X-C": "4", "X-A": "5"]
        // when
        try headers.set("6", for: "X-A")
        // then
        #expect(headers.map(\.description) == ["X-A: 6", "X-B: 2", "X-C: 4"])
    }

    @Test("replace by subscript, and remove by nil")
    func subscripts() {
        // given
        var headers: HTTP.Headers = ["X-A": "1", "X-B": "2", "x-a": "3"]
        // when
        headers["x-A"] = "4"
        headers["X-b"] = nil
        // then
        #expect(headers.map(\.description) == ["x-A: 4"])
        #expect(headers["X-B"] == nil)
        #expect(headers.refused == nil)
    }

    @Test("remove all values of a name")
    func remove() {
        // given
        var headers: HTTP.Headers = ["X-A": "1", "X-B": "2", "x-a": "3"]
        // when
        headers.remove("X-a")
        // then
        #expect(headers.map(\.description) == ["X-B: 2"])
    }

    @Test(
        "lose white space around a value",
        arguments: [
            ("  a b\t", "a b"), ("\t\ta", "a"), ("a ", "a"), (" ", ""), ("", ""), ("a\tb", "a\tb"),
            (" \u{E5} ", "\u{E5}"),
        ])
    func trimmed(value: String, expected: String) throws {
        // given
        var headers = HTTP.Headers()
        // when
        try headers.set(value, for: "X-A")
        // then
        #expect(headers["X-A"] == expected)
    }

    @Test("are equal when they have the same fields in the same order, the case of names aside")
    func equality() {
        let headers: HTTP.Headers = ["X-A": "1", "X-B": "2"]
        #expect(headers == ["x-a": "1", "X-B": "2"])
        #expect(headers.hashValue == (["x-a": "1", "X-B": "2"] as HTTP.Headers).hashValue)
        #expect(headers != ["X-B": "2", "X-A": "1"])
        #expect(headers != ["X-A": "1"])
    }
}

@Suite("Headers in texts", .limited)
struct HeaderTextTests {
    private static let secrets: [HTTP.Headers.Name] = [
        .authorization, .proxyAuthorization, .cookie, .setCookie, .idempotencyKey, "X-API-Key", "X-Auth-Token",
        "X-Client-Secret", "x-password",
    ]

    @Test("hide the values of secret names, wherever they are printed", arguments: secrets)
    func redacted(name: HTTP.Headers.Name) throws {
        // given
        var headers: HTTP.Headers = ["Accept": "text/plain"]
        try headers.set("hunter2", for: name)
        let field = try #require(headers.fields.last)
        // when
        let texts = [
            headers.description, String(reflecting: headers), dumped(headers), "\(field)", String(reflecting: field),
            dumped(field), dumped(headers.fields),
        ]
        // then
        for text in texts {
            #expect(!text.contains("hunter2"))
            #expect(text.contains("\(name): <redacted>"))
        }
        #expect(headers.description.hasPrefix("Accept: text/plain\n"))
    }

    @Test("show secrets on an explicit demand only")
    func unredacted() {
        let headers: HTTP.Headers = ["Authorization": "Bearer hunter2"]
        #expect(headers.lines(.off) == ["Authorization: Bearer hunter2"])
        #expect(headers.lines(.standard) == ["Authorization: <redacted>"])
    }

    @Test("hide secrets in addresses, and a web token under a harmless name")
    func values() {
        // given
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"
        let headers: HTTP.Headers = ["Location": "https://a.example/?token=hunter2&page=2", "X-Note": token]
        // then
        #expect(headers.lines(.standard).first == "Location: https://a.example/?token=<redacted>&page=2")
        #expect(!headers.description.contains(token))
    }

    @Test("make what came from a server fit for a terminal")
    func controls() {
        // given
        var headers = HTTP.Headers()
        headers.addReceived("a\u{1B}[2J\r\nb\u{9B}31m\u{7F}", for: "X-\u{1B}]0;\u{7}Evil")
        // then
        #expect(!hasControls(headers.description))
        #expect(headers.lines(.standard).allSatisfy { !$0.contains("\n") })
        #expect(!hasControls(headers.map(\.description).joined()))
        #expect(!hasControls(dumped(headers)))
    }

    @Test("show no sign that turns the direction of writing, is not seen, or ends a line")
    func invisibleSigns() {
        // given
        var headers = HTTP.Headers()
        headers.addReceived("a\u{202E}b\u{2066}c\u{200B}d\u{2028}e\u{2029}f\u{FEFF}é👩\u{200D}👧", for: "X-Note")
        // then
        let shown = "X-Note: a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}f\u{FFFD}é👩\u{200D}👧"
        #expect(headers.lines(.standard) == [shown])
        #expect(headers.map(\.description) == [shown])
    }
}
