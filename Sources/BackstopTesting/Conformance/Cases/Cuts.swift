internal import Backstop
internal import BackstopCore

extension TransportConformance.Case {
    /// Responses that end too early, after each of their bytes.
    static let cuts: [Self] = [
        .cut("cuts.head.end", "the connection ends within the head", head, "", .ends),
        .cut("cuts.head.reset", "the connection is reset within the head", head, "", .resets),
        .cut("cuts.length.end", "the connection ends before the announced length", head, "0123456789", .ends),
        .cut("cuts.length.reset", "the connection is reset before the announced length", head, "0123456789", .resets),
        .cut("cuts.chunks.end", "the connection ends before the last chunk", chunkedHead, chunked, .ends),
        .cut("cuts.chunks.reset", "the connection is reset before the last chunk", chunkedHead, chunked, .resets),
        .answer(
            "cuts.status", "RFC 9112, 8", "does not return an error status whose head has been cut",
            "HTTP/1.1 503 Busy\r\nRetry-Af", then: .ends, .failure(.lost, .truncated, .badResponse)),
        Self(
            "cuts.partial", "Backstop, TransferProgress", "shows what had arrived of a response that was cut"
        ) { trial in
            let server = try trial.answerOnce(
                String.http("200 OK", ["X-Form: a", "Content-Length: 10"], "01234").utf8, then: .ends)
            let outcome = try await trial.get(server.origin)
            try trial.expect(outcome, .failure(.truncated, in: .receiving))
            let part = outcome.failure?.response
            try trial.expect("the status", part?.status, is: 200)
            try trial.expect("the header X-Form", part?.headers["X-Form"], is: "a")
            try trial.expect("the body", part.map { String(decoding: $0.body, as: UTF8.self) }, is: "01234")
        },
    ]

    private static let head = String.http(
        "200 OK", ["Date: Sun, 22 Nov 2026 00:00:00 GMT", "Content-Length: 10"])
    private static let chunkedHead = String.http("200 OK", ["Transfer-Encoding: chunked"])
    private static let chunked = "4\r\n0123\r\n6;a=b\r\n456789\r\n"

    /// The answer is cut after each byte of its second part, or of the first one if that is all.
    private static func cut(
        _ name: String, _ fault: String, _ head: String, _ body: String, _ end: AnswerEnd
    ) -> Self {
        Self(name, "RFC 9112, 8", "reports a response as incomplete when \(fault)") { trial in
            let whole = Array((head + body).utf8)
            let positions = body.isEmpty ? 0...head.utf8.count - 1 : head.utf8.count...whole.count - 1
            // A reset may overtake the bytes before it, so it only says that the connection was lost.
            let expected: [Expected] =
                if body.isEmpty {
                    [.failure(.lost, .truncated, .badResponse, in: .waiting, .receiving, .connecting)]
                } else if end == .ends {
                    [.failure(.truncated, in: .receiving)]
                } else {
                    [.failure(.lost, .truncated, in: .receiving, .waiting)]
                }
            let server = try trial.serve { connection in
                let request = try connection.readRequest()
                let position = Int(request.target.dropFirst()) ?? 0
                try connection.send(whole.prefix(position))
                if end == .resets { try connection.reset() }
            }
            let transport = try await trial.transport()
            for position in positions {
                let outcome = await trial.send(try .init(.get, "\(server.origin)/\(position)"), through: transport)
                try trial.expect(outcome, expected, "cut after byte \(position)")
            }
        }
    }
}
