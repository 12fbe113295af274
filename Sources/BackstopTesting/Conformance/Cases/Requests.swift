internal import Backstop
internal import BackstopCore
internal import Foundation

extension TransportConformance.Case {
    /// Requests as they are sent.
    static let requests: [Self] = [
        .request("requests.line", "RFC 9112, 3", "sends method, target and version", .get, "/a/b?c=d") { request in
            [("the first line", request.line, "GET /a/b?c=d HTTP/1.1")]
        },
        .request("requests.noBody", "RFC 9110, 8.6", "announces no body with GET", .get, "/") { request in
            [
                ("Content-Length", request.values(of: "Content-Length").joined(), ""),
                ("Transfer-Encoding", request.values(of: "Transfer-Encoding").joined(), ""),
            ]
        },
        .request("requests.emptyPost", "RFC 9110, 8.6", "announces an empty body with POST", .post, "/") { request in
            [("Content-Length", request.values(of: "Content-Length").joined(), "0")]
        },
        .body("requests.data", "sends a body in memory with its length", .data, count: 5, isChunked: false),
        .body("requests.largeData", "sends a large body in memory", .data, count: 5_000_000, isChunked: false),
        .body("requests.emptyData", "sends an empty body in memory with its length", .data, count: 0, isChunked: false),
        .body("requests.file", "sends a file with its length", .file, count: 5, isChunked: false),
        .body("requests.largeFile", "sends a large file", .file, count: 5_000_000, isChunked: false),
        .body("requests.emptyFile", "sends an empty file with its length", .file, count: 0, isChunked: false),
        .body("requests.stream", "sends a stream of unknown length in chunks", .stream, count: 25_000, isChunked: true),
        .body("requests.emptyStream", "sends an empty stream in chunks", .stream, count: 0, isChunked: true),
        .body("requests.sizedStream", "sends a stream with its length", .sizedStream, count: 25_000, isChunked: false),
        .unsent(
            "requests.longStream", "RFC 9112, 6.3", "does not send a stream beyond its length as a whole request",
            .stream(length: 4) { stream(of: "longer") }, "request.bodyLength"),
        .unsent(
            "requests.shortStream", "RFC 9112, 6.3", "does not wait when a stream is shorter than its length",
            .stream(length: 40) { stream(of: "shorter") }, "request.bodyLength"),
        .unsent(
            "requests.failingStream", "Backstop, HTTP.Body", "reports a stream that fails, and ends the request",
            .stream { stream(of: "part", then: StreamFailed()) }, "request.bodyUnreadable"),
        Self("requests.streamAmongOthers", "Backstop, Transport", "sends streams while other calls begin") { trial in
            let server = try trial.answer(String.ok().utf8)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        guard number % 10 == 0 else {
                            return try trial.expect(try await trial.get(server.origin), .response())
                        }
                        try await RequestContent.stream.withBody { body in
                            let request = try HTTP.Request(.put, server.origin, body: body)
                            try trial.expect(try await trial.send(request), .response())
                        }
                    }
                }
                try await group.waitForAll()
            }
        },
        Self("requests.slowReader", "RFC 9112, 9.5", "sends a large body to a server that reads slowly") { trial in
            let server = try trial.serve { connection in
                let request = try connection.readHead()
                for _ in 0..<20 {
                    _ = try connection.readBytes((request.length ?? 0) / 20)
                    Thread.sleep(forTimeInterval: 0.002)
                }
                try connection.send(.ok())
                connection.waitForEnd()
            }
            let request = try HTTP.Request(
                .put, server.origin, headers: [.contentType: "text/plain"], body: .data(Data(count: 8_000_000)))
            try trial.expect(try await trial.send(request), .response())
        },
        .request(
            "requests.methods", "RFC 9110, 9.1", "sends a method of its own name and case", try? .init("Purge-It"), "/"
        ) { request in
            [("the method", request.method, "Purge-It")]
        },
        .request("requests.options", "RFC 9110, 9.3.7", "sends OPTIONS", .options, "/") { request in
            [("the method", request.method, "OPTIONS")]
        },
        .request("requests.trace", "RFC 9110, 9.3.8", "sends TRACE", .trace, "/") { request in
            [("the method", request.method, "TRACE")]
        },
        .request(
            "requests.headers", "RFC 9110, 5.5", "sends header values as they are", .get, "/",
            headers: ["X-Form": "a, b; c=\"d\"", "X-Utf": "caf\u{E9}"]
        ) { request in
            [
                ("X-Form", request.values(of: "X-Form").joined(separator: "|"), "a, b; c=\"d\""),
                ("X-Utf", request.values(of: "X-Utf").joined(separator: "|"), "caf\u{E9}"),
            ]
        },
        .request(
            "requests.emptyHeader", "RFC 9110, 5.5", "sends an empty header value", .get, "/", headers: ["X-Form": ""]
        ) { request in
            [("X-Form", request.values(of: "X-Form").map { "[\($0)]" }.joined(), "[]")]
        },
        .request(
            "requests.repeatedHeader", "RFC 9110, 5.3", "sends all values of a repeated name, in their order", .get,
            "/",
            headers: ["X-Form": "a", "X-Other": "-", "X-Form": "b"]
        ) { request in
            [("X-Form", request.values(of: "X-Form").joined(separator: ", "), "a, b")]
        },
        .request(
            "requests.headerOrder", "Backstop, HTTP.Headers", "sends header fields in their order", .get, "/",
            // So many that no order of a dictionary's is theirs by chance.
            headers: [
                "X-C": "1", "X-A": "1", "X-Z": "1", "X-B": "1", "X-Y": "1", "X-M": "1", "X-D": "1", "X-K": "1",
                "X-F": "1", "X-E": "1", "X-T": "1", "X-H": "1",
            ]
        ) { request in
            let names = request.fields.map { $0.name.lowercased() }.filter { $0.hasPrefix("x-") }
            return [("the order", names.joined(separator: " "), "x-c x-a x-z x-b x-y x-m x-d x-k x-f x-e x-t x-h")]
        },
        .request(
            "requests.onceEach", "RFC 9110, 5.3", "sends the fields that it sets itself once, as the caller has them",
            .get, "/", headers: ["User-Agent": "me", "Accept": "text/plain", "Accept-Language": "sv"]
        ) { request in
            ["User-Agent": "me", "Accept": "text/plain", "Accept-Language": "sv"].sorted { $0.key < $1.key }.map {
                ($0.key, request.values(of: $0.key).joined(separator: "|"), $0.value)
            }
        },
        .host(
            "requests.host", "RFC 9112, 3.2", "sends Host with the port, once, and first if it can", "127.0.0.1",
            path: ""),
        .request(
            "requests.ownHost", "RFC 9110, 7.2", "sends a Host of the caller's, once", .get, "/",
            headers: ["Host": "shop.example.com"]
        ) { request in
            [("Host", request.values(of: "Host").joined(separator: "|"), "shop.example.com")]
        },
        .target("targets.emptyPath", "RFC 9112, 3.2.1", "sends / for an empty path", "", is: "/"),
        .target("targets.emptyPathQuery", "RFC 9112, 3.2.1", "sends / before a query", "?a=b", is: "/?a=b"),
        .target(
            "targets.encoded", "RFC 3986, 2.4", "keeps what is percent-encoded", "/a%2Fb%2e%20c", is: "/a%2Fb%2e%20c"),
        .target(
            "targets.query", "RFC 3986, 3.4", "keeps a query as it is", "/?a=b+c%20d&e=%26&f", is: "/?a=b+c%20d&e=%26&f"
        ),
        .target("targets.emptyQuery", "RFC 3986, 3.4", "keeps an empty query", "/a?", is: "/a?"),
        .target("targets.fragment", "RFC 9112, 3.2.1", "does not send a fragment", "/a?b=c#part", is: "/a?b=c"),
        .target("targets.slashes", "RFC 3986, 3.3", "keeps empty segments", "/a//b/", is: "/a//b/"),
        .target(
            "targets.reserved", "RFC 3986, 3.3", "keeps reserved characters", "/a;b=c,d:e@f!g$h", is: "/a;b=c,d:e@f!g$h"
        ),
        .target(
            "targets.long", "RFC 9110, 4.1", "sends a target of 8,000 bytes", "/" + String(repeating: "a", count: 7999),
            is: "/" + String(repeating: "a", count: 7999)),
        .host("targets.ipv6", "RFC 3986, 3.2.2", "reaches an IPv6 address", "[::1]", on: .ipv6),
        .host("targets.name", "RFC 6761, 6.3", "reaches localhost by its name", "localhost"),
    ]

    private struct StreamFailed: Error {}

    /// A stream with a text, and the error that ends it.
    private static func stream(
        of text: String, then error: StreamFailed? = nil
    ) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream {
            $0.yield(Data(text.utf8))
            $0.finish(throwing: error)
        }
    }

    /// A request whose body cannot be sent as a whole.
    private static func unsent(
        _ name: String, _ rule: String, _ title: String, _ body: HTTP.Body, _ code: String
    ) -> Self {
        Self(name, rule, title) { trial in
            let server = try trial.answer(String.ok().utf8)
            let request = try HTTP.Request(.put, server.origin, headers: [.contentType: "text/plain"], body: body)
            try trial.expect(try await trial.send(request), .failure(codes: [code]))
            try trial.expect("the number of complete requests", server.state.requests.count(where: \.isComplete), is: 0)
        }
    }

    /// One request, and the texts that the server must have seen.
    private static func request(
        _ name: String, _ rule: String, _ title: String, _ method: HTTP.Method?, _ target: String,
        headers: HTTP.Headers = [:],
        _ texts: @escaping @Sendable (WireRequest) -> [(what: String, came: String, expected: String)]
    ) -> Self {
        Self(name, rule, title) { trial in
            let server = try trial.answer(String.ok().utf8)
            let request = try HTTP.Request(method ?? .get, server.origin + target, headers: headers)
            try trial.expect(try await trial.send(request), .response())
            let requests = server.state.requests
            try trial.expect("the number of requests", requests.count, is: 1)
            for text in requests.first.map(texts) ?? [] {
                try trial.expect(text.what, text.came, is: text.expected)
            }
        }
    }

    private static func host(
        _ name: String, _ rule: String, _ title: String, _ host: String, path: String = "/a",
        on family: WireServer.Host = .ipv4
    ) -> Self {
        Self(name, rule, title) { trial in
            let server = try trial.answer(on: family, String.ok().utf8)
            try trial.expect(try await trial.get("http://\(host):\(server.port)\(path)"), .response())
            let request = server.state.requests.first
            try trial.expect("Host", request?.values(of: "Host") ?? [], is: ["\(host):\(server.port)"])
        }
    }

    private static func target(
        _ name: String, _ rule: String, _ title: String, _ target: String, is expected: String
    ) -> Self {
        request(name, rule, title, .get, target) { [("the target", $0.target, expected)] }
    }

    /// A request with so many bytes of body.
    private static func body(
        _ name: String, _ title: String, _ content: RequestContent, count: Int, isChunked: Bool
    ) -> Self {
        Self(name, "RFC 9112, 6.3", title) { trial in
            let server = try trial.answer(String.ok().utf8)
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
            try await content.withBody(bytes) { body in
                let headers: HTTP.Headers = [.contentType: "application/octet-stream"]
                let request = try HTTP.Request(.put, server.origin, headers: headers, body: body)
                try trial.expect(try await trial.send(request), .response())
            }
            guard let request = server.state.requests.first else {
                return try trial.require(false, "a request at the server", came: "none")
            }
            try trial.expect("whether it is sent in chunks", request.isChunked, is: isChunked)
            try trial.expect("the length", request.length, is: isChunked ? nil : count)
            try trial.expect("the number of bytes", request.body.count, is: count)
            try trial.require(request.body == bytes, "the bytes of the body", came: "others")
        }
    }
}
