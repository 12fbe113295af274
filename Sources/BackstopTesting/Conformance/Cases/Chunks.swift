internal import Backstop
internal import BackstopCore

extension TransportConformance.Case {
    /// Chunked bodies, and their trailers.
    static let chunks: [Self] = [
        .chunks("chunks.one", "RFC 9112, 7.1", "reads a chunk", "2\r\nok\r\n0\r\n\r\n", .response()),
        .chunks("chunks.none", "RFC 9112, 7.1", "reads a body without chunks", "0\r\n\r\n", .response(200, "")),
        .chunks(
            "chunks.several", "RFC 9112, 7.1", "puts several chunks together", "1\r\no\r\n1\r\nk\r\n0\r\n\r\n",
            .response()),
        .chunks(
            "chunks.hexadecimal", "RFC 9112, 7.1", "reads sizes in both cases of hexadecimal digits",
            "a\r\n0123456789\r\nA\r\n0123456789\r\n1A\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n",
            .response(200, "01234567890123456789abcdefghijklmnopqrstuvwxyz")),
        .chunks(
            "chunks.leadingZeros", "RFC 9112, 7.1", "reads a size with leading zeros",
            "0000000002\r\nok\r\n000\r\n\r\n", .response()),
        .chunks(
            "chunks.extensions", "RFC 9112, 7.1.1", "ignores extensions",
            "1;a\r\no\r\n1;a=b;c=\"d;\\\"e\"\r\nk\r\n0;f=g\r\n\r\n", .response()),
        .chunks(
            "chunks.extensionSpaces", "RFC 9112, 7.1.1", "ignores spaces in extensions, or refuses them",
            "1 ; a\r\no\r\n1; a = b\r\nk\r\n0 ;f\r\n\r\n", then: .ends, .response(), .malformed),
        .chunks(
            "chunks.lineBreaks", "RFC 9112, 7.1", "leaves line breaks in the content alone",
            "6\r\n\r\n0\r\n\r\r\n0\r\n\r\n", .response(200, "\r\n0\r\n\r")),
        .chunks(
            "chunks.codingCase", "RFC 9112, 7", "knows the name of the encoding in any case", coding: "Chunked",
            "2\r\nok\r\n0\r\n\r\n", .response()),
        .chunks(
            "chunks.twice", "RFC 9112, 6.1", "does not take chunks twice for the same body", coding: "chunked, chunked",
            "2\r\nok\r\n0\r\n\r\n", then: .ends, .response(), .malformed),
        .chunks(
            "chunks.unknownCoding", "RFC 9112, 6.3", "reads up to the end after an unknown encoding, or refuses it",
            coding: "zz9", "until the end", then: .ends, .response(200, "until the end"), .malformed),
        .chunks(
            "chunks.compressed", "RFC 9112, 7.2", "does not take chunks for content that are compressed",
            coding: "gzip, chunked", "2\r\nok\r\n0\r\n\r\n", then: .ends, .malformed),
        .chunks(
            "chunks.invalidSize", "RFC 9112, 7.1", "refuses a size that is no hexadecimal number",
            bodies: ["x\r\nok\r\n", "-2\r\nok\r\n", "+2\r\nok\r\n", "0x2\r\nok\r\n", "\"2\"\r\nok\r\n", "g\r\nok\r\n"]
                .map { $0 + "0\r\n\r\n" }, .malformed),
        .chunks(
            "chunks.emptySize", "RFC 9112, 7.1", "refuses an empty size",
            bodies: ["\r\nok\r\n0\r\n\r\n", ";a\r\nok\r\n0\r\n\r\n"], .malformed),
        .chunks(
            "chunks.hugeSize", "RFC 9112, 7.1", "refuses a size that no number holds",
            bodies: ["10000000000000000", "fffffffffffffffff", "ffffffffffffffffffffffffffffffff"].map {
                $0 + "\r\nok\r\n0\r\n\r\n"
            }, .failure(.badResponse, .tooLarge)),
        .chunks(
            "chunks.largestSize", "RFC 9112, 7.1", "survives a size near 2^63 and 2^64",
            bodies: ["7fffffffffffffff", "8000000000000000", "ffffffffffffffff", "fffffffffffffffe"].map {
                $0 + "\r\nok\r\n0\r\n\r\n"
            }, .failure(.badResponse, .tooLarge, .truncated)),
        .chunks(
            "chunks.noLast", "RFC 9112, 8", "reports a body without its last chunk",
            bodies: ["", "2\r\nok\r\n", "2\r\nok\r\n0"], .failure(.truncated, in: .receiving)),
        .chunks(
            "chunks.short", "RFC 9112, 8", "reports a chunk that is shorter than its size",
            bodies: ["3\r\nok", "100\r\nok\r\n", "2\r\no", "2"], .failure(.truncated, in: .receiving)),
        .chunks(
            "chunks.noLineBreak", "RFC 9112, 7.1", "refuses a chunk that is longer than its size",
            bodies: ["1\r\nok\r\n0\r\n\r\n", "2\r\nok0\r\n\r\n"], .malformed),
        .chunks(
            "chunks.longExtension", "RFC 9112, 7.1.1", "ignores an extension of 1 MB, or refuses it",
            "2;a=" + String(repeating: "b", count: 1_000_000) + "\r\nok\r\n0\r\n\r\n", then: .ends, .response(),
            .failure(.badResponse, .tooLarge)),
        Self(
            "chunks.byteByByte", "RFC 9112, 7.1", "reads chunks that arrive in single bytes"
        ) { trial in
            let body = "1;a=b\r\no\r\n1\r\nk\r\n0\r\n\r\n"
            let server = try trial.drip(String.http("200 OK", ["Transfer-Encoding: chunked"], body).utf8)
            try trial.expect(try await trial.get(server.origin), .response())
        },
        .chunks(
            "trailers.ignored", "RFC 9110, 6.5.1", "reads a body with trailers, and does not take them for headers",
            "2\r\nok\r\n0\r\nX-Trailer: a\r\nX-Other: b\r\n\r\n",
            .response(headers: ["X-Trailer": nil, "X-Other": nil])),
        .chunks(
            "trailers.framing", "RFC 9110, 6.5.1", "ignores a length in a trailer, or refuses it",
            "2\r\nok\r\n0\r\nContent-Length: 1\r\nTransfer-Encoding: zz9\r\nLocation: /other\r\n\r\n",
            .response(headers: ["Content-Length": nil, "Location": nil]), .malformed),
        Self(
            "trailers.endless", "RFC 9110, 5.4", "ends trailers that never do", runsAlone: true
        ) { trial in
            try await trial.expectEndless(
                .http("200 OK", ["Transfer-Encoding: chunked"], "2\r\nok\r\n0\r\n"),
                String(repeating: "X-Fill: a\r\n", count: 5000))
        },
    ]

    private static func chunks(
        _ name: String, _ rule: String, _ title: String, coding: String = "chunked", _ body: String,
        then end: AnswerEnd = .keeps, _ expected: Expected...
    ) -> Self {
        Self(name, rule, title) { trial in
            try await trial.expectAnswer(
                Array(String.http("200 OK", ["Transfer-Encoding: " + coding], body).utf8), to: .get, then: end, expected
            )
        }
    }

    /// Bodies that end with the connection, and must all have the same outcome.
    private static func chunks(
        _ name: String, _ rule: String, _ title: String, bodies: [String], _ expected: Expected...
    ) -> Self {
        Self(name, rule, title) { trial in
            for body in bodies {
                try await trial.expectAnswer(
                    Array(String.http("200 OK", ["Transfer-Encoding: chunked"], body).utf8), to: .get, then: .ends,
                    expected, "for the body \(body.debugDescription)")
            }
        }
    }
}
