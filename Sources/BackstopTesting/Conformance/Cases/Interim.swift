internal import Backstop
internal import BackstopCore

extension TransportConformance.Case {
    /// Interim responses, which precede the final one.
    static let interim: [Self] = [
        .answer(
            "interim.continue", "RFC 9110, 15.2", "passes over a 100 that it did not ask for",
            .http("100 Continue") + .ok(), .response()),
        .answer(
            "interim.earlyHints", "RFC 8297, 2", "passes over a 103, and does not take its headers for the response's",
            .http("103 Early Hints", ["Link: </a>", "X-Form: early"]) + .ok("X-Form: late"),
            .response(headers: ["X-Form": "late", "Link": nil])),
        .answer(
            "interim.several", "RFC 9110, 15.2", "passes over several",
            .http("102 Processing") + .http("100 Continue") + .http("103 Early Hints", ["Link: </a>"]) + .ok(),
            .response()),
        .answer(
            "interim.unknown", "RFC 9110, 15.2", "passes over one that it does not know",
            .http("199 Whatever", ["X-Form: a"]) + .ok(), .response(headers: ["X-Form": nil])),
        .answer(
            "interim.length", "RFC 9112, 6.3", "reads no body after one, whatever length it announces",
            .http("103 Early Hints", ["Content-Length: 7"]) + .ok(), .response()),
        .answer(
            "interim.error", "RFC 9110, 15.2", "returns the final status, even an error",
            .http("100 Continue") + .http("503 Busy", ["Content-Length: 4"], "busy"), .response(503, "busy")),
        .answer(
            "interim.only", "RFC 9112, 8", "reports a connection that ends after one",
            .http("103 Early Hints", ["Link: </a>"]), then: .ends, .failure(.lost, .truncated, .badResponse)),
        .answer(
            "interim.switching", "RFC 9110, 15.2.2", "does not wait for a protocol that it did not ask for",
            .http("101 Switching Protocols", ["Upgrade: zz9", "Connection: Upgrade"]), then: .ends,
            .response(101, ""), .failure(.badResponse, .lost, .truncated)),
        Self(
            "interim.endless", "RFC 9110, 15.2", "ends a row of them that never does", runsAlone: true
        ) { trial in
            let hints = String.http("103 Early Hints", ["Link: </a>; rel=preload"])
            try await trial.expectEndless("", String(repeating: hints, count: 1000))
        },
        .answer(
            "interim.ten", "RFC 9110, 15.2", "passes over ten",
            String(repeating: .http("103 Early Hints", ["Link: </a>"]), count: 10) + .ok(), .response()),
    ]
}
