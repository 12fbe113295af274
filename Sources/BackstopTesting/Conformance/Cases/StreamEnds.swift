internal import Backstop
internal import BackstopCore
internal import BackstopStreams
internal import Foundation

extension TransportConformance.Case {
    /// Streams that end too early.
    static let streamCuts: [Self] = [
        .streamCut(
            "streams.cut.chunks", "of chunks", "Transfer-Encoding: chunked", "4\r\n0123\r\n6;a=b\r\n456789\r\n", .ends),
        .streamCut(
            "streams.reset.chunks", "of chunks", "Transfer-Encoding: chunked", "4\r\n0123\r\n6;a=b\r\n456789\r\n",
            .resets),
        .streamCut("streams.cut.length", "with a length", "Content-Length: 10", "0123456789", .ends),
        .streamCut("streams.reset.length", "with a length", "Content-Length: 10", "0123456789", .resets),
        Self("streams.behind", intake, "hands over all that came before a cut, though its reader was behind") { trial in
            // More than is read ahead, and little enough for the buffers of the system.
            let count = 400_000
            let server = try trial.serve { connection in
                try connection.readRequest()
                try connection.send(.http("200 OK", ["Content-Length: 1000000"]))
                try connection.send([UInt8](repeating: 97, count: count))
                connection.endSending()
                connection.mark("cut")
                connection.waitForEnd()
            }
            let stream = try await trial.client(server).stream("", as: .chunks, options: StreamOptions(window: 1024))
            await server.wait { $0.marks.contains("cut") }
            // Time for the end of the connection to be noticed.
            try await Task.sleep(for: .milliseconds(50))
            let (text, failure) = await trial.read(stream)
            try trial.expect("the failure", failure?.code, is: "transport.truncated")
            try trial.expect("the number of bytes", text.utf8.count, is: count)
        },
        Self("streams.badChunk", "RFC 9112, 7.1", "refuses a malformed chunk, after what came before it") { trial in
            let server = try trial.answer(
                String.http("200 OK", ["Transfer-Encoding: chunked"], "2\r\nok\r\nzz\r\n").utf8)
            let (text, failure) = try await trial.read(trial.client(server).stream("", as: .chunks))
            try trial.expect("the code", failure?.code, is: "transport.badResponse")
            try trial.expect("the bytes before it", text, is: "ok")
        },
        Self("streams.cut.gzip", "RFC 9110, 8.4.1.3", "reports a compressed stream that was cut") { trial in
            let part = Compressed.gzip(Array("0123456789".utf8)).dropLast(8)
            let head = String.http("200 OK", ["Content-Encoding: gzip", "Content-Length: \(part.count)"])
            let server = try trial.answerOnce(Array(head.utf8) + part)
            let (_, failure) = try await trial.read(trial.client(server).stream("", as: .chunks))
            try trial.require(failure != nil, "a failure", came: "a whole stream")
        },
        Self("streams.report", "Backstop, TransferReport", "says how much of a stream that was cut had arrived") {
            trial in
            let server = try trial.answerOnce(String.http("200 OK", ["Content-Length: 10"], "01234").utf8, then: .ends)
            let (_, failure) = try await trial.read(trial.client(server).stream("", as: .chunks))
            try trial.expect("the bytes", failure?.transfer?.bytes, is: 5)
            try trial.expect("the announced bytes", failure?.transfer?.expected, is: 10)
        },
    ]

    /// Streams that are silent, and those that nobody reads.
    static let streamEnds: [Self] = [
        Self("streams.silence", "Backstop, StreamOptions", "ends a stream at the limit of silence, and its connection")
        { trial in
            let server = try trial.answerOnce(String.http("200 OK", ["Content-Length: 10"], "01234").utf8)
            let options = try StreamOptions(silence: .milliseconds(100))
            let (text, failure) = try await trial.read(trial.client(server).stream("", as: .chunks, options: options))
            try trial.expect("the code", failure?.code, is: "timeout.attempt")
            try trial.expect("the bytes before it", text, is: "01234")
            await server.wait { $0.closed == $0.connections }
        },
        Self("streams.slowHead", "Backstop, Transport", "ends at the attempt's limit while there is no head") { trial in
            let server = try trial.answerOnce("".utf8)
            let client = try await trial.client(server, limit: .milliseconds(100))
            let failure = try await trial.failure { try await client.stream("", as: .chunks) }
            try trial.expect("the code", failure.code, is: "timeout.attempt")
            await server.wait { $0.closed == $0.connections }
        },
        Self("streams.long", "Backstop, Transport", "does not end a stream at the attempt's limit") { trial in
            let server = try trial.answer(.http("200 OK", ["Content-Length: 2"], "o"), until: "later", then: "k")
            // By a clock of its own, since no real limit is long enough for every machine's head and short for a test.
            let clock = ManualClock()
            let client = try await trial.client(server).withOptions { $0.clock = clock }
            let stream = try await client.stream("", as: .chunks)
            await clock.advance(by: Trial.longLimit * 2)
            server.mark("later")
            try trial.expect("the body", try await trial.text(stream), is: "ok")
        },
        Self("streams.cancelled", "Backstop, Transport", "ends a stream whose reader is cancelled, and its connection")
        { trial in
            let server = try trial.answerOnce(String.http("200 OK", ["Content-Length: 10"], "01234").utf8)
            let stream = try await trial.client(server).stream("", as: .chunks)
            let (parts, part) = AsyncStream.makeStream(of: Void.self)
            let task = Task { () -> String? in
                do throws(Failure) {
                    for try await _ in stream { part.yield() }
                    return nil
                } catch {
                    return error.code
                }
            }
            for await _ in parts { break }
            task.cancel()
            try trial.expect("the code", await task.value, is: "cancelled")
            await server.wait { $0.closed == $0.connections }
        },
        Self("streams.dropped", "Backstop, Transport", "closes the connection of a stream that is dropped") { trial in
            let server = try trial.answerOnce(String.http("200 OK", ["Content-Length: 10"], "01234").utf8)
            _ = try await trial.client(server).stream("", as: .chunks)
            await server.wait { $0.closed == $0.connections }
        },
        Self("streams.droppedFull", "Backstop, Transport", "closes it while more comes than is read") { trial in
            let server = try trial.serve { connection in
                try connection.readRequest()
                try connection.send(.http("200 OK"))
                while true {
                    try connection.send([UInt8](repeating: 97, count: 65_536))
                }
            }
            let client = try await trial.client(server)
            for try await _ in try await client.stream("", as: .chunks) { break }
            await server.wait { $0.closed == $0.connections }
        },
        Self("streams.pressure", intake, "lets the server wait while nobody reads", runsAlone: true) { trial in
            let sent = Lock(0)
            let server = try trial.serve { connection in
                try connection.readRequest()
                try connection.send(.http("200 OK", ["Content-Length: \(64 << 20)"]))
                for _ in 0..<1024 {
                    try connection.send([UInt8](repeating: 97, count: 65_536))
                    sent.withLock { $0 += 65_536 }
                }
                connection.waitForEnd()
            }
            let stream = try await trial.client(server).stream("", as: .chunks)
            var before = -1
            // Until no more is taken for a while.
            while sent.withLock({ $0 }) != before {
                before = sent.withLock { $0 }
                try await Task.sleep(for: .milliseconds(200))
            }
            try trial.require(
                before < 24 << 20, "at most 24 MiB taken of a stream that nobody reads", came: "\(before >> 20) MiB")
            let (text, failure) = await trial.read(stream)
            try trial.expect("the failure", failure?.code, is: nil)
            try trial.expect("the number of bytes", text.utf8.count, is: 64 << 20)
        },
    ]

    /// The stream is cut after each byte of its body, whose digits must arrive before the failure.
    private static func streamCut(
        _ name: String, _ what: String, _ framing: String, _ body: String, _ end: AnswerEnd
    ) -> Self {
        Self(
            name, "RFC 9112, 8",
            "hands over what came before a stream \(what) \(end == .ends ? "was cut" : "was reset"), and fails"
        ) { trial in
            let head = String.http("200 OK", [framing])
            let bytes = Array(body.utf8)
            let server = try trial.serve { connection in
                let position = Int(try connection.readRequest().target.dropFirst()) ?? 0
                try connection.send(Array(head.utf8) + bytes.prefix(position))
                guard end == .resets else { return }
                // A reset may overtake the bytes before it.
                try connection.wait(for: "read \(position)")
                try connection.reset()
            }
            let client = try await trial.client(server)
            for position in bytes.indices {
                let place = "cut after byte \(position)"
                let whole = contents(bytes.prefix(position), isChunked: framing.contains("chunked"))
                let stream = try await client.stream("\(position)", as: .chunks)
                var text = ""
                var failure: Failure?
                if whole.isEmpty { server.mark("read \(position)") }
                do throws(Failure) {
                    for try await chunk in stream {
                        text += String(decoding: chunk, as: UTF8.self)
                        if text == whole { server.mark("read \(position)") }
                    }
                } catch {
                    failure = error
                }
                try trial.expect("the bytes before it, \(place)", text, is: whole)
                try trial.require(
                    ["transport.truncated", "transport.lost"].contains(failure?.code),
                    "transport.truncated or lost, \(place)",
                    came: failure?.code ?? "a whole stream")
            }
        }
    }

    /// What is content of the beginning of a body: of chunks, what stands on the lines behind their sizes.
    private static func contents(_ bytes: some Collection<UInt8>, isChunked: Bool) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard isChunked else {
            return text
        }
        return text.components(separatedBy: "\r\n").enumerated().filter { !$0.offset.isMultiple(of: 2) }
            .map { $0.element.filter(\.isNumber) }.joined()
    }
}
