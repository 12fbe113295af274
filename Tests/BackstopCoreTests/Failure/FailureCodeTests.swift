import BackstopCore
import BackstopTestSupport
import Testing

@Suite("A failure", .limited)
struct FailureCodeTests {
    @Test("has a stable code, and knows whether its cause may pass", arguments: ErrorSample.all)
    func table(sample: ErrorSample) {
        // when
        let failure = Failure(sample.error)
        // then
        #expect(failure.code == sample.code)
        #expect(failure.reason.code == sample.code)
        #expect(failure.reason.kind == String(sample.code.prefix { $0 != "." }))
        #expect(failure.isTransient == sample.isTransient)
        #expect(failure.isRetryable == sample.isTransient)
        #expect(failure.isOffline == sample.isOffline)
        #expect(failure.statusCode == sample.statusCode)
        #expect(failure.isCancelled == (sample.code == "cancelled"))
    }

    @Test("can be told apart by a switch that needs no default", arguments: ErrorSample.all)
    func exhaustive(sample: ErrorSample) {
        let failure = Failure(sample.error)
        let kind =
            switch failure.reason {
            case .cancelled: "cancelled"
            case .request: "request"
            case .transport: "transport"
            case .timeout: "timeout"
            case .status: "status"
            case .service: "service"
            case .decoding: "decoding"
            case .rejected: "rejected"
            case .storage: "storage"
            case .other: "other"
            }
        #expect(kind == failure.reason.kind)
    }

    @Test("is worth a retry only when the request may be sent twice")
    func retryable() {
        // given
        var once = Ask()
        once.isIdempotent = false
        var stream = Ask()
        stream.isReplayable = false
        // then
        #expect(Failure(StatusError(503), request: Ask()).isRetryable)
        #expect(!Failure(StatusError(503), request: once).isRetryable)
        #expect(Failure(StatusError(503), request: once).isTransient)
        #expect(!Failure(StatusError(503), request: stream).isRetryable)
        #expect(!Failure(StatusError(404), request: Ask()).isRetryable)
    }

    /// What a request allows, in letters: i idempotent, r replayable, k with the key "k", j with the key "j".
    private static func ask(_ letters: String) -> Ask {
        var ask = Ask()
        ask.isIdempotent = letters.contains("i")
        ask.isReplayable = letters.contains("r")
        ask.idempotencyKey = letters.contains("k") ? "k" : letters.contains("j") ? "j" : nil
        return ask
    }

    @Test(
        "is worth a retry only as both what was asked and what went out allow it",
        arguments: [
            ("ir", ["ir"], true), ("ir", [], true), ("r", [], false), ("i", [], false), ("r", ["ir"], true),
            ("ir", ["r"], false), ("ir", ["i"], false), ("i", ["ir"], false), ("irk", ["irk"], true),
            ("ir", ["irk"], false), ("irj", ["irk"], false), ("ir", ["i", "ir"], false), ("ir", ["r", "ir"], false),
            ("irk", ["irk", "irj"], false),
        ] as [(String, [String], Bool)])
    func retryableByRequests(asked: String, sent: [String], expected: Bool) {
        // given
        let context = CallContext()
        for letters in sent {
            context.recordHop(Self.ask(letters))
        }
        // when
        let failure = context.finish(failing: StatusError(503), asked: Self.ask(asked))
        // then
        #expect(failure.isRetryable == expected)
    }

    @Test("has the status of the response, whatever it failed with")
    func statusCode() {
        let answer = Answer("", status: 422)
        #expect(Failure(SoldOut(), response: answer).statusCode == 422)
        #expect(Failure(ErrorSample.decodingFailure, response: Answer("", status: 200)).statusCode == 200)
        #expect(Failure(StatusError(503), response: answer).statusCode == 503)
        #expect(Failure(TransportError(.lost)).statusCode == nil)
        #expect(Failure(ShopError(), response: Answer("", status: nil)).statusCode == nil)
    }

    @Test(
        "of the service passes by itself when the error says so, and else when the response's status does",
        arguments: [(nil, 503, true), (nil, 422, false), (nil, nil, false), (true, 422, true), (false, 503, false)]
            as [(Bool?, Int?, Bool)])
    func serviceTransience(own: Bool?, status: Int?, expected: Bool) {
        // given
        let error = SoldOut(isTransient: own)
        // then
        #expect(Failure(error, response: status.map { Answer("", status: $0) }).isTransient == expected)
    }

    @Test("gives the app's own error by its type, and only that")
    func errorAs() {
        // given
        struct Wrapped: Error, FailureReasonConvertible {
            var classifiedReason: Failure.Reason { .service(SoldOut(article: "chair")) }
        }
        // then
        #expect(Failure(ShopError(article: "a")).error(as: ShopError.self) == ShopError(article: "a"))
        #expect(Failure(ShopError()).error(as: SoldOut.self) == nil)
        #expect(Failure(SoldOut(article: "b")).error(as: SoldOut.self)?.article == "b")
        #expect(Failure(Wrapped()).error(as: SoldOut.self)?.article == "chair")
        #expect(Failure(Wrapped()).error(as: Wrapped.self) != nil)
        #expect(Failure(StatusError(404)).error(as: StatusError.self) == StatusError(404))
    }

    @Test("names an error of the service after its type, or as the error says")
    func serviceCode() {
        // given
        struct Named: ServiceError { var failureCode: String { "outOfStock" } }
        struct Generic<Value: Sendable>: ServiceError {}
        // then
        #expect(Failure(Named()).code == "service.outOfStock")
        #expect(Failure(Generic<Int>()).code == "service.Generic")
        #expect(Generic<Int>().failureMessage == nil)
        #expect(Generic<Int>().isTransient == nil)
    }
}
