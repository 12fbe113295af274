import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Docs/Failures.md", .limited)
struct FailureTablesTests {
    private let guide: Guide

    init() throws {
        guide = try Guide("Docs/Failures.md")
    }

    /// The key of the texts that people get.
    private static func key(of failure: Failure) -> Substring {
        var keys: [String] = []
        _ = failure.message { key, english in
            keys.append(key)
            return english
        }
        return keys[0].dropLast(".title".count)
    }

    /// The text of a section in one line.
    private func prose(_ heading: String) throws -> String {
        try guide.section(heading).joined(separator: " ")
    }

    @Test("has the keys of a report in JSON, and those of the user info")
    func reportKeys() throws {
        let failure = try #require(FailureSamples.failure("status.503"))
        let report = Data(failure.jsonReport(details: true).utf8)
        let keys = try #require(try JSONSerialization.jsonObject(with: report) as? [String: Any]).keys
        let heading = "Send failures to a tracker"
        let details = ["requestDetails", "responseDetails"]
        let told = try guide.table(["key", "value"], under: heading).flatMap { $0[0].components(separatedBy: ", ") }
        #expect(told.sorted() == keys.filter { !details.contains($0) }.map { "`\($0)`" }.sorted())
        let attempt = Attempt(number: 1, result: .ok)
        let parts = try #require(try JSONSerialization.jsonObject(with: Data(attempt.json.utf8)) as? [String: Any]).keys
        let own = (failure as NSError).userInfo.keys.filter { $0.hasPrefix("Backstop") } + ["NSDebugDescription"]
        for key in details + parts + own {
            #expect(try prose(heading).contains("`\(key)`"), "\(key)")
        }
    }

    @Test("says of each code of a transport what the code says")
    func transport() throws {
        try guide.expect(
            ["code", "what happened", "retried", "texts"], under: "`transport`",
            toBe: TransportError.Code.builtIn.map { code in
                let failure = Failure(TransportError(code))
                return [
                    "`transport.\(code)`", code.explanation, failure.isTransient ? "yes" : "no",
                    "`\(Self.key(of: failure))`",
                ]
            })
    }

    @Test("says of each time limit what the code says")
    func timeout() throws {
        try guide.expect(
            ["code", "what happened", "retried"], under: "`timeout`",
            toBe: TimeoutError.Kind.builtIn.map { kind in
                ["`timeout.\(kind)`", kind.explanation, Failure(TimeoutError(kind)).isTransient ? "yes" : "no"]
            })
        #expect(TimeoutError.Kind.builtIn.allSatisfy { Self.key(of: Failure(TimeoutError($0))) == "timeout" })
    }

    @Test("says of each status what the code says")
    func status() throws {
        let named = StatusError.Facts.table.map { (code: $0.code, facts: $0) }
        let others: [(name: String, facts: StatusError.Facts)] = [
            ("any other 3xx", .redirect), ("any other 5xx", .serverFault), ("any other", .other),
        ]
        // The statuses whose texts have another key than their code, by that key.
        var rows: [[String]] = []
        for (name, facts) in named.map({ (name: "\($0.code)", facts: $0.facts) }) + others {
            let key = facts.message.key
            guard key != "status.\(name)" else {
                continue
            }
            if let index = rows.firstIndex(where: { $0[1] == "`\(key)`" }) {
                rows[index][0] += ", \(name)"
            } else {
                rows.append([name, "`\(key)`"])
            }
        }
        try guide.expect(["status", "texts"], under: "`status`", toBe: rows)
        let retried = named.filter(\.facts.isTransient).map { "\($0.code)" }.joined(separator: ", ")
        #expect(try prose("`status`").contains("Retried are \(retried)."))
        #expect(!others.contains { $0.facts.isTransient })
    }

    @Test("says of each error of a request what the code says")
    func request() throws {
        try guide.expect(
            ["code", "what happened"], under: "`request`",
            toBe: RequestError.Code.builtIn.map { ["`request.\($0)`", $0.explanation] })
        for failure in RequestError.Code.builtIn.map({ Failure(RequestError($0, "")) }) {
            #expect(!failure.isTransient)
            #expect(Self.key(of: failure) == "request")
        }
    }

    @Test("says of each refusal what the code says")
    func rejected() throws {
        let codes = RejectionError.Code.builtIn + [.noCache, .script]
        try guide.expect(
            ["code", "what happened"], under: "`rejected`",
            toBe: codes.map { ["`rejected.\($0)`", $0.explanation] })
        let prose = try prose("`rejected`")
        let acceptedLater = codes.filter { Failure(RejectionError($0, "")).isTransient }.map { "`\($0)`" }
        #expect(prose.contains("after \(acceptedLater.joined(separator: ", "))."))
        let apart: [RejectionError.Code: Substring] = [.cacheMiss: "rejected.cacheMiss", .idempotencyKey: "request"]
        for code in codes {
            #expect(Self.key(of: Failure(RejectionError(code, ""))) == apart[code] ?? "rejected")
        }
    }

    @Test("says of each failure of GraphQL that the service answers for what the code says")
    func graphQL() throws {
        let apart: [GraphQLFailure.Kind] = [.decodingError, .encodingError, .invalidData]
        try guide.expect(
            ["code", "what happened"], under: "`service`",
            toBe: GraphQLFailure.Kind.builtIn.filter { !apart.contains($0) }.map { kind in
                ["`service.graphQL.\(kind)`", kind.explanation]
            })
    }

    @Test("says of each kind of decoding failure what the code says")
    func decoding() throws {
        let kinds = DecodingFailure.Kind.builtIn
        try guide.expect(
            ["kind", "what happened"], under: "`decoding`", toBe: kinds.map { ["`\($0)`", $0.explanation] })
        let others = kinds.filter { $0.message.key != "decoding" }.map { "`\($0.message.key)` for `\($0)`" }
        #expect(try prose("`decoding`").contains("The texts are `decoding`, or \(others.joined(separator: " and "))."))
    }

    @Test("says of each reason why no further attempt was made what the report says")
    func stopReasons() throws {
        let reasons: [(String, StopReason)] = [
            (".noRetry", .noRetry), (".outsideRetry", .outsideRetry), (".notRetryable", .notRetryable),
            (".rejected", .rejected), (".notIdempotent", .notIdempotent),
            (".idempotencyKeyChanged", .idempotencyKeyChanged), (".notReplayable", .notReplayable),
            (".begun", .begun), (".budget", .budget), (".unanswered", .unanswered),
            (".timeoutRepeated", .timeoutRepeated),
            (".cancelled", .cancelled),
            (".attemptsUsed(3)", .attemptsUsed(3)),
            (".attemptsUsed(1)", .attemptsUsed(1)), (".deadline(wait: .seconds(4))", .deadline(wait: .seconds(4))),
            (".deadline(wait: nil)", .deadline(wait: nil)),
            (
                ".retryAfterTooLong(asked:accepted:)",
                .retryAfterTooLong(asked: .seconds(300), accepted: .seconds(60))
            ),
            (".rateLimit(reset:accepted:)", .rateLimit(reset: .seconds(2400), accepted: .seconds(60))),
            (".custom(\"the shop is closed\")", .custom("the shop is closed")),
        ]
        try guide.expect(
            ["`StopReason`", "in the report"], under: "Why no further attempt",
            toBe: reasons.map { ["`\($0.0)`", $0.1.description] })
        #expect(reasons.allSatisfy { name, reason in reason.code == name.dropFirst().prefix { $0 != "(" } })
        let declared = try Guide(source: "StopReason.swift").text
            .matches(of: /public static (?:let|func) (\w+)/).map { String($0.output.1) }
        #expect(Set(reasons.map { $0.0.dropFirst().prefix { $0 != "(" } }.map(String.init)) == Set(declared))
    }

    @Test("says of the rest what the code says")
    func rest() throws {
        struct Unknown: Error {}
        let prose = try prose("The rest")
        for failure in [Failure(CancellationError()), Failure(Unknown())] {
            #expect(prose.contains("`\(failure.code)`: "))
            #expect(!failure.isTransient)
            #expect(Self.key(of: failure) == failure.code)
        }
    }

    @Test("has the number of each kind as an NSError")
    func numbers() throws {
        let kinds = [
            "cancelled", "request", "transport", "timeout", "service", "decoding", "rejected", "other", "storage",
        ]
        let numbers = try kinds.map { kind in
            let failure = try #require(FailureSamples.all.first { $0.failure.reason.kind == kind }).failure
            return "`\(kind)` \(failure.errorCode)"
        }
        #expect(try prose("`NSError`").contains("and otherwise \(numbers.joined(separator: ", "))."))
        #expect(Failure(StatusError(418)).errorCode == 418)
    }
}
