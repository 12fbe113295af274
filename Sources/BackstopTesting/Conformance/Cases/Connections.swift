internal import Backstop
internal import BackstopCore
internal import Foundation

extension TransportConformance.Case {
    /// Connections that are kept, and those that must not be.
    static let connections: [Self] = [
        Self("connections.kept", "RFC 9112, 9.3", "sends the next request on the same connection") { trial in
            let server = try trial.answer(String.ok().utf8)
            try await trial.sendTwice(to: server)
            try trial.expect("the connections", server.state.requests.map(\.connection), is: [1, 1])
        },
        .notKept("connections.close", "RFC 9112, 9.6", "after Connection: close", .ok("Connection: close")),
        .notKept("connections.closeCase", "RFC 9110, 7.6.1", "after close in another case", .ok("connection: CLOSE")),
        .notKept(
            "connections.closeList", "RFC 9110, 7.6.1", "after close in a list", .ok("Connection: foo, close")),
        .notKept(
            "connections.http10", "RFC 9112, 9.3", "after HTTP/1.0",
            "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        Self("connections.closedBetween", "RFC 9112, 9.5", "copes with one that ends between two requests") { trial in
            let server = try trial.serve { connection in
                try connection.readRequest()
                try connection.send(.ok())
                if connection.number == 1 { try connection.wait(for: "answered") }
                if connection.number > 1 { connection.waitForEnd() }
            }
            let transport = try await trial.transport()
            try trial.expect(await trial.send(try .init(.get, server.origin), through: transport), .response())
            server.mark("answered")
            // Time for the end to arrive. If it meets the request after all, the loss may be reported.
            try await Task.sleep(for: .milliseconds(200))
            try trial.expect(
                await trial.send(try .init(.get, server.origin), through: transport), .response(),
                .failure(.lost, in: .waiting, .sending))
        },
        .closedOnPost("connections.postNoBody", "without a body", .none),
        .closedOnPost("connections.postData", "with a body in memory", .data),
        .closedOnPost("connections.postFile", "with a file", .file),
        .closedOnPost("connections.postStream", "with a stream", .stream),
        Self(
            "connections.getAgain", "RFC 9112, 9.3.1", "sends a GET again, or reports the loss, if a kept one ends"
        ) { trial in
            let server = try trial.endingOnSecondRequest(resets: true)
            let transport = try await trial.transport()
            try trial.expect(await trial.send(try .init(.get, server.origin), through: transport), .response())
            try trial.expect(
                await trial.send(try .init(.get, server.origin), through: transport), .response(),
                .failure(.lost, in: .waiting, .sending))
        },
        .surplus("connections.surplusResponse", "a second response", .ok("X-Form: false")),
        .surplus("connections.surplusBytes", "bytes that are no response", "!!!!!!!!!!"),
        .surplus("connections.surplusLines", "empty lines", "\r\n\r\n\r\n"),
        Self("connections.surplusLate", "RFC 9112, 9.2", "takes no response to a request that it has not sent") {
            trial in
            let server = try trial.serve { connection in
                try connection.readRequest()
                try connection.send(.ok("X-Form: \(connection.number)"))
                if connection.number == 1 {
                    try connection.wait(for: "answered")
                    try connection.send(.http("200 OK", ["Content-Length: 5"], "false"))
                    connection.mark("sent")
                }
                while true {
                    try connection.readRequest()
                    try connection.send(.ok())
                }
            }
            let transport = try await trial.transport()
            try trial.expect(await trial.send(try .init(.get, server.origin), through: transport), .response())
            server.mark("answered")
            await server.wait { $0.marks.contains("sent") }
            // Once the request has been sent, nobody could tell these bytes from its response.
            try await Task.sleep(for: .milliseconds(200))
            try trial.expect(
                await trial.send(try .init(.get, server.origin), through: transport), .response(),
                .failure(.lost, .badResponse))
        },
        Self(
            "connections.earlyAnswer", "RFC 9112, 9.5",
            "returns an answer that comes before the body is sent, or the loss"
        ) { trial in
            let server = try trial.serve { connection in
                _ = try connection.readHead()
                try connection.send(.http("413 Too Large", ["Connection: close", "Content-Length: 2"], "no"))
            }
            let request = try HTTP.Request(
                .post, server.origin, headers: [.contentType: "text/plain"], body: .data(Data(count: 4_000_000)))
            try trial.expect(
                try await trial.send(request), .response(413, "no"), .failure(.lost, in: .sending, .waiting, .receiving)
            )
            try trial.expect("the number of requests", server.state.requests.count, is: 1)
        },
        Self("connections.parallel", "RFC 9112, 9.4", "gives each of 50 calls at once its own answer") { trial in
            try await trial.sendAtOnce(50)
        },
        Self(
            "connections.thousand", "RFC 9112, 9.4", "gives each of 1,000 calls at once its own answer", runsAlone: true
        ) { trial in
            try await trial.sendAtOnce(1000)
        },
    ]

    /// The second request must come on another connection.
    private static func notKept(_ name: String, _ rule: String, _ place: String, _ answer: String) -> Self {
        Self(name, rule, "sends nothing more on a connection \(place)") { trial in
            let server = try trial.answer(answer.utf8)
            try await trial.sendTwice(to: server)
            try trial.expect("the connections", server.state.requests.map(\.connection), is: [1, 2])
        }
    }

    /// A POST on a kept connection that is reset instead of answering must not be sent again.
    private static func closedOnPost(_ name: String, _ kind: String, _ content: RequestContent) -> Self {
        let title = "sends a POST \(kind) once only, even if a kept connection ends"
        return Self(name, "RFC 9110, 9.2.2", title) { trial in
            for resets in [false, true] {
                let server = try trial.endingOnSecondRequest(resets: resets)
                let transport = try await trial.transport()
                try trial.expect(await trial.send(try .init(.get, server.origin), through: transport), .response())
                try await content.withBody { body in
                    let headers: HTTP.Headers = [.contentType: "text/plain"]
                    let request = try HTTP.Request(.post, server.origin, headers: headers, body: body)
                    try trial.expect(
                        await trial.send(request, through: transport), .failure(.lost, in: .waiting, .sending))
                }
                let posts = server.state.requests.count { $0.method == "POST" && $0.isComplete }
                try trial.expect("the number of POSTs that arrive whole", posts, is: 1)
            }
        }
    }

    /// Bytes after a complete response belong to no request.
    private static func surplus(_ name: String, _ kind: String, _ bytes: String) -> Self {
        Self(name, "RFC 9112, 6.3", "does not take \(kind) after a response for the next one") { trial in
            let server = try trial.serve { connection in
                try connection.readRequest()
                try connection.send(.ok("X-Form: true") + (connection.number == 1 ? bytes : ""))
                while true {
                    try connection.readRequest()
                    try connection.send(.ok("X-Form: true"))
                }
            }
            let transport = try await trial.transport()
            for place in ["first", "second"] {
                // The call that meets the surplus may fail, but never gets it for an answer.
                let outcome = await trial.send(try .init(.get, server.origin), through: transport)
                try trial.expect(
                    outcome, .response(headers: ["X-Form": "true"]), .failure(.badResponse, .lost),
                    at: "in the \(place) call")
            }
        }
    }
}

extension Trial {
    func sendTwice(to server: WireServer) async throws {
        let transport = try await transport()
        for place in ["first", "second"] {
            let outcome = await send(try .init(.get, server.origin), through: transport)
            try expect(outcome, .response(), at: "in the \(place) call")
        }
    }

    /// A server that answers the first request of each connection, and ends it with the second one.
    func endingOnSecondRequest(resets: Bool) throws -> WireServer {
        try serve { connection in
            let first = try connection.readRequest()
            // On a connection of its own, a POST must not succeed either: it would hide that it was sent twice.
            guard first.method == "GET" else {
                if resets { try connection.reset() }
                return
            }
            try connection.send(.ok())
            try connection.readRequest()
            if resets { try connection.reset() }
        }
    }

    /// So many calls at once through one transport, each with its own answer.
    func sendAtOnce(_ count: Int) async throws {
        let server = try answering { .http("200 OK", ["Content-Length: \($0.target.utf8.count)"], $0.target) }
        let transport = try await transport()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    let outcome = await self.send(
                        try .init(.get, "\(server.origin)/\(number)"), through: transport, limit: .seconds(50))
                    try self.expect(outcome, .response(200, "/\(number)"))
                }
            }
            try await group.waitForAll()
        }
        try expect("the number of requests", server.state.requests.count, is: count)
    }
}
