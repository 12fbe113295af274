internal import Backstop
internal import BackstopCore
internal import Foundation

extension TransportConformance.Case {
    /// Servers that fall silent: the time limit of the attempt ends the call, and says where it was.
    static let silence: [Self] = [
        .unconnected(
            "silence.connecting", "Backstop, Transport", "ends at the limit while there is no connection",
            .timeout(in: .connecting)),
        .silent("silence.unread", "and does not read the request", in: .waiting, .sending, .connecting) { _ in },
        Self(
            "silence.sending", "Backstop, Transport", "ends at the limit while the server does not take the body"
        ) { trial in
            let server = try trial.serve { connection in
                _ = try connection.readHead()
                // Reads nothing, so that the client cannot go on sending; until the server stops.
                try connection.wait(for: "never")
            }
            // More than the system's buffers take.
            let body = Data(count: 32 << 20)
            try await trial.expectTimeout(.timeout(in: .sending)) { limit in
                try await trial.send(
                    try .init(
                        .put, server.origin, headers: [.contentType: "application/octet-stream"], body: .data(body)),
                    limit: limit)
            }
        },
        .silent("silence.waiting", "before the first byte of the response", in: .waiting),
        .silent("silence.statusLine", "within the status line", "HTTP/1.1 20", in: .waiting, .receiving),
        .silent(
            "silence.fields", "within the header fields", "HTTP/1.1 200 OK\r\nContent-Len", in: .waiting, .receiving),
        .silent(
            "silence.interim", "after an interim response", .http("103 Early Hints", ["Link: </a>"]),
            in: .waiting, .receiving),
        .silent("silence.afterHead", "after the head", .http("200 OK", ["Content-Length: 10"]), in: .receiving),
        .silent("silence.body", "within the body", .http("200 OK", ["Content-Length: 10"], "01234"), in: .receiving),
        .silent("silence.untilEnd", "within a body without a length", .http("200 OK", [], "01234"), in: .receiving),
        .silent(
            "silence.chunks", "between two chunks", .http("200 OK", ["Transfer-Encoding: chunked"], "2\r\nok\r\n"),
            in: .receiving),
        .silent(
            "silence.lastChunk", "after the last chunk, before the empty line",
            .http("200 OK", ["Transfer-Encoding: chunked"], "2\r\nok\r\n0\r\n"), in: .receiving),
        .silent("silence.slow", "although a byte comes from time to time", in: .receiving) { connection in
            try connection.readRequest()
            try connection.send(.http("200 OK", ["Content-Length: 1000000"]))
            while true {
                try connection.send("a")
                Thread.sleep(forTimeInterval: 0.005)
            }
        },
        .silent(
            "progress.waiting", "before the first byte of the response, and says that it waited", strictly: .waiting),
        .silent(
            "progress.receiving", "within the body, and says that it was receiving",
            .http("200 OK", ["Content-Length: 10"], "01234"), strictly: .receiving),
        .unconnected(
            "progress.connecting", "Backstop, TransferProgress", "says that it was connecting when the limit ends that",
            .failure(codes: ["timeout.attempt"], in: [.connecting])),
        Self(
            "silence.ends", "Backstop, Transport", "closes the connection of a call that the limit has ended"
        ) { trial in
            let server = try trial.answerOnce("".utf8)
            try await trial.expectTimeout(.timeout()) { try await trial.get(server.origin, limit: $0) }
            await server.wait { $0.closed == $0.connections }
        },
    ]

    /// The connection is never made.
    private static func unconnected(_ name: String, _ rule: String, _ title: String, _ expected: Expected) -> Self {
        Self(name, rule, title) { trial in
            let port = try ClosedPort.silent()
            let transport = try await trial.transport()
            try await trial.expectTimeout(expected) { limit in
                await trial.send(try .init(.get, port.origin), through: transport, limit: limit)
            }
        }
    }

    /// The server sends no more after a text.
    ///
    /// - Parameters:
    ///   - phases: Where the call may be then, if that is reported.
    ///   - phase: The phase that must be reported; nil for none.
    ///   - script: What comes before the text. Default: it reads the request.
    private static func silent(
        _ name: String, _ place: String, _ text: String = "", in phases: TransportError.Phase...,
        strictly phase: TransportError.Phase? = nil,
        after script: @escaping WireServer.Script = { _ = try $0.readRequest() }
    ) -> Self {
        let rule = phase == nil ? "Backstop, Transport" : "Backstop, TransferProgress"
        return Self(name, rule, "ends at the limit when the server is silent \(place)") { trial in
            let server = try trial.serve { connection in
                try script(connection)
                try connection.send(text)
                connection.waitForEnd()
            }
            let strict = phase.map { Expected.failure(codes: ["timeout.attempt"], in: [$0]) }
            try await trial.expectTimeout(strict ?? .timeout(in: phases)) { limit in
                try await trial.get(server.origin, limit: limit)
            }
            if phase == nil {
                // The transport ends the connection of a call that it has given up.
                await server.wait { $0.closed == $0.connections }
            }
        }
    }
}
