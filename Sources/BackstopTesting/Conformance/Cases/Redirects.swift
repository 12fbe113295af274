internal import Backstop
internal import BackstopCore
internal import Foundation

extension TransportConformance.Case {
    /// Redirects: which are followed, and with which method and body.
    static let redirects: [Self] =
        [301, 302, 303, 307, 308].flatMap { status in
            [HTTP.Method.get, .head, .post, .put, .patch, .delete].map { followed(status, $0) }
        } + [
            .answers(
                "redirects.notFollowed", "RFC 9110, 15.4", "returns 300, 304, 305 and 306, whatever Location says",
                ["300 Choices", "305 Use Proxy", "306 Unused"].map {
                    .http($0, ["Location: /to", "Content-Length: 2"], "no")
                } + [.http("304 Not Modified", ["Location: /to"])],
                .response(300, "no"), .response(304, ""), .response(305, "no"), .response(306, "no")),
            .answers(
                "redirects.noLocation", "RFC 9110, 15.4", "returns a redirect without a target",
                ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"].map {
                    .http($0, ["Content-Length: 2"], "no")
                },
                .response(301, "no"), .response(302, "no"), .response(303, "no"), .response(307, "no"),
                .response(308, "no")),
            .answer(
                "redirects.otherStatus", "RFC 9110, 10.2.2", "follows no Location of a 201", to: .post,
                .http("201 Created", ["Location: /to", "Content-Length: 2"], "ok"),
                .response(201, headers: ["Location": "/to"])),
            Self("redirects.body", "RFC 9110, 15.4", "reads past the body of a redirect") { trial in
                let server = try trial.answering { request in
                    request.target == "/"
                        ? .http("302 Found", ["Location: /to", "Transfer-Encoding: chunked"], "4\r\nmove\r\n0\r\n\r\n")
                        : .ok()
                }
                try trial.expect(try await trial.get(server.origin), .response())
            },
            Self("redirects.recorded", "Backstop, CallContext.recordHop", "records each request that it sends") {
                trial in
                let server = try trial.answering { request in
                    request.target == "/3" ? .ok() : .redirect(to: "/\((Int(request.target.dropFirst()) ?? 0) + 1)")
                }
                let outcome = try await trial.get(server.origin + "/1")
                try trial.expect(outcome, .response())
                try trial.expect("the requests", outcome.sent.map(\.url.path), is: ["/1", "/2", "/3"])
                try trial.expect("the response's URL", outcome.response?.url?.path, is: "/3")
            },
            Self("redirects.twenty", "Fetch, 4.4", "follows 20 in a row") { trial in
                let server = try trial.answering { request in
                    let count = Int(request.target.dropFirst()) ?? 0
                    return count == 20 ? .ok() : .redirect(to: "/\(count + 1)")
                }
                try trial.expect(try await trial.get(server.origin + "/0"), .response())
                try trial.expect("the number of requests", server.state.requests.count, is: 21)
            },
            Self("redirects.count", "Fetch, 4.4", "gives up after 20") { trial in
                let server = try trial.answering { request in
                    .redirect(to: "/\((Int(request.target.dropFirst()) ?? 0) + 1)")
                }
                try trial.expect(try await trial.get(server.origin + "/0"), .failure(.redirects, in: .receiving))
                try trial.expect("the number of requests", server.state.requests.count, is: 21)
            },
            Self("redirects.loop", "RFC 9110, 15.4", "finds a loop") { trial in
                let server = try trial.answering { .redirect(to: $0.target == "/a" ? "/b" : "/a") }
                try trial.expect(try await trial.get(server.origin + "/a"), .failure(.redirects, in: .receiving))
                let count = server.state.requests.count
                try trial.require(count <= 21, "at most 21 requests", came: "\(count)")
            },
            Self("redirects.self", "RFC 9110, 15.4", "finds a redirect to itself") { trial in
                let server = try trial.answering { .redirect(to: $0.target) }
                try trial.expect(try await trial.get(server.origin + "/a"), .failure(.redirects, in: .receiving))
            },
            Self("redirects.cut", "RFC 9112, 8", "does not follow a redirect whose head has been cut") { trial in
                let server = try trial.answerOnce("HTTP/1.1 302 Found\r\nLocation: /to".utf8, then: .ends)
                try trial.expect(try await trial.get(server.origin), .failure(.lost, .truncated, .badResponse))
                try trial.expect("the number of requests", server.state.requests.count, is: 1)
            },
            Self("redirects.silence", "Backstop, Transport", "ends at the limit over all hops of an attempt") { trial in
                let server = try trial.serve { connection in
                    while true {
                        let request = try connection.readRequest()
                        guard request.target == "/" else { return connection.waitForEnd() }
                        try connection.send(.redirect(to: "/to"))
                    }
                }
                try await trial.expectTimeout(.timeout(in: .waiting)) { try await trial.get(server.origin, limit: $0) }
            },
            Self("redirects.reset", "RFC 9112, 9.5", "reports a connection that is reset after a redirect") { trial in
                let server = try trial.serve { connection in
                    while true {
                        let request = try connection.readRequest()
                        if request.target != "/" { try connection.reset() }
                        try connection.send(.redirect(to: "/to"))
                    }
                }
                try trial.expect(try await trial.get(server.origin), .failure(.lost, in: .waiting))
            },
        ]

    /// Fetch, 4.4: 303 becomes GET unless the method is HEAD, and so does POST after 301 and 302.
    private static func becomesGet(_ status: Int, _ method: HTTP.Method) -> Bool {
        status == 303 ? method != .head : method == .get || method == .post && (status == 301 || status == 302)
    }

    /// A redirect of a request with each kind of body that the method may have.
    private static func followed(_ status: Int, _ method: HTTP.Method) -> Self {
        let becomesGet = becomesGet(status, method)
        let title = "follows a \(status) after \(method) with " + (becomesGet ? "GET" : "the same method and body")
        return Self("redirects.\(status)\(method.name.capitalized)", "Fetch, 4.4", title) { trial in
            for content in RequestContent.allCases where content == .none || method != .get && method != .head {
                let server = try trial.answering { request in
                    request.target == "/"
                        ? .http("\(status) Moved", ["Location: /to", "Content-Length: 0"])
                        : request.method == "HEAD" ? .http("200 OK", ["Content-Length: 2"]) : .ok()
                }
                let place = "with the body \(content)"
                try await content.withBody { body in
                    var headers: HTTP.Headers = ["X-Form": "a"]
                    if content != .none { headers[.contentType] = "text/plain" }
                    let request = try HTTP.Request(method, server.origin, headers: headers, body: body)
                    let answer = method == .head ? "" : "ok"
                    try trial.expect(try await trial.send(request), .response(200, answer), at: place)
                }
                let requests = server.state.requests
                try trial.expect("the number of requests \(place)", requests.count, is: 2)
                guard let first = requests.first, let second = requests.last else { return }
                let bytes = content == .none ? [] : RequestContent.bytes
                try trial.expect("the first method \(place)", first.method, is: method.name)
                try trial.expect("the first body \(place)", first.body, is: bytes)
                try trial.expect("the second method \(place)", second.method, is: becomesGet ? "GET" : method.name)
                try trial.expect("the second body \(place)", second.body, is: becomesGet ? [] : bytes)
                try trial.expect(
                    "the second Content-Type \(place)", second.values(of: "Content-Type"),
                    is: becomesGet || content == .none ? [] : ["text/plain"])
                try trial.expect("the second X-Form \(place)", second.values(of: "X-Form"), is: ["a"])
            }
        }
    }
}

/// The kinds of bodies that a request can have.
enum RequestContent: CaseIterable {
    case none, data, file, stream, sizedStream

    static let bytes = Array("a body that is sent".utf8)

    /// Runs something with a body of these bytes; a file is removed after that.
    func withBody(_ bytes: [UInt8] = bytes, _ action: (HTTP.Body) async throws -> Void) async throws {
        switch self {
        case .none:
            try await action(.none)
        case .data:
            try await action(.data(Data(bytes)))
        case .stream:
            try await action(.stream { Self.chunks(bytes) })
        case .sizedStream:
            try await action(.stream(length: Int64(bytes.count)) { Self.chunks(bytes) })
        case .file:
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("conformance-\(UUID().uuidString)")
            try Data(bytes).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            try await action(.file(file))
        }
    }

    /// Chunks of up to 10,000 bytes.
    private static func chunks(_ bytes: [UInt8]) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for start in stride(from: 0, to: bytes.count, by: 10_000) {
                continuation.yield(Data(bytes[start..<min(start + 10_000, bytes.count)]))
            }
            continuation.finish()
        }
    }
}

extension Trial {
    /// A server that answers each request, and keeps its connections.
    func answering(_ answer: @escaping @Sendable (WireRequest) -> String) throws -> WireServer {
        try serve { connection in
            while true {
                try connection.send(answer(try connection.readRequest()))
            }
        }
    }
}

extension String {
    /// A 302 without content.
    static func redirect(to location: String) -> String {
        .http("302 Found", ["Location: \(location)", "Content-Length: 0"])
    }
}
