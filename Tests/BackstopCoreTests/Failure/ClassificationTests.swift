import BackstopCore
import BackstopTestSupport
import Testing

@Suite("The reason of an error", .limited)
struct ClassificationTests {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int?

        init(stringValue: String) { self.stringValue = stringValue }
        init(intValue: Int) {
            stringValue = "Index \(intValue)"
            self.intValue = intValue
        }
    }

    @Test("is that of its kind, however it was thrown", arguments: ErrorSample.all)
    func table(sample: ErrorSample) {
        #expect(Failure.Reason(classifying: sample.error, isCancelled: true).code == sample.code)
    }

    @Test("is other for the CancellationError of a task that is not this one")
    func foreignCancellation() {
        #expect(Failure.Reason(classifying: CancellationError()).code == "other")
    }

    @Test("is cancellation for CancellationError in a cancelled task")
    func cancellation() {
        guard case .cancelled = Failure.Reason(classifying: CancellationError(), isCancelled: true) else {
            Issue.record("not cancelled")
            return
        }
    }

    @Test("is decoding for a DecodingError that nobody looked into")
    func decoding() throws {
        // given
        let error = DecodingError.keyNotFound(
            Key(stringValue: "title"),
            DecodingError.Context(
                codingPath: [Key(stringValue: "items"), Key(intValue: 2)], debugDescription: "No title."))
        // when
        let reason = Failure.Reason(classifying: error)
        // then
        guard case .decoding(let failure) = reason else {
            Issue.record("\(reason)")
            return
        }
        #expect(reason.code == "decoding")
        #expect(
            failure.explanation == "The app's own decoding failed: $.items[2] should have the key "
                + "\"title\". The decoder says: No title.")
        let report = Failure(error).report
        #expect(!report.contains("body is empty"))
        #expect(report.contains("$.items[2] of what the app decoded"))
        #expect(
            Failure(error).message.suggestion
                != Failure(DecodingFailure(error, decoding: Int.self, from: [0x31], contentType: nil)).message
                .suggestion)
    }

    @Test("is the request for an EncodingError, with the path and without the value")
    func encoding() throws {
        // given
        let error = EncodingError.invalidValue(
            "hunter2",
            EncodingError.Context(
                codingPath: [Key(stringValue: "users"), Key(intValue: 1), Key(stringValue: "age")],
                debugDescription: "Unable to encode."))
        // when
        let reason = Failure.Reason(classifying: error)
        // then
        guard case .request(let request) = reason else {
            Issue.record("\(reason)")
            return
        }
        #expect(request.code == .encoding)
        #expect(request.detail == "$.users[1].age: Unable to encode.")
        #expect(request.underlying is EncodingError)
        #expect(!Failure(error).report.contains("hunter2"))
    }

    @Test("is the service for a service error, and the error is kept")
    func service() {
        guard case .service(let error) = Failure.Reason(classifying: SoldOut(article: "chair")) else {
            Issue.record("not a service error")
            return
        }
        #expect((error as? SoldOut)?.article == "chair")
    }

    @Test("is what an error says that knows it, even when it is a service error too")
    func convertible() {
        // given
        struct Quota: ServiceError, FailureReasonConvertible {
            var classifiedReason: Failure.Reason { .rejected(RejectionError("quota", "Used up.")) }
        }
        // then
        #expect(Failure.Reason(classifying: Quota()).code == "rejected.quota")
    }

    @Test("is that of a failure which was thrown inside", arguments: ErrorSample.all)
    func nested(sample: ErrorSample) {
        // given
        let inner = Failure(sample.error)
        // then
        #expect(Failure.Reason(classifying: inner, isCancelled: true).code == sample.code)
        #expect(Failure(inner).code == sample.code)
    }

    @Test("is other for what is not known, and the error is kept")
    func other() {
        guard case .other(let error) = Failure.Reason(classifying: ShopError(article: "chair")) else {
            Issue.record("not other")
            return
        }
        #expect(error as? ShopError == ShopError(article: "chair"))
    }

    @Test("made by hand keeps the first error, as a real call does")
    func nestedUnderlying() {
        // given
        let inner = Failure(ShopError(), request: Ask("x"), response: Answer("y"))
        // when
        let outer = Failure(inner)
        // then
        #expect(outer.underlying is ShopError)
        #expect(outer.error(as: ShopError.self) == ShopError())
        #expect((outer.sentRequest as? Ask)?.text == "x")
        #expect((outer.receivedResponse as? Answer)?.body == "y")
    }
}
