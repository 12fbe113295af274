import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("Our own texts", .limited)
struct OwnAdviceTests {
    private static let phases: [TransportError.Phase] = [
        .queued, .connecting, .sending, .waiting, .receiving, .unknown,
    ]

    /// Every text that a code, a status or a stop reason has for developers.
    private static let texts: [String] = {
        var texts: [String] = []
        for code in RejectionError.Code.builtIn { texts += [code.explanation, code.nextStep ?? ""] }
        for code in RequestError.Code.builtIn { texts += [code.explanation, code.nextStep] }
        for code in TransportError.Code.builtIn { texts += [code.explanation, TransportError(code).nextStep] }
        for kind in TimeoutError.Kind.builtIn {
            texts += [kind.explanation] + phases.map { kind.nextStep(in: $0) }
        }
        texts += (300...599).map { StatusError.Facts.of($0).nextStep }
        texts += [
            StopReason.noRetry, .outsideRetry, .notRetryable, .rejected, .notIdempotent, .idempotencyKeyChanged,
            .idempotencyKeyUnknown, .notIdempotentBeside, .notReplayable, .budget, .unanswered, .timeoutRepeated,
            .cancelled,
            .attemptsUsed(3), .deadline(wait: nil), .deadline(wait: .seconds(1)),
            .retryAfterTooLong(asked: .seconds(9), accepted: .seconds(1)),
            .rejectedTooLong(rest: .seconds(9), accepted: .seconds(1)),
            .rateLimit(reset: .seconds(9), accepted: .seconds(1)),
        ].map(\.description)
        texts += ErrorSample.all.map { Failure($0.error, request: Ask()) }.flatMap {
            [$0.fullExplanation(.standard), $0.nextStep ?? ""]
        }
        return Array(Set(texts)).filter { !$0.isEmpty }.sorted()
    }()

    @Test("are shown as they are: the redaction takes nothing in them for a secret", arguments: texts)
    func unchanged(text: String) {
        #expect(Failure.shown(text, .standard) == text)
        #expect(Redaction.shown(text) == text)
    }

    @Test("are many") func count() {
        #expect(Self.texts.count > 80)
    }
}
