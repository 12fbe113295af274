import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Docs/Failures.md")
struct FailureTablesTests {
    private let guide: Guide

    init() throws {
        guide = try Guide("Docs/Failures.md")
    }

    private static let columns = ["code", "what happened", "what to do", "retried", "texts"]

    private func row(_ code: String, _ explanation: String, _ nextStep: String, _ failure: Failure) -> [String] {
        ["`\(code)`", explanation, nextStep, failure.isTransient ? "yes" : "no", "`\(Self.key(of: failure))`"]
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

    @Test("says of each code of a transport what the code says")
    func transport() throws {
        try guide.expect(
            Self.columns, under: "`transport`",
            toBe: TransportError.Code.builtIn.map { code in
                row("transport.\(code)", code.explanation, code.nextStep, Failure(TransportError(code)))
            })
    }

    @Test("says of each time limit what the code says")
    func timeout() throws {
        try guide.expect(
            Self.columns, under: "`timeout`",
            toBe: TimeoutError.Kind.builtIn.map { kind in
                let step = kind.nextStep ?? "depends on how far the exchange had come: see `next:` in the report"
                return row("timeout.\(kind)", kind.explanation, step, Failure(TimeoutError(kind)))
            })
    }

    @Test("says of each status what the code says")
    func status() throws {
        func row(_ name: String, _ facts: StatusError.Facts) -> [String] {
            [name, facts.nextStep, facts.isTransient ? "yes" : "no", "`\(facts.message.key)`"]
        }
        let rows = StatusError.Facts.table.map { facts in
            row(
                facts.codes.map { "`status.\($0)` \(StatusError.reasonPhrase(of: $0) ?? "")" }.joined(separator: ", "),
                facts)
        }
        try guide.expect(
            ["code", "what to do", "retried", "texts"], under: "`status`",
            toBe: rows + [
                row("any other from 300 to 399", .redirect), row("any other from 500 to 599", .serverFault),
                row("any other", .other),
            ])
    }

    @Test("says of each error of a request what the code says")
    func request() throws {
        try guide.expect(
            Self.columns, under: "`request`",
            toBe: RequestError.Code.builtIn.map { code in
                row("request.\(code)", code.explanation, code.nextStep, Failure(RequestError(code, "")))
            })
    }

    @Test("says of each refusal what the code says")
    func rejected() throws {
        let codes = RejectionError.Code.builtIn + [.noCache, .script]
        let columns = Self.columns.map { $0 == "retried" ? "accepted later" : $0 }
        try guide.expect(
            columns, under: "`rejected`",
            toBe: codes.map { code in
                let failure = Failure(RejectionError(code, ""))
                return row("rejected.\(code)", code.explanation, failure.nextStep ?? "", failure)
            })
    }

    @Test("says of each failure of GraphQL that the service answers for what the code says")
    func graphQL() throws {
        let apart: [GraphQLFailure.Kind] = [.decodingError, .encodingError, .invalidData]
        try guide.expect(
            ["code", "what happened", "what to do"], under: "`service`",
            toBe: GraphQLFailure.Kind.builtIn.filter { !apart.contains($0) }.map { kind in
                ["`service.graphQL.\(kind)`", kind.explanation, kind.nextStep ?? "what the first error says"]
            })
    }

    @Test("says of each kind of decoding failure what the code says")
    func decoding() throws {
        try guide.expect(
            ["kind", "what happened", "texts"], under: "`decoding`",
            toBe: DecodingFailure.Kind.builtIn.map { ["`\($0)`", $0.explanation, "`\($0.message.key)`"] })
    }

    @Test("says of each reason why no further attempt was made what the report says")
    func stopReasons() throws {
        let reasons: [(String, StopReason)] = [
            (".noRetry", .noRetry), (".outsideRetry", .outsideRetry), (".notRetryable", .notRetryable),
            (".rejected", .rejected), (".notIdempotent", .notIdempotent),
            (".idempotencyKeyChanged", .idempotencyKeyChanged), (".notReplayable", .notReplayable),
            (".budget", .budget), (".unanswered", .unanswered), (".timeoutRepeated", .timeoutRepeated),
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
            ["`StopReason`", "code", "in the report"], under: "Why no further attempt",
            toBe: reasons.map { ["`\($0.0)`", "`\($0.1.code)`", $0.1.description] })
        let declared = try Guide(source: "StopReason.swift").text
            .matches(of: /public static (?:let|func) (\w+)/).map { String($0.output.1) }
        #expect(Set(reasons.map { $0.0.dropFirst().prefix { $0 != "(" } }.map(String.init)) == Set(declared))
    }

    @Test("says of the rest what the code says")
    func rest() throws {
        struct Unknown: Error {}
        let rows = try guide.table(["code", "when", "retried", "texts"], under: "The rest")
        let failures = [Failure(CancellationError()), Failure(Unknown())]
        #expect(rows.map { $0[0] } == failures.map { "`\($0.code)`" })
        #expect(rows.map { $0[2] } == failures.map { $0.isTransient ? "yes" : "no" })
        #expect(rows.map { $0[3] } == failures.map { "`\(Self.key(of: $0))`" })
    }

    @Test("has the number of each kind as an NSError")
    func numbers() throws {
        let kinds = ["cancelled", "request", "transport", "timeout", "service", "decoding", "rejected", "other"]
        let rows = try kinds.map { kind in
            let failure = try #require(FailureSamples.all.first { $0.failure.reason.kind == kind }).failure
            return ["`\(kind)`", "\(failure.errorCode)"]
        }
        try guide.expect(
            ["kind", "`code` of the `NSError`"], under: "`NSError`", toBe: rows + [["`status`", "the status"]])
    }
}
