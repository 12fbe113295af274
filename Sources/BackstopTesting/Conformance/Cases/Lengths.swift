internal import Backstop
internal import BackstopCore

extension TransportConformance.Case {
    /// `Content-Length`, and bodies without it.
    static let lengths: [Self] = [
        .answer("lengths.exact", "RFC 9112, 6.3", "reads as many bytes as announced", .ok(), .response()),
        .answer(
            "lengths.zero", "RFC 9112, 6.3", "reads an empty body",
            .http("200 OK", ["Content-Length: 0"]), .response(200, "")),
        .answer(
            "lengths.leadingZeros", "RFC 9110, 8.6", "reads a length with leading zeros",
            .http("200 OK", ["Content-Length: 0002"], "ok"), .response()),
        .answer(
            "lengths.absent", "RFC 9112, 6.3", "reads up to the end of the connection without a length",
            .http("200 OK", [], "until the end"), then: .ends, .response(200, "until the end")),
        .answer(
            "lengths.absentKeepAlive", "RFC 9112, 6.3", "reads up to the end, whatever Connection says",
            .http("200 OK", ["Connection: keep-alive"], "until the end"), then: .ends,
            .response(200, "until the end")),
        .answer(
            "lengths.repeatedEqual", "RFC 9110, 8.6", "reads a length that is sent twice as one, or refuses it",
            .http("200 OK", ["Content-Length: 2", "Content-Length: 2"], "ok"), then: .ends, .response(), .malformed),
        .answer(
            "lengths.listEqual", "RFC 9110, 8.6", "reads a list of equal lengths as one, or refuses it",
            .http("200 OK", ["Content-Length: 2, 2"], "ok"), then: .ends, .response(), .malformed),
        .answers(
            "lengths.different", "RFC 9112, 6.3", "refuses lengths that differ",
            [
                .http("200 OK", ["Content-Length: 2", "Content-Length: 3"], "ok!"),
                .http("200 OK", ["Content-Length: 3", "Content-Length: 2"], "ok!"),
                .http("200 OK", ["Content-Length: 2, 3"], "ok!"),
                .http("200 OK", ["Content-Length: 2", "Content-Length: 2", "Content-Length: 0"], "ok!"),
            ], then: .ends, .malformed),
        .lengths("lengths.negative", "refuses a negative length", ["-1", "-2", "-0"]),
        .lengths("lengths.plus", "refuses a length with a plus sign", ["+2"]),
        .lengths("lengths.hexadecimal", "refuses a hexadecimal length", ["0x2", "2h"]),
        .lengths("lengths.decimal", "refuses a length with decimals", ["2.0", "2,0", "2e0"]),
        .lengths("lengths.words", "refuses a length that is no number", ["many", "\"2\"", "2 2", "2;a", "NaN"]),
        .lengths("lengths.empty", "refuses an empty length", [""]),
        .lengths("lengths.otherDigits", "refuses digits that are not ASCII", ["\u{0662}", "\u{FF12}"]),
        .answers(
            "lengths.huge", "RFC 9110, 8.6", "refuses a length that no number holds",
            ["9223372036854775808", "18446744073709551616", "99999999999999999999999999"].map {
                .http("200 OK", ["Content-Length: " + $0], "ok")
            }, then: .ends, .failure(.badResponse, .tooLarge, .truncated)),
        .answers(
            "lengths.largest", "RFC 9110, 8.6", "refuses a length near 2^63 as one that is too large",
            ["9223372036854775807", "9223372036854775296", "4611686018427387904"].map {
                .http("200 OK", ["Content-Length: " + $0], "ok")
            }, then: .ends, .failure(.badResponse, .tooLarge, .truncated)),
        .answer(
            "lengths.tooLong", "RFC 9112, 8", "reports a body that is shorter than announced",
            .http("200 OK", ["Content-Length: 3"], "ok"), then: .ends, .failure(.truncated, in: .receiving)),
        .answer(
            "lengths.none", "RFC 9112, 8", "reports a body that is announced and never comes",
            .http("200 OK", ["Content-Length: 3"], ""), then: .ends, .failure(.truncated, in: .receiving)),
        .answer(
            "lengths.noContent", "RFC 9112, 6.3", "reads no body after 204, whatever length is announced",
            .http("204 No Content", ["Content-Length: 5"]), .response(204, "")),
        .answer(
            "lengths.notModified", "RFC 9112, 6.3", "reads no body after 304, whatever length is announced",
            .http("304 Not Modified", ["Content-Length: 5"]), .response(304, "")),
        .answer(
            "lengths.head", "RFC 9112, 6.3", "reads no body after HEAD, whatever length is announced", to: .head,
            .http("200 OK", ["Content-Length: 5"]), .response(200, "", headers: ["Content-Length": "5"])),
        .answer(
            "lengths.headLarge", "RFC 9110, 9.3.2", "accepts any length after HEAD, even one beyond its limit",
            to: .head, .http("200 OK", ["Content-Length: 1099511627776"]), .response(200, "")),
        .answer(
            "lengths.headChunked", "RFC 9112, 6.3", "reads no body after HEAD, whatever its encoding", to: .head,
            .http("200 OK", ["Transfer-Encoding: chunked"]), .response(200, "")),
        .answer(
            "lengths.headAbsent", "RFC 9112, 6.3", "waits for no end after HEAD without a length", to: .head,
            .http("200 OK"), .response(200, "")),
        .answer(
            "lengths.chunkedToo", "RFC 9112, 6.3", "goes by the chunks if there is a length as well, or refuses it",
            .http("200 OK", ["Content-Length: 4", "Transfer-Encoding: chunked"], "2\r\nok\r\n0\r\n\r\n"), then: .ends,
            .response(), .malformed),
        .answer(
            "lengths.chunkedFirst", "RFC 9112, 6.3", "goes by the chunks if a length follows, or refuses it",
            .http("200 OK", ["Transfer-Encoding: chunked", "Content-Length: 4"], "2\r\nok\r\n0\r\n\r\n"), then: .ends,
            .response(), .malformed),
    ]

    /// Lengths that are none (RFC 9110, 8.6), and so make a message that cannot be read (RFC 9112, 6.3).
    private static func lengths(_ name: String, _ title: String, _ values: [String]) -> Self {
        Self(name, "RFC 9112, 6.3", title) { trial in
            for value in values {
                try await trial.expectAnswer(
                    Array(String.http("200 OK", ["Content-Length: " + value], "ok").utf8), to: .get, then: .ends,
                    [.malformed], "for \(value.debugDescription)")
            }
        }
    }
}
