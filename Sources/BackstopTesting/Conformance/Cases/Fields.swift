internal import Backstop
internal import BackstopCore

extension TransportConformance.Case {
    /// Header fields of responses.
    static let fields: [Self] = [
        .answer(
            "fields.spaces", "RFC 9112, 5.1", "drops spaces around a value, but not inside it",
            .ok("X-Form:   a  b  "), .response(headers: ["X-Form": "a  b"])),
        .answer(
            "fields.tabs", "RFC 9112, 5.1", "drops tabs around a value, but not inside it",
            .ok("X-Form:\ta\tb\t"), .response(headers: ["X-Form": "a\tb"])),
        .answer(
            "fields.noSpace", "RFC 9112, 5.1", "needs no space after the colon",
            .ok("X-Form:a"), .response(headers: ["X-Form": "a"])),
        .answer(
            "fields.empty", "RFC 9110, 5.5", "keeps an empty value", .ok("X-Form:"),
            .response(headers: ["X-Form": ""])),
        .answer(
            "fields.blank", "RFC 9112, 5.1", "reads a value of spaces and tabs as an empty one", .ok("X-Form: \t "),
            .response(headers: ["X-Form": ""])),
        .answer(
            "fields.case", "RFC 9110, 5.1", "finds a name in any case",
            .http("200 OK", ["x-FORM: a", "CONTENT-length: 2"], "ok"), .response(headers: ["X-Form": "a"])),
        .answer(
            "fields.nameToken", "RFC 9110, 5.1", "reads a name of any characters that are allowed",
            .ok("x!#$%&'*+-.^_`|~09Az: a"), .response(headers: ["x!#$%&'*+-.^_`|~09Az": "a"])),
        .answer(
            "fields.repeated", "RFC 9110, 5.3", "keeps all values of a repeated name, in their order",
            .ok("X-Form: a", "X-Other: -", "X-Form: b", "X-Form: c"), .response(headers: ["X-Form": "a, b, c"])),
        .answer(
            "fields.repeatedCase", "RFC 9110, 5.3", "keeps all values of a name that is repeated in another case",
            .ok("X-Form: a", "x-form: b"), .response(headers: ["X-Form": "a, b"])),
        Self(
            "fields.setCookie", "RFC 9110, 5.3", "keeps each Set-Cookie as a field of its own"
        ) { trial in
            let cookies = ["a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT", "b=2; Path=/", "c=3, 4"]
            let server = try trial.answer(
                String.http("200 OK", cookies.map { "Set-Cookie: " + $0 } + ["Content-Length: 2"], "ok").utf8)
            let outcome = try await trial.get(server.origin)
            try trial.expect(outcome, .response())
            try trial.expect("Set-Cookie", outcome.response?.headers[values: .setCookie] ?? [], is: cookies)
        },
        Self(
            "fields.order", "Backstop, HTTP.Headers", "keeps the order of the fields"
        ) { trial in
            let names = ["X-C", "X-A", "X-Z", "X-B", "X-Y", "X-D", "X-X"]
            let server = try trial.answer(String.http("200 OK", names.map { "\($0): 1" } + ["Content-Length: 0"]).utf8)
            let outcome = try await trial.get(server.origin)
            try trial.expect(outcome, .response(200, ""))
            let came = outcome.response?.headers.map(\.name.text).filter { $0.hasPrefix("X-") }
            try trial.expect("the fields", came ?? [], is: names)
        },
        Self(
            "fields.folded", "RFC 9112, 5.2", "reads a folded line with a space instead of each fold, or refuses it"
        ) { trial in
            // One or more spaces, so their number is free.
            let one = Expected(description: "200 with the header X-Form: \"a b\", in any number of spaces") { outcome in
                let words = outcome.response?.headers["X-Form"]?.split(separator: " ")
                return outcome.response?.status == 200 && words == ["a", "b"]
            }
            try await trial.expectAnswer(
                Array(String.ok("X-Form: a\r\n  b").utf8), to: .get, then: .ends, [one, .malformed])
        },
        .answer(
            "fields.utf8", "RFC 9110, 5.5", "reads a value in UTF-8",
            .ok("X-Form: caf\u{E9} \u{2713}"), .response(headers: ["X-Form": "caf\u{E9} \u{2713}"])),
        .answer(
            "fields.latin1", "RFC 9110, 5.5", "does not refuse a value that is not UTF-8",
            Array("HTTP/1.1 200 OK\r\nX-Form: caf".utf8) + [0xE9]
                + Array("\r\nX-Other: a\r\nContent-Length: 2\r\n\r\nok".utf8),
            .response(headers: ["X-Other": "a"])),
        .answer(
            "fields.nul", "RFC 9110, 5.5", "refuses a NUL in a value, or reads a space instead",
            .ok("X-Form: a\u{0}b"), then: .ends, .response(headers: ["X-Form": "a b"]), .malformed),
        .answers(
            "fields.control", "RFC 9110, 5.5", "keeps another control character in a value, or refuses it",
            [.ok("X-Form: a\u{1}b"), .ok("X-Form: a\u{7F}b"), .ok("X-Form: a\u{1B}[2Jb")], then: .ends, .response(),
            .malformed),
        .answer(
            "fields.spaceBeforeColon", "RFC 9112, 5.1", "refuses a space before the colon, or drops it",
            .ok("X-Form : a"), then: .ends, .response(headers: ["X-Form": "a"]), .malformed),
        .answer(
            "fields.blankFirst", "RFC 9112, 2.2", "refuses a first header line that begins with a space, or drops it",
            .ok(" X-Form: a"), then: .ends, .response(headers: ["X-Form": nil]), .malformed),
        .answer(
            "fields.noColon", "RFC 9112, 5", "refuses a header line without a colon, or drops it",
            .ok("nonsense", "X-Form: a"), then: .ends, .response(headers: ["X-Form": "a"]), .malformed),
        .answer(
            "fields.emptyName", "RFC 9110, 5.1", "refuses a header line without a name, or drops it",
            .ok(": nobody", "X-Form: a"), then: .ends, .response(headers: ["X-Form": "a"]), .malformed),
        .answers(
            "fields.nameForm", "RFC 9110, 5.1", "refuses a name with characters that are not allowed, or reads on",
            [.ok("X Form: a"), .ok("X(Form): a"), .ok("X-F\u{F6}rm: a"), .ok("X\u{0}: a")], then: .ends, .response(),
            .malformed),
        .answer(
            "fields.long", "RFC 9110, 5.4", "reads a value of 8,000 bytes",
            .ok("X-Form: " + String(repeating: "a", count: 8000)),
            .response(headers: ["X-Form": String(repeating: "a", count: 8000)])),
        .answer(
            "fields.many", "RFC 9110, 5.4", "reads 100 header lines",
            .http("200 OK", (1...99).map { "X-\($0): a" } + ["Content-Length: 2"], "ok"),
            .response(headers: ["X-99": "a"])),
        .answer(
            "fields.megabyte", "RFC 9110, 5.4", "reads a value of 1 MB completely, or refuses it",
            .ok("X-Form: " + String(repeating: "a", count: 1_000_000)), then: .ends,
            .response(headers: ["X-Form": String(repeating: "a", count: 1_000_000)]),
            .failure(.tooLarge, .badResponse)),
        .answer(
            "fields.thousands", "RFC 9110, 5.4", "reads 10,000 header lines completely, or refuses them",
            .http("200 OK", Array(repeating: "X-Fill: a", count: 10_000) + ["X-Last: a", "Content-Length: 2"], "ok"),
            then: .ends, .response(headers: ["X-Last": "a"]), .failure(.tooLarge, .badResponse)),
    ]
}
