internal import Backstop
internal import BackstopCore
internal import Foundation

extension TransportConformance.Case {
    /// Connections that are not made, or that are lost.
    static let resets: [Self] = [
        Self("resets.refused", "RFC 9293, 3.10.7.1", "reports a port where nothing listens") { trial in
            let port = try ClosedPort.refusing()
            try trial.expect(try await trial.get(port.origin), .failure(.refused, in: .connecting))
        },
        Self("resets.unknownHost", "RFC 6761, 6.4", "reports a host that does not exist") { trial in
            try trial.expect(
                try await trial.get("http://backstop-conformance.invalid/"), .failure(.dns, in: .connecting))
        },
        Self("resets.tls", "RFC 8446, 6", "reports a server that does not speak TLS") { trial in
            let server = try trial.serve { connection in
                _ = try connection.readBytes(5)
                try connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            }
            let url = server.origin.replacingOccurrences(of: "http:", with: "https:")
            try trial.expect(try await trial.get(url), .failure(.tls, in: .connecting))
        },
        Self("resets.accepted", "RFC 9112, 9.5", "reports a connection that is reset as soon as it is made") { trial in
            let server = try trial.serve { try $0.reset() }
            try trial.expect(
                try await trial.get(server.origin),
                .failure(.lost, .refused, .unreachable, in: .connecting, .sending, .waiting))
        },
        Self("resets.request", "RFC 9112, 9.5", "reports a connection that is reset after the head of the request") {
            trial in
            let server = try trial.serve { connection in
                _ = try connection.readHead()
                try connection.reset()
            }
            try trial.expect(
                try await trial.get(server.origin), .failure(.lost, .truncated, in: .sending, .waiting, .connecting))
        },
        Self("resets.sending", "RFC 9112, 9.5", "reports a connection that is reset while the body is sent") { trial in
            let server = try trial.serve { connection in
                _ = try connection.readHead()
                _ = try connection.readBytes(100_000)
                try connection.reset()
            }
            let body = Data(count: 32 << 20)
            let outcome = try await trial.send(
                try .init(.post, server.origin, headers: [.contentType: "application/octet-stream"], body: .data(body)))
            try trial.expect(outcome, .failure(.lost, in: .sending))
            try trial.expect("the number of requests", server.state.requests.count, is: 1)
        },
        .unanswered("resets.waiting", "is reset", .resets),
        .unanswered("resets.end", "ends", .ends),
        .lost("resets.interim", "after an interim response", .http("103 Early Hints", ["Link: </a>"])),
        .lost("resets.head", "after the head", .http("200 OK", ["Content-Length: 10"])),
        .lost("resets.untilEnd", "within a body without a length", .http("200 OK", [], "01234")),
    ]

    private static func unanswered(_ name: String, _ fault: String, _ end: AnswerEnd) -> Self {
        Self(name, "RFC 9112, 9.5", "reports a connection that \(fault) instead of an answer") { trial in
            let server = try trial.answerOnce("".utf8, then: end)
            let outcome = try await trial.send(try .init(.post, server.origin, body: .data(Data("once".utf8))))
            try trial.expect(outcome, .failure(.lost, in: .waiting))
            try trial.expect("the number of requests", server.state.requests.count, is: 1)
        }
    }

    private static func lost(_ name: String, _ place: String, _ text: String) -> Self {
        answer(
            name, "RFC 9112, 9.5", "reports a connection that is reset \(place)", text, then: .resets,
            .failure(.lost, .truncated, in: .waiting, .receiving))
    }
}
