internal import Backstop
internal import BackstopCore

extension TransportConformance.Case {
    /// `Content-Encoding`: compressed bodies.
    static let codings: [Self] = [
        .coded(
            "codings.gzip", "RFC 9110, 8.4.1.3", "decodes gzip", "gzip", Compressed.gzip(text), .response(200, text)),
        .coded(
            "codings.deflate", "RFC 9110, 8.4.1.2", "decodes deflate", "deflate", Compressed.zlib(text),
            .response(200, text)),
        .coded(
            "codings.identity", "RFC 9110, 12.5.3", "reads identity as it is", "identity", text, .response(200, text)),
        .coded(
            "codings.xGzip", "RFC 9110, 8.4.1.3", "knows gzip by its old name", "x-gzip", Compressed.gzip(text),
            .response(200, text)),
        .coded(
            "codings.twice", "RFC 9110, 8.4", "decodes gzip of gzip once where it is named once", "gzip",
            Compressed.gzip(Compressed.gzip(ok)), .response(200, Compressed.gzip(ok))),
        .answer(
            "codings.content", "RFC 9110, 8.4", "returns content that is gzip itself as it is",
            Array(
                String.http(
                    "200 OK", ["Content-Type: application/gzip", "Content-Length: \(Compressed.gzip(ok).count)"]
                ).utf8) + Compressed.gzip(ok),
            .response(200, Compressed.gzip(ok))),
        .coded(
            "codings.case", "RFC 9110, 8.4.1", "knows an encoding in any case", "GZip", Compressed.gzip(text),
            .response(200, text)),
        .coded(
            "codings.unknown", "RFC 9110, 8.4", "returns an unknown encoding as it is, or refuses it", "zz9", text,
            .response(200, text, headers: ["Content-Encoding": "zz9"]), .malformed),
        .coded(
            "codings.empty", "RFC 9110, 8.4", "reads an empty body, whatever its encoding", "gzip", [],
            .response(200, "")),
        .coded(
            "codings.noGzip", "RFC 9110, 8.4.1.3", "reports a body that is not the gzip that it claims to be", "gzip",
            text, .malformed),
        .coded(
            "codings.truncated", "RFC 9110, 8.4.1.3", "reports gzip that ends too early, although its length is right",
            "gzip", Array(Compressed.gzip(text).dropLast(12)), .failure(.badResponse, .truncated, in: .receiving)),
        .coded(
            "codings.checksum", "RFC 1952, 2.3.1", "reports gzip whose checksum is wrong", "gzip",
            Array(Compressed.gzip(text).dropLast(8)) + [0, 0, 0, 0] + Array(Compressed.gzip(text).suffix(4)),
            .failure(.badResponse, .truncated, in: .receiving)),
        .coded(
            "codings.surplus", "RFC 1952, 2.2", "reports bytes behind the end of gzip", "gzip",
            Compressed.gzip(text) + [1, 2, 3, 4, 5, 6], .malformed),
        .coded(
            "codings.notAsked", "RFC 9110, 8.4", "reports brotli that is none, or was not asked for", "br",
            [0xFF, 0xFE, 0xFD, 0xFF, 0xFF, 0xFF, 0x11, 0x22, 0x33], .malformed),
        Self("codings.chunked", "RFC 9112, 7", "decodes gzip that comes in chunks of one byte") { trial in
            let body = Compressed.gzip(text).flatMap { Array("1\r\n".utf8) + [$0] + Array("\r\n".utf8) }
            let head = String.http("200 OK", ["Content-Encoding: gzip", "Transfer-Encoding: chunked"])
            try await trial.expectAnswer(
                Array(head.utf8) + body + Array("0\r\n\r\n".utf8), to: .get, then: .keeps, [.response(200, text)])
        },
        .answer(
            "codings.untilEnd", "RFC 9112, 6.3", "decodes gzip that ends with the connection",
            Array(String.http("200 OK", ["Content-Encoding: gzip"]).utf8) + Compressed.gzip(text), then: .ends,
            .response(200, text)),
        .answer(
            "codings.head", "RFC 9110, 9.3.2", "decodes nothing after HEAD", to: .head,
            .http("200 OK", ["Content-Encoding: gzip", "Content-Length: 100"]), .response(200, "")),
        .answers(
            "codings.noBody", "RFC 9112, 6.3", "decodes nothing after 204 and 304",
            [
                .http("204 No Content", ["Content-Encoding: gzip"]),
                .http("304 Not Modified", ["Content-Encoding: gzip"]),
            ],
            .response(204, ""), .response(304, "")),
        Self("codings.asked", "RFC 9110, 12.5.3", "sends an Accept-Encoding of the caller's as it is, once") { trial in
            let server = try trial.answer(String.ok().utf8)
            let request = try HTTP.Request(.get, server.origin, headers: ["Accept-Encoding": "identity"])
            try trial.expect(try await trial.send(request), .response())
            try trial.expect(
                "Accept-Encoding", server.state.requests.first?.values(of: "Accept-Encoding") ?? [], is: ["identity"])
        },
        Self(
            "codings.bomb", "Backstop, Transport", "stops a small body that grows beyond its limit",
            needsOptions: true
        ) { trial in
            // Less than half a megabyte on the wire.
            let bomb = Compressed.gzipBomb(bytes: 64 << 20)
            let server = try trial.answer(
                Array(String.http("200 OK", ["Content-Encoding: gzip", "Content-Length: \(bomb.count)"]).utf8) + bomb)
            let transport = try await trial.transport(.init(responseLimit: 1 << 20))
            let outcome = await trial.send(try .init(.get, server.origin), through: transport)
            try trial.expect(outcome, .failure(.tooLarge, in: .receiving))
        },
    ]

    private static let text = Array("{\"title\":\"Dune\"} {\"title\":\"Emma\"} {\"title\":\"Dune\"}".utf8)

    private static let ok = Array("ok".utf8)

    private static func coded(
        _ name: String, _ rule: String, _ title: String, _ coding: String, _ body: [UInt8], _ expected: Expected...
    ) -> Self {
        Self(name, rule, title) { trial in
            let head = String.http("200 OK", ["Content-Encoding: \(coding)", "Content-Length: \(body.count)"])
            try await trial.expectAnswer(Array(head.utf8) + body, to: .get, then: .keeps, expected)
        }
    }
}
