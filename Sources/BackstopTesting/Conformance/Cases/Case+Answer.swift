internal import Backstop
internal import BackstopCore

/// What a server does after it has sent its bytes.
enum AnswerEnd: Sendable {
    /// It keeps the connection, so a client that waits for its end would wait forever.
    case keeps
    /// It ends the connection (FIN).
    case ends
    /// It resets the connection (RST).
    case resets
}

extension TransportConformance.Case {
    /// A case of one request, to which the server sends exactly these bytes.
    ///
    /// - Parameters:
    ///   - end: What the server does then. Default: it keeps the connection.
    ///   - expected: The outcomes that the rule allows.
    static func answer(
        _ name: String, _ rule: String, _ title: String, to method: HTTP.Method = .get, _ bytes: [UInt8],
        then end: AnswerEnd = .keeps, _ expected: Expected...
    ) -> Self {
        Self(name, rule, title) { trial in
            try await trial.expectAnswer(bytes, to: method, then: end, expected)
        }
    }

    /// The same, with the bytes of a text.
    static func answer(
        _ name: String, _ rule: String, _ title: String, to method: HTTP.Method = .get, _ text: String,
        then end: AnswerEnd = .keeps, _ expected: Expected...
    ) -> Self {
        Self(name, rule, title) { trial in
            try await trial.expectAnswer(Array(text.utf8), to: method, then: end, expected)
        }
    }

    /// A case of several answers, of which each must have one of the outcomes.
    static func answers(
        _ name: String, _ rule: String, _ title: String, _ texts: [String], then end: AnswerEnd = .keeps,
        _ expected: Expected...
    ) -> Self {
        Self(name, rule, title) { trial in
            for text in texts {
                try await trial.expectAnswer(
                    Array(text.utf8), to: .get, then: end, expected, "for \(String(text.prefix(200)).debugDescription)")
            }
        }
    }
}

extension Trial {
    /// Sends one request to a server that answers with exactly these bytes.
    func expectAnswer(
        _ bytes: [UInt8], to method: HTTP.Method, then end: AnswerEnd, _ expected: [Expected], _ place: String = ""
    ) async throws {
        let server = try answerOnce(bytes, then: end)
        try expect(try await send(try HTTP.Request(method, server.origin + "/")), expected, place)
    }

    /// A server that answers one request of each connection with exactly these bytes, and no other.
    func answerOnce(_ bytes: some Sequence<UInt8>, then end: AnswerEnd = .keeps) throws -> WireServer {
        let bytes = Array(bytes)
        return try serve { connection in
            try connection.readRequest()
            try connection.send(bytes)
            switch end {
            case .keeps: connection.waitForEnd()
            case .ends: break
            case .resets: try connection.reset()
            }
        }
    }

    /// A server that answers one request with a text, and with the rest once a mark is set.
    func answer(_ text: String, until mark: String, then rest: String) throws -> WireServer {
        try serve { connection in
            try connection.readRequest()
            try connection.send(text)
            try connection.wait(for: mark)
            try connection.send(rest)
            connection.waitForEnd()
        }
    }

    /// A server that answers one request with single bytes, after a text.
    func drip(_ bytes: some Sequence<UInt8>, after text: String = "") throws -> WireServer {
        let bytes = Array(bytes)
        return try serve { connection in
            try connection.readRequest()
            try connection.send(text)
            try connection.drip(bytes)
            connection.waitForEnd()
        }
    }
}

extension String {
    /// A response of HTTP/1.1 with these header lines, and a body as it stands.
    static func http(_ status: String = "200 OK", _ fields: [String] = [], _ body: String = "") -> String {
        "HTTP/1.1 \(status)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body
    }

    /// The same with the body "ok" and its length.
    static func ok(_ fields: String...) -> String {
        http("200 OK", fields + ["Content-Length: 2"], "ok")
    }
}
