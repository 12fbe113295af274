internal import Backstop
internal import BackstopCore
internal import Foundation

extension TransportConformance.Case {
    /// Calls whose task is cancelled.
    static let cancellation: [Self] = [
        Self("cancellation.before", "Backstop, Transport", "sends nothing when the task is cancelled already") {
            trial in
            let server = try trial.answer(String.ok().utf8)
            let transport = try await trial.transport()
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return await trial.send(try .init(.post, server.origin), through: transport)
            }
            task.cancel()
            try trial.expect(try await task.value, .cancelled)
            try trial.expect("the number of connections", server.state.connections, is: 0)
        },
        Self("cancellation.connecting", "Backstop, Transport", "ends while there is no connection") { trial in
            let port = try ClosedPort.silent()
            let transport = try await trial.transport()
            let task = Task { await trial.send(try .init(.get, port.origin), through: transport) }
            try await Task.sleep(for: .milliseconds(20))
            task.cancel()
            try trial.expect(try await task.value, .cancelled)
        },
        .cancelled("cancellation.sending", "while the body is sent", method: .put, bodyOf: 32 << 20) { connection in
            _ = try connection.readHead()
            _ = try connection.readBytes(100_000)
            connection.mark("here")
            // Reading on after the test has cancelled, so that an end can be seen.
            try connection.wait(for: "cancelled")
        },
        .cancelled("cancellation.waiting", "while it waits for an answer"),
        .cancelled("cancellation.head", "within the head of the response", "HTTP/1.1 200 OK\r\nContent-Len"),
        .cancelled("cancellation.interim", "after an interim response", .http("103 Early Hints")),
        .cancelled(
            "cancellation.body", "within the body of the response", .http("200 OK", ["Content-Length: 10"], "01234")),
        .cancelled(
            "cancellation.chunks", "between two chunks", .http("200 OK", ["Transfer-Encoding: chunked"], "2\r\nok\r\n")),
        .cancelled("cancellation.stream", "while the response keeps coming") { connection in
            try connection.readRequest()
            try connection.send(.http("200 OK"))
            connection.mark("here")
            while true {
                try connection.send("a")
                Thread.sleep(forTimeInterval: 0.001)
            }
        },
        Self("cancellation.redirect", "Backstop, Transport", "sends nothing to the target of a redirect") { trial in
            let other = try trial.answer(String.ok().utf8)
            let server = try trial.serve { connection in
                try connection.readRequest()
                connection.mark("here")
                try connection.wait(for: "cancelled")
                try connection.send(.redirect(to: other.origin))
                connection.waitForEnd()
            }
            let transport = try await trial.transport()
            let task = Task { await trial.send(try .init(.get, server.origin), through: transport) }
            await server.wait { $0.marks.contains("here") }
            task.cancel()
            server.mark("cancelled")
            try trial.expect(try await task.value, .cancelled)
            // Time for a request that should not be sent.
            try await Task.sleep(for: .milliseconds(20))
            try trial.expect("the number of requests to the target", other.state.connections, is: 0)
        },
        Self("cancellation.others", "Backstop, Transport", "leaves the other calls alone") { trial in
            let server = try trial.serve { connection in
                while true {
                    let target = try connection.readRequest().target
                    if target == "/long" {
                        connection.mark("here")
                        return connection.waitForEnd()
                    }
                    try connection.wait(for: "cancelled")
                    try connection.send(.ok())
                }
            }
            let transport = try await trial.transport()
            let long = Task { await trial.send(try .init(.get, server.origin + "/long"), through: transport) }
            let short = Task { await trial.send(try .init(.get, server.origin + "/short"), through: transport) }
            await server.wait { $0.marks.contains("here") && $0.requests.count == 2 }
            long.cancel()
            try trial.expect(try await long.value, .cancelled)
            server.mark("cancelled")
            try trial.expect(try await short.value, .response())
        },
    ]

    /// The task is cancelled when the server has sent a text; the call must end, and its connection.
    ///
    /// - Parameter script: What comes before the text, or sets the mark "here" itself. Default: it reads the request.
    private static func cancelled(
        _ name: String, _ place: String, _ text: String = "", method: HTTP.Method = .get, bodyOf count: Int = 0,
        after script: @escaping WireServer.Script = { _ = try $0.readRequest() }
    ) -> Self {
        Self(name, "Backstop, Transport", "ends \(place), and closes the connection") { trial in
            let server = try trial.serve { connection in
                try script(connection)
                try connection.send(text)
                connection.mark("here")
                connection.waitForEnd()
            }
            let transport = try await trial.transport()
            let body: HTTP.Body = count == 0 ? .none : .data(Data(count: count))
            let request = try HTTP.Request(method, server.origin, body: body)
            let task = Task { await trial.send(request, through: transport) }
            await server.wait { $0.marks.contains("here") }
            task.cancel()
            try trial.expect(await task.value, .cancelled)
            server.mark("cancelled")
            await server.wait { $0.closed == $0.connections }
        }
    }
}
