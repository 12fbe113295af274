internal import Backstop
internal import BackstopCore

extension TransportConformance.Case {
    /// The first line of a response, and the end of its head.
    static let heads: [Self] = [
        .answer("heads.plain", "RFC 9112, 4", "reads a response", .ok(), .response()),
        .answer(
            "heads.emptyReason", "RFC 9112, 4", "reads a status line whose reason phrase is empty",
            "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok", .response()),
        .answer(
            "heads.noReason", "RFC 9112, 4", "reads a status line without a reason phrase or the space before it",
            "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", .response()),
        .answer(
            "heads.longReason", "RFC 9112, 4", "ignores the reason phrase, however long",
            .http("200 " + String(repeating: "very ", count: 500) + "OK", ["Content-Length: 2"], "ok"), .response()),
        .answer(
            "heads.otherReason", "RFC 9112, 4", "goes by the status code, whatever the reason phrase says",
            .http("404 200 OK", ["Content-Length: 2"], "ok"), .response(404)),
        .answer(
            "heads.reasonBytes", "RFC 9112, 4", "ignores a reason phrase that is not UTF-8",
            Array("HTTP/1.1 200 ".utf8) + [0xE9, 0xFF] + Array("\r\nContent-Length: 2\r\n\r\nok".utf8), .response()),
        .answer(
            "heads.http10", "RFC 9112, 6.3", "reads a body of HTTP/1.0 up to the end of the connection",
            "HTTP/1.0 200 OK\r\n\r\nok", then: .ends, .response()),
        .answer(
            "heads.http10Length", "RFC 9112, 6.3", "reads a body of HTTP/1.0 by its length",
            "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", .response()),
        .answer(
            "heads.minorVersion", "RFC 9110, 2.5", "reads a higher minor version as the one it knows, or refuses it",
            "HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\nok", then: .ends, .response(), .malformed),
        .answers(
            "heads.majorVersion", "RFC 9110, 2.5", "refuses a major version that it does not know",
            ["HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/0.0 200 OK\r\nContent-Length: 2\r\n\r\nok"],
            then: .ends, .malformed),
        .answers(
            "heads.versionCase", "RFC 9112, 2.3", "refuses a version in the wrong case",
            ["http/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "Http/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"],
            then: .ends, .malformed),
        .answers(
            "heads.versionForm", "RFC 9112, 2.3", "refuses a version in another form",
            ["HTTP/1 200 OK", "HTTP/1.1.1 200 OK", "HTTP/11 200 OK", "HTTP/+1.1 200 OK", "HTTP 200 OK"].map {
                $0 + "\r\nContent-Length: 2\r\n\r\nok"
            }, then: .ends, .malformed),
        .answers(
            "heads.http09", "RFC 9112, 4", "refuses a response without a head, as of HTTP/0.9",
            ["<html>hello</html>", "ok", "200 OK\r\n\r\nok", "\r\nok\r\n"], then: .ends, .malformed),
        .answers(
            "heads.otherProtocol", "RFC 9112, 4", "refuses what another protocol sends",
            [
                "SSH-2.0-OpenSSH_9.9\r\n", "220 mail.example.com ESMTP\r\n", "ICY 200 OK\r\n\r\nok", "+OK ready\r\n",
                "RTSP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{28}",
            ], then: .ends, .malformed),
        .answer(
            "heads.emptyLineFirst", "RFC 9112, 2.2", "ignores an empty line before the status line, or refuses it",
            "\r\n" + .ok(), then: .ends, .response(), .malformed),
        .answer(
            "heads.bareLF", "RFC 9112, 2.2", "takes a bare LF for the end of a line, or refuses it",
            "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", then: .ends, .response(), .malformed),
        .answers(
            "heads.bareCR", "RFC 9112, 2.2", "refuses a bare CR, or reads a space instead",
            [.ok("X-Form: a\rb")], then: .ends, .response(headers: ["X-Form": "a b"]), .malformed),
        Self(
            "heads.byteByByte", "RFC 9112, 2.2", "reads a response that arrives in single bytes"
        ) { trial in
            let server = try trial.drip(String.ok("X-Form: a").utf8)
            try trial.expect(try await trial.get(server.origin), .response(headers: ["X-Form": "a"]))
        },
        Self(
            "heads.endless", "RFC 9110, 5.4", "ends a head that never does", runsAlone: true
        ) { trial in
            try await trial.expectEndless(
                "HTTP/1.1 200 OK\r\n",
                String(repeating: "X-Fill: \(String(repeating: "a", count: 2000))\r\n", count: 30))
        },
        Self(
            "heads.endlessLine", "RFC 9110, 5.4", "ends a header line that never does", runsAlone: true
        ) { trial in
            try await trial.expectEndless("HTTP/1.1 200 OK\r\nX-Fill: ", String(repeating: "a", count: 65_536))
        },
        Self(
            "heads.endlessReason", "RFC 9112, 4", "ends a status line that never does", runsAlone: true
        ) { trial in
            try await trial.expectEndless("HTTP/1.1 200 ", String(repeating: "a", count: 65_536))
        },
    ]
}

extension Trial {
    /// Sends one request to a server that answers without end: the client must give up long before 64 MiB.
    func expectEndless(_ begin: String, _ more: String) async throws {
        let server = try serve { connection in
            try connection.readRequest()
            try connection.send(begin)
            try connection.flood(Array(more.utf8), times: (128 << 20) / more.utf8.count)
        }
        try expect(
            try await get(server.origin, limit: .seconds(8)),
            .failure(.tooLarge, .badResponse, in: .receiving, .waiting))
        let sent = server.state.sent
        try require(sent < 64 << 20, "an end after less than 64 MiB", came: "an end after \(sent) bytes")
    }
}
