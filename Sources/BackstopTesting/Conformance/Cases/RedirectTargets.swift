internal import Backstop
internal import BackstopCore
internal import Foundation

extension TransportConformance.Case {
    /// Redirects: where they lead, and what goes along.
    static let redirectTargets: [Self] = [
        .location("locations.absolutePath", "follows an absolute path", "/to?a=b", is: "/to?a=b"),
        .location("locations.relative", "follows a relative path", "to", is: "/from/to"),
        .location("locations.parent", "resolves dot segments", "../to/./here", is: "/to/here"),
        .location("locations.query", "follows a bare query", "?a=b", is: "/from/page?a=b"),
        .location("locations.encoded", "keeps what is percent-encoded", "/a%2Fb%20c?d=%26", is: "/a%2Fb%20c?d=%26"),
        .location("locations.fragment", "does not send a fragment", "/to#part", is: "/to"),
        .location("locations.space", "encodes a space, or refuses it", "/to here", is: "/to%20here", mayRefuse: true),
        .location("locations.utf8", "encodes UTF-8, or refuses it", "/caf\u{E9}", is: "/caf%C3%A9", mayRefuse: true),
        Self("locations.absolute", "RFC 9110, 10.2.2", "follows an absolute URL") { trial in
            let other = try trial.answer(String.ok().utf8)
            let server = try trial.answering { _ in .redirect(to: other.origin + "/to") }
            try trial.expect(try await trial.get(server.origin), .response())
            try trial.expect("the target", other.state.requests.first?.target, is: "/to")
        },
        Self("locations.noScheme", "RFC 3986, 4.2", "follows a URL without a scheme") { trial in
            let other = try trial.answer(String.ok().utf8)
            let server = try trial.answering { _ in .redirect(to: "//127.0.0.1:\(other.port)/to") }
            try trial.expect(try await trial.get(server.origin), .response())
            try trial.expect("the target", other.state.requests.first?.target, is: "/to")
        },
        Self("locations.ipv6", "RFC 3986, 3.2.2", "follows a URL with an IPv6 address") { trial in
            let other = try trial.answer(on: .ipv6, String.ok().utf8)
            let server = try trial.answering { _ in .redirect(to: other.origin + "/to") }
            try trial.expect(try await trial.get(server.origin), .response())
            try trial.expect("Host", other.state.requests.first?.values(of: "Host") ?? [], is: ["[::1]:\(other.port)"])
        },
        Self("locations.userInfo", "RFC 9110, 4.2.4", "does not send a user and password of the server's choice") {
            trial in
            let other = try trial.answer(String.ok().utf8)
            let server = try trial.answering { _ in .redirect(to: "http://user:word@127.0.0.1:\(other.port)/to") }
            try trial.expect(try await trial.get(server.origin), .response())
            let request = other.state.requests.first
            try trial.expect("the target", request?.target, is: "/to")
            try trial.expect("Authorization", request?.values(of: "Authorization") ?? [], is: [])
            try trial.expect("Host", request?.values(of: "Host") ?? [], is: ["127.0.0.1:\(other.port)"])
        },
        Self("locations.scheme", "Fetch, 4.4", "refuses another scheme than http and https") { trial in
            for target in ["ftp://127.0.0.1/a", "file:///etc/hosts", "javascript:alert(1)", "data:,a", "mailto:a@b"] {
                let server = try trial.answering { _ in .redirect(to: target) }
                try trial.expect(
                    try await trial.get(server.origin), .failure(.redirectRefused, in: .receiving), at: "to \(target)")
            }
        },
        .refused(
            "locations.malformed", "RFC 3986, 3", "refuses a target that is no URL, and sends nothing to it",
            [
                "http://", "http://[::1", "http://127.0.0.1:99999/", "http:// /", "http://a b/",
                "http://127.0.0.1:9223372036854775808/", "//127.0.0.1:99999999999999999999/to",
            ]),
        .refused(
            "locations.encodedHost", "RFC 3986, 3.2.2", "refuses a host with an encoded delimiter, scheme or none",
            ["//a%2fb/x", "//a%40b/x", "//a%3Ab/x", "//a%5bb/x", "//a%20b/x", "http://a%2fb/x"]),
        Self("locations.latin1", "RFC 9110, 10.2.2", "percent-encodes bytes that are not UTF-8, or refuses them") {
            trial in
            let server = try trial.serve { connection in
                while true {
                    let isFirst = try connection.readRequest().target == "/"
                    let redirect =
                        Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /caf".utf8) + [0xE9]
                        + Array("\r\n\r\n".utf8)
                    try connection.send(isFirst ? redirect : Array(String.ok().utf8))
                }
            }
            try trial.expect(
                try await trial.get(server.origin), .response(), .failure(.redirectRefused, .badResponse))
            let targets = server.state.requests.map(\.target)
            try trial.require(
                [["/"], ["/", "/caf%E9"]].contains(targets), "a request to /caf%E9 at most", came: "\(targets)")
        },
        Self("locations.secure", "Backstop, Transport", "reports a redirect to a port that does not speak TLS") {
            trial in
            let other = try trial.serve { connection in
                _ = try connection.readBytes(5)
                try connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            }
            let server = try trial.answering { _ in .redirect(to: "https://127.0.0.1:\(other.port)/") }
            try trial.expect(try await trial.get(server.origin), .failure(.tls, in: .connecting))
        },
        Self("locations.twice", "RFC 9110, 10.2.2", "does not mix two targets that differ") { trial in
            let server = try trial.answering { request in
                request.target == "/"
                    ? .http("302 Found", ["Location: /a", "Location: /b", "Content-Length: 0"]) : .ok()
            }
            try trial.expect(
                try await trial.get(server.origin), .response(), .response(302, ""),
                .failure(.redirectRefused, .badResponse))
            let targets = server.state.requests.map(\.target)
            let allowed = [["/"], ["/", "/a"], ["/", "/b"]]
            try trial.require(allowed.contains(targets), "a request to /a or /b at most", came: "\(targets)")
        },
        .origins("origins.credentials", "drops credentials on the way to another origin", to: .other, [:]),
        .origins("origins.same", "keeps credentials within an origin", to: .same, secrets),
        .origins("origins.back", "does not add credentials again on the way back", to: .otherAndBack, [:]),
        Self("origins.host", "RFC 9112, 3.2", "sends the Host of the new origin") { trial in
            let other = try trial.answer(String.ok().utf8)
            let server = try trial.answering { _ in .redirect(to: other.origin + "/to") }
            let request = try HTTP.Request(.get, server.origin, headers: ["Host": "shop.example.com"])
            try trial.expect(try await trial.send(request), .response())
            try trial.expect("Host", server.state.requests.first?.values(of: "Host") ?? [], is: ["shop.example.com"])
            try trial.expect(
                "Host", other.state.requests.first?.values(of: "Host") ?? [], is: ["127.0.0.1:\(other.port)"])
        },
        Self("origins.singleBody", "Fetch, 4.4", "refuses to send a body again that can be read only once") { trial in
            let server = try trial.answering { _ in
                .http("307 Temporary", ["Location: /to", "Content-Length: 0"])
            }
            let body = HTTP.Body.stream(
                once: AsyncStream {
                    $0.yield(Data("once".utf8)); $0.finish()
                }, length: 4)
            let request = try HTTP.Request(.post, server.origin, headers: [.contentType: "text/plain"], body: body)
            try trial.expect(try await trial.send(request), .failure(.redirectRefused, in: .receiving))
            try trial.expect("the number of requests", server.state.requests.count, is: 1)
        },
        Self("origins.body", "Fetch, 4.4", "sends a body once to each origin") { trial in
            let other = try trial.answer(String.ok().utf8)
            let server = try trial.answering { _ in
                .http("307 Temporary", ["Location: \(other.origin)/to", "Content-Length: 0"])
            }
            let body = HTTP.Body.data(Data(RequestContent.bytes))
            let request = try HTTP.Request(.post, server.origin, headers: [.contentType: "text/plain"], body: body)
            try trial.expect(try await trial.send(request), .response())
            try trial.expect(
                "the bodies", (server.state.requests + other.state.requests).map(\.body),
                is: [RequestContent.bytes, RequestContent.bytes])
        },
    ]

    /// Where a redirect of a request with credentials leads.
    private enum Way {
        case same, other, otherAndBack
    }

    /// The fields that must not reach another origin.
    private static let secrets: [String: String] = [
        "Authorization": "Bearer a", "Cookie": "a=b", "Proxy-Authorization": "Basic a", "X-Api-Key": "a",
        "X-Auth-Token": "a",
    ]

    private static func origins(
        _ name: String, _ title: String, to way: Way, _ expected: [String: String]
    ) -> Self {
        Self(name, "Backstop, Transport", title) { trial in
            let origin = Lock("")
            let other = try trial.answering { _ in
                way == .other ? .ok() : .redirect(to: origin.withLock { $0 } + "/to")
            }
            let server = try trial.answering { request in
                request.target == "/to" ? .ok() : .redirect(to: way == .same ? "/to" : other.origin + "/to")
            }
            origin.withLock { $0 = server.origin }
            var headers: HTTP.Headers = ["X-Form": "a"]
            for (name, value) in secrets {
                try headers.set(value, for: HTTP.Headers.Name(name))
            }
            let outcome = try await trial.send(try HTTP.Request(.get, server.origin + "/from", headers: headers))
            try trial.expect(outcome, .response())
            guard let last = way == .other ? other.state.requests.last : server.state.requests.last else {
                return try trial.require(false, "a request at the server", came: "none")
            }
            for name in secrets.keys.sorted() {
                try trial.expect(name, last.values(of: name).first, is: expected[name])
            }
            try trial.expect("X-Form", last.values(of: "X-Form"), is: ["a"])
        }
    }

    /// A redirect from `/from/page`, and the target that is requested then.
    private static func refused(_ name: String, _ rule: String, _ title: String, _ targets: [String]) -> Self {
        Self(name, rule, title) { trial in
            for target in targets {
                let server = try trial.answering { _ in .redirect(to: target) }
                try trial.expect(
                    try await trial.get(server.origin), .failure(.redirectRefused, in: .receiving), at: "to \(target)")
                try trial.expect("the number of requests", server.state.requests.count, is: 1)
            }
        }
    }

    private static func location(
        _ name: String, _ title: String, _ location: String, is target: String, mayRefuse: Bool = false
    ) -> Self {
        Self(name, "RFC 9110, 10.2.2", title) { trial in
            let server = try trial.answering { request in
                request.target == "/from/page" ? .redirect(to: location) : .ok()
            }
            let outcome = try await trial.get(server.origin + "/from/page")
            if mayRefuse, outcome.response == nil {
                return try trial.expect(outcome, .failure(.redirectRefused, .badResponse, in: .receiving))
            }
            try trial.expect(outcome, .response())
            try trial.expect("the target", server.state.requests.last?.target, is: target)
        }
    }
}
