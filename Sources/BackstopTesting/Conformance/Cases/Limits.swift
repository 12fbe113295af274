internal import Backstop
internal import BackstopCore
internal import Foundation

extension TransportConformance.Case {
    /// The response limit, at the exact byte.
    static let limits: [Self] = [
        .limit("limits.length", "of a body with a length", bodyOf: 1000) { body in
            .http("200 OK", ["Content-Length: \(body.utf8.count)"], body)
        },
        .limit("limits.chunks", "of a body in chunks", bodyOf: 1000) { body in
            .http(
                "200 OK", ["Transfer-Encoding: chunked"],
                String(body.utf8.count, radix: 16) + "\r\n\(body)\r\n0\r\n\r\n")
        },
        .limit("limits.untilEnd", "of a body without a length", bodyOf: 1000, then: .ends) { body in
            .http("200 OK", [], body)
        },
        .limit("limits.zero", "of 0 bytes", bodyOf: 0) { body in
            .http("200 OK", ["Content-Length: \(body.utf8.count)"], body)
        },
        Self("limits.gzip", "Backstop, Transport", "counts decoded bytes against its limit", needsOptions: true) {
            trial in
            let body = Compressed.gzipZeros(repetitions: 10)
            let server = try trial.answer(
                Array(String.http("200 OK", ["Content-Encoding: gzip", "Content-Length: \(body.count)"]).utf8) + body)
            let exact = try await trial.transport(.init(responseLimit: 2581))
            try trial.expect(
                await trial.send(try .init(.get, server.origin), through: exact),
                .response(200, [UInt8](repeating: 0, count: 2581)))
            let less = try await trial.transport(.init(responseLimit: 2580))
            try trial.expect(
                await trial.send(try .init(.get, server.origin), through: less), .failure(.tooLarge, in: .receiving))
        },
        Self(
            "limits.announced", "Backstop, Transport", "does not wait for a body whose length is beyond its limit",
            needsOptions: true
        ) { trial in
            let server = try trial.answerOnce(String.http("200 OK", ["Content-Length: 1001"]).utf8)
            let transport = try await trial.transport(.init(responseLimit: 1000))
            let outcome = await trial.send(try .init(.get, server.origin), through: transport)
            try trial.expect(outcome, .failure(.tooLarge, in: .receiving))
        },
        Self(
            "limits.endless", "Backstop, Transport", "stops a body that never ends at its limit, and the connection",
            needsOptions: true
        ) { trial in
            let server = try trial.serve { connection in
                try connection.readRequest()
                try connection.send(.http("200 OK"))
                try connection.flood()
            }
            let transport = try await trial.transport(.init(responseLimit: 100_000))
            let outcome = await trial.send(try .init(.get, server.origin), through: transport)
            try trial.expect(outcome, .failure(.tooLarge, in: .receiving))
            await server.wait { $0.closed == 1 }
            let sent = server.state.sent
            try trial.require(sent < 512 << 20, "an end after less than 512 MiB", came: "an end after \(sent) bytes")
        },
        Self(
            "limits.floods", "Backstop, Transport", "stops bodies that never end, though several come at once",
            needsOptions: true
        ) { trial in
            let server = try trial.serve { connection in
                guard try connection.readRequest().target != "/" else {
                    return try connection.send(.ok())
                }
                try connection.send(.http("200 OK"))
                try connection.flood()
            }
            let transport = try await trial.transport(.init(responseLimit: 100_000))
            let floods = try (1...3).map { number in
                let request = try HTTP.Request(.get, "\(server.origin)/\(number)")
                return Task { await trial.send(request, through: transport) }
            }
            for flood in floods {
                try trial.expect(await flood.value, .failure(.tooLarge, in: .receiving))
            }
            try trial.expect(await trial.send(try .init(.get, server.origin), through: transport), .response())
            await server.wait { $0.closed >= 3 }
            let sent = server.state.sent
            try trial.require(sent < 1 << 30, "an end after less than 1 GiB", came: "an end after \(sent) bytes")
        },
        Self("limits.redirect", "Backstop, Transport", "does not read the body of a redirect beyond its limit") {
            trial in
            let server = try trial.serve { connection in
                guard try connection.readRequest().target == "/" else {
                    return try connection.send(.ok())
                }
                try connection.send(.http("302 Found", ["Location: /to"]))
                try connection.flood()
            }
            let transport = try await trial.transport(.init(responseLimit: 100_000))
            let outcome = await trial.send(try .init(.get, server.origin), through: transport)
            try trial.expect(outcome, .response(), .failure(.tooLarge, in: .receiving))
            await server.wait { $0.closed > 0 }
            let sent = server.state.sent
            try trial.require(sent < 512 << 20, "an end after less than 512 MiB", came: "an end after \(sent) bytes")
        },
        Self(
            "limits.head", "RFC 9110, 9.3.2", "does not count what a response to HEAD announces", needsOptions: true
        ) { trial in
            let server = try trial.answer(String.http("200 OK", ["Content-Length: 1001"]).utf8)
            let transport = try await trial.transport(.init(responseLimit: 1000))
            let outcome = await trial.send(try .init(.head, server.origin), through: transport)
            try trial.expect(outcome, .response(200, ""))
        },
    ]

    /// A body of so many bytes passes a limit of as many, and one of one byte more does not.
    private static func limit(
        _ name: String, _ kind: String, bodyOf count: Int, then end: AnswerEnd = .keeps,
        _ answer: @escaping @Sendable (String) -> String
    ) -> Self {
        Self(name, "Backstop, Transport", "holds its limit \(kind) to the byte", needsOptions: true) { trial in
            let server = try trial.serve { connection in
                repeat {
                    let request = try connection.readRequest()
                    let body = String(repeating: "a", count: Int(request.target.dropFirst()) ?? 0)
                    try connection.send(answer(body))
                } while end == .keeps
            }
            let transport = try await trial.transport(.init(responseLimit: count))
            try trial.expect(
                await trial.send(try .init(.get, "\(server.origin)/\(count)"), through: transport),
                .response(200, String(repeating: "a", count: count)), at: "with \(count) bytes")
            try trial.expect(
                await trial.send(try .init(.get, "\(server.origin)/\(count + 1)"), through: transport),
                .failure(.tooLarge, in: .receiving), at: "with \(count + 1) bytes")
        }
    }
}
