internal import Backstop
internal import BackstopCore
internal import BackstopStreams
internal import Foundation

extension TransportConformance.Case {
    /// Bodies that are read while they arrive (`CallContext.intake`).
    static let streams: [Self] = streamContents + streamCuts + streamEnds

    /// What a stream is made of.
    private static let streamContents: [Self] = [
        Self("streams.arrives", intake, "hands each part over as it arrives") { trial in
            let server = try trial.answer(
                .http("200 OK", ["Transfer-Encoding: chunked"], "2\r\na\n\r\n"), until: "read",
                then: "2\r\nb\n\r\n0\r\n\r\n")
            var lines = try await trial.client(server).stream("", as: .lines).makeAsyncIterator()
            try trial.expect("the first line", try await lines.next(), is: "a")
            server.mark("read")
            try trial.expect("the second line", try await lines.next(), is: "b")
            try trial.expect("the end", try await lines.next(), is: nil)
        },
        Self("streams.head", intake, "opens the stream at the head, before there is a body") { trial in
            let server = try trial.answer(
                .http("200 OK", ["Content-Length: 2", "X-Form: a"]), until: "opened", then: "ok")
            let stream = try await trial.client(server).stream("", as: .chunks)
            try trial.expect("the header X-Form", stream.response.headers["X-Form"], is: "a")
            server.mark("opened")
            try trial.expect("the body", try await trial.text(stream), is: "ok")
        },
        .streamed(
            "streams.length", "RFC 9112, 6.2", "with a length", .http("200 OK", ["Content-Length: 4"], "a\nbc"), "a\nbc"
        ),
        .streamed(
            "streams.chunks", "RFC 9112, 7.1", "of chunks",
            .http("200 OK", ["Transfer-Encoding: chunked"], "3\r\na\nb\r\n1;x=y\r\nc\r\n0\r\n\r\n"), "a\nbc"),
        .streamed(
            "streams.untilEnd", "RFC 9112, 6.3", "that the end of the connection ends", .http("200 OK", [], "a\nbc"),
            then: .ends, "a\nbc"),
        .streamed("streams.http10", "RFC 9112, 6.3", "of HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nabc", then: .ends, "abc"),
        .streamed("streams.empty", intake, "of 0 bytes", .http("200 OK", ["Content-Length: 0"]), ""),
        .streamed(
            "streams.emptyChunks", intake, "of no chunk", .http("200 OK", ["Transfer-Encoding: chunked"], "0\r\n\r\n"),
            ""),
        .streamed("streams.noContent", "RFC 9110, 15.3.5", "of a response that has none", .http("204 No Content"), ""),
        .streamed(
            "streams.interim", "RFC 9110, 15.2", "behind an interim response",
            .http("103 Early Hints", ["Link: </a>"]) + .ok(), "ok"),
        Self("streams.trickle", intake, "hands over a body that comes byte by byte") { trial in
            let server = try trial.drip(
                "5\r\nHello\r\n7\r\n, world\r\n0\r\n\r\n".utf8,
                after: .http("200 OK", ["Transfer-Encoding: chunked"]))
            try trial.expect(
                "the body", try await trial.text(trial.client(server).stream("", as: .chunks)), is: "Hello, world")
        },
        Self("streams.large", intake, "hands over 8 MiB, each byte once and in order") { trial in
            let count = 8 << 20
            let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) }
            let server = try trial.answerOnce(
                Array(String.http("200 OK", ["Content-Length: \(count)"]).utf8) + body)
            var position = 0
            for try await chunk in try await trial.client(server).stream("", as: .chunks) {
                for byte in chunk {
                    guard byte == UInt8(truncatingIfNeeded: position % 251) else {
                        throw Mismatch(expected: "the byte \(position % 251) at \(position)", came: "\(byte)")
                    }
                    position += 1
                }
            }
            try trial.expect("the number of bytes", position, is: count)
        },
        Self("streams.limit", intake, "has no limit for a stream, which is never in memory", needsOptions: true) {
            trial in
            let server = try trial.answer(
                String.http("200 OK", ["Content-Length: 5000"], String(repeating: "a", count: 5000)).utf8)
            let transport = try await trial.transport(.init(responseLimit: 1000))
            let stream = try await trial.client(server, transport).stream("", as: .chunks)
            try trial.expect("the number of bytes", try await trial.text(stream).utf8.count, is: 5000)
        },
        Self("streams.gzip", "RFC 9110, 8.4.1.3", "decodes a stream as it arrives") { trial in
            let body = Compressed.gzip(Array("a\nb\nc".utf8))
            let server = try trial.drip(
                body, after: .http("200 OK", ["Content-Encoding: gzip", "Content-Length: \(body.count)"]))
            try trial.expect(
                "the body", try await trial.text(trial.client(server).stream("", as: .chunks)), is: "a\nb\nc")
        },
        Self("streams.post", intake, "streams the response to a request with a body") { trial in
            let server = try trial.answering { request in
                let body = String(decoding: request.body, as: UTF8.self)
                return .http("200 OK", ["Content-Length: \(request.body.count)"], body)
            }
            let call = HTTP.Call<HTTP.Response>.post(
                "", headers: [.contentType: "text/plain"], body: .data(Data("body".utf8)))
            try trial.expect(
                "the body", try await trial.text(trial.client(server).stream(call, as: .chunks)), is: "body")
        },
        Self("streams.redirect", "RFC 9110, 15.4", "streams the target of a redirect, and not its own body") { trial in
            let server = try trial.answering { request in
                request.target == "/new" ? .ok() : .http("302 Found", ["Location: /new", "Content-Length: 3"], "old")
            }
            try trial.expect("the body", try await trial.text(trial.client(server).stream("", as: .chunks)), is: "ok")
        },
        Self("streams.refused", "Backstop, HTTP.Intake", "collects the body of a response that is refused") { trial in
            let server = try trial.answer(String.http("404 Not Found", ["Content-Length: 4"], "gone").utf8)
            let failure = try await trial.failure { try await trial.client(server).stream("", as: .chunks) }
            try trial.expect("the code", failure.code, is: "status.404")
            try trial.expect("the body", failure.response.map { String(decoding: $0.body, as: UTF8.self) }, is: "gone")
        },
        Self("streams.atOnce", intake, "does not mix up two streams") { trial in
            let server = try trial.serve { connection in
                while true {
                    let target = try connection.readRequest().target
                    try connection.send(.http("200 OK", ["Transfer-Encoding: chunked"]))
                    for _ in 0..<100 {
                        try connection.send("1\r\n\(target.dropFirst())\r\n")
                    }
                    try connection.send("0\r\n\r\n")
                }
            }
            let client = try await trial.client(server)
            async let first = trial.text(client.stream("a", as: .chunks))
            async let second = trial.text(client.stream("b", as: .chunks))
            try trial.expect("the first body", try await first, is: String(repeating: "a", count: 100))
            try trial.expect("the second body", try await second, is: String(repeating: "b", count: 100))
        },
        Self("streams.reuse", "RFC 9112, 9.3", "uses the connection of a stream that has ended again") { trial in
            let server = try trial.answer(String.ok().utf8)
            let client = try await trial.client(server)
            for _ in 1...3 {
                try trial.expect("the body", try await trial.text(client.stream("", as: .chunks)), is: "ok")
            }
            try trial.expect("the number of connections", server.state.connections, is: 1)
        },
        Self("streams.beside", "Backstop, Transport", "makes plain calls while many streams are open") { trial in
            let server = try trial.serve { connection in
                while true {
                    if try connection.readRequest().target == "/stream" {
                        try connection.send(.http("200 OK", ["Content-Length: 10"], "a"))
                        return connection.waitForEnd()
                    }
                    try connection.send(.ok())
                }
            }
            let transport = try await trial.transport()
            let client = try trial.client(server, transport)
            var open: [HTTP.Stream<Data>] = []
            for _ in 1...20 {
                open.append(try await client.stream("stream", as: .chunks))
            }
            try trial.expect(await trial.send(try .init(.get, server.origin + "/"), through: transport), .response())
            withExtendedLifetime(open) {}
        },
    ]

    /// What promises the rest.
    static let intake = "Backstop, CallContext.intake"

    /// The stream of a response, which must be this text.
    private static func streamed(
        _ name: String, _ rule: String, _ what: String, _ answer: String, then end: AnswerEnd = .keeps, _ text: String
    ) -> Self {
        Self(name, rule, "hands over a stream \(what)") { trial in
            let server = try trial.answerOnce(answer.utf8, then: end)
            let (came, failure) = try await trial.read(trial.client(server).stream("", as: .chunks))
            try trial.expect("the failure", failure?.code, is: nil)
            try trial.expect("the body", came, is: text)
        }
    }
}

extension Trial {
    /// A client for streams, with a transport of its own.
    func client(_ server: WireServer, limit: Duration = longLimit) async throws -> Client {
        try client(server, try await transport(), limit: limit)
    }

    func client(
        _ server: WireServer, _ transport: any HTTP.Transport, limit: Duration = longLimit
    ) throws -> Client {
        var handling = FailureHandling()
        handling.log = RecordingLog()
        return try Client(baseURL: server.origin, transport: transport, handling: handling) {
            StatusValidation()
            AttemptTimeout(limit)
        }
    }

    /// Reads a stream to its end.
    func read(_ stream: HTTP.Stream<Data>) async -> (text: String, failure: Failure?) {
        var bytes = Data()
        do throws(Failure) {
            for try await chunk in stream { bytes += chunk }
            return (String(decoding: bytes, as: UTF8.self), nil)
        } catch {
            return (String(decoding: bytes, as: UTF8.self), error)
        }
    }

    /// Reads a stream that must not fail.
    func text(_ stream: HTTP.Stream<Data>) async throws -> String {
        let (text, failure) = await read(stream)
        if let failure { throw failure }
        return text
    }

    /// The failure of what must fail.
    func failure<Value>(_ body: () async throws -> Value) async throws -> Failure {
        do {
            _ = try await body()
        } catch let error as Failure {
            return error
        }
        throw Mismatch(expected: "a failure", came: "a stream")
    }
}
