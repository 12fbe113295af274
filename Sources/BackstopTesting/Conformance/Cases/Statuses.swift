internal import Backstop
internal import BackstopCore

extension TransportConformance.Case {
    /// Status codes.
    static let statuses: [Self] = [
        .statuses("statuses.success", "RFC 9110, 15.3", 200...299, except: [204, 205]),
        .statuses(
            "statuses.redirection", "RFC 9110, 15.4", 300...399, except: [301, 302, 303, 304, 305, 306, 307, 308]),
        .statuses("statuses.clientError", "RFC 9110, 15.5", 400...499, except: [401, 407]),
        .statuses("statuses.serverError", "RFC 9110, 15.6", 500...599, except: []),
        .answer(
            "statuses.unauthorized", "RFC 9110, 15.5.2", "returns a 401 without asking anyone",
            .http("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"a\"", "Content-Length: 2"], "no"),
            .response(401, "no", headers: ["WWW-Authenticate": "Basic realm=\"a\""])),
        .answer(
            "statuses.proxyAuthentication", "RFC 9110, 15.5.8", "returns a 407 of a server that is no proxy",
            .http("407 Authenticate", ["Proxy-Authenticate: Basic realm=\"a\"", "Content-Length: 2"], "no"),
            .response(407, "no")),
        .answer(
            "statuses.noContent", "RFC 9112, 6.3", "reads no body after 204",
            .http("204 No Content"), .response(204, "")),
        .answer(
            "statuses.resetContent", "RFC 9110, 15.3.6", "reads an empty body after 205",
            .http("205 Reset Content", ["Content-Length: 0"]), .response(205, "")),
        .answer(
            "statuses.notModified", "RFC 9112, 6.3", "reads no body after 304",
            .http("304 Not Modified", ["ETag: \"a\""]), .response(304, "", headers: ["ETag": "\"a\""])),
        .answer(
            "statuses.notModifiedLength", "RFC 9110, 15.4.5", "reads no body after 304, whatever length it announces",
            .http("304 Not Modified", ["Content-Length: 100000000000"]), .response(304, "")),
        Self(
            "statuses.invalid", "RFC 9110, 15", "returns a status from 600 to 999, or refuses it"
        ) { trial in
            for status in [600, 700, 999] {
                try await trial.expectAnswer(
                    Array(String.http("\(status) Odd", ["Content-Length: 2"], "ok").utf8), to: .get, then: .ends,
                    [.response(status), .malformed], "for \(status)")
            }
        },
        .answers(
            "statuses.low", "RFC 9110, 15", "refuses a status below 100",
            ["000", "001", "099"].flatMap {
                [String.http("\($0) X", ["Content-Length: 2"], "ok"), String.http("\($0) X", ["Content-Length: 0"])]
            }, .malformed),
        .answers(
            "statuses.malformed", "RFC 9112, 4", "refuses a status that is not three digits",
            ["20 OK", "2000 OK", "20x OK", "-20 OK", "+200 OK", "0x0 OK", "OK", ""].map {
                .http($0, ["Content-Length: 2"], "ok")
            }, then: .ends, .malformed),
    ]

    /// Each status of a range is returned as it is.
    private static func statuses(
        _ name: String, _ rule: String, _ range: ClosedRange<Int>, except: Set<Int>
    ) -> Self {
        let title = "returns each status from \(range.lowerBound) to \(range.upperBound), unknown ones included"
        return Self(name, rule, title) { trial in
            let server = try trial.answering { .http("\($0.target.dropFirst()) Any", ["Content-Length: 2"], "ok") }
            let transport = try await trial.transport()
            for status in range where !except.contains(status) {
                let outcome = await trial.send(try .init(.get, "\(server.origin)/\(status)"), through: transport)
                try trial.expect(outcome, .response(status))
            }
        }
    }
}
