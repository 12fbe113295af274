import BackstopGraphQL
import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A presentation policy", .limited)
struct PresentationPolicyTests {
    private struct SoldOut: ServiceError {
        var article = "Dune"
        var failureMessage: String? { "\(article) is sold out." }
    }

    private struct NameTaken: FieldError {
        var field: String? = "userName"
    }

    /// The name of a sample, how it is presented, and what can be done.
    private static let samples: [(String, Presentation.Kind, [String])] = [
        ("cancelled", .ignore, []),
        ("transport.offline", .banner, ["Close"]),
        ("transport.dns", .alert, ["Try Again", "Cancel"]),
        ("transport.refused", .alert, ["Try Again", "Cancel"]),
        ("transport.lost", .alert, ["Try Again", "Cancel"]),
        ("transport.certificate", .alert, ["OK"]),
        ("transport.notAllowed", .alert, ["OK"]),
        ("timeout.attempt", .alert, ["Try Again", "Cancel"]),
        ("timeout.deadline", .alert, ["OK"]),
        // The sample only reads, so there is nothing to correct.
        ("status.400", .inline, []),
        ("status.422", .inline, []),
        ("status.401", .alert, ["OK"]),
        ("status.403", .alert, ["OK"]),
        ("status.404", .alert, ["OK"]),
        ("status.408", .alert, ["Try Again", "Cancel"]),
        ("status.409", .alert, ["OK"]),
        ("status.410", .alert, ["OK"]),
        ("status.429", .banner, ["Close"]),
        ("status.500", .banner, ["Close"]),
        ("status.502", .banner, ["Close"]),
        ("status.503", .fullScreen, ["Try Again", "Cancel"]),
        ("status.504", .banner, ["Close"]),
        ("service.soldOut", .inline, []),
        ("decoding (missingKey)", .alert, ["OK"]),
        ("decoding (html)", .alert, ["OK"]),
        ("rejected.cacheMiss", .banner, ["Close"]),
        ("rejected.breakerOpen", .banner, ["Close"]),
        ("request.encoding", .alert, ["OK"]),
        ("other", .alert, ["OK"]),
    ]

    @Test("has a default for each kind of failure", arguments: samples)
    func defaults(name: String, kind: Presentation.Kind, actions: [String]) throws {
        let failure = try #require(FailureSamples.failure(name), "there is no sample \(name)")

        let presentation = PresentationPolicy(texts: .english).presentation(of: failure)

        #expect(presentation.kind == kind)
        #expect(presentation.actions.map(\.title) == actions)
        #expect(presentation.code == failure.code)
        #expect(presentation.message.text == failure.message.text)
        // A countdown says when, and the suggestion is left out for it.
        #expect(presentation.message.suggestion == (presentation.countdown == nil ? failure.message.suggestion : nil))
    }

    @Test("presents each sample of a failure with words, and what is modal with a way out")
    func everySample() {
        for failure in FailureSamples.all.map(\.failure) + GraphQLFailure.samples {
            let presentation = PresentationPolicy(texts: .english).presentation(of: failure)
            #expect(!presentation.message.title.isEmpty && !presentation.message.text.isEmpty, "\(failure.code)")
            #expect(!presentation.kind.isModal || presentation.actions.contains(.dismiss), "\(failure.code)")
            let isForNobody = failure.isCancelled || failure.code == "rejected.accountChanged"
            #expect((presentation.kind == .ignore) == isForNobody, "\(failure.code)")
        }
    }

    @Test("suggests an update of the app for content that cannot be read")
    func decoding() throws {
        let failure = try #require(FailureSamples.failure("decoding (missingKey)"))
        let presentation = PresentationPolicy(texts: .english).presentation(of: failure)
        #expect(presentation.message.suggestion == "Please check for an update of the app.")
    }

    @Test("lets the offline banner stay until a server answers, and other banners for ten seconds")
    func lifetimes() {
        let policy = PresentationPolicy(texts: .english)
        #expect(policy.presentation(of: Failure(TransportError(.offline))).lifetime == .untilSuccess)
        #expect(policy.presentation(of: Failure(StatusError(500))).lifetime == .lasting(.seconds(10)))
        #expect(policy.presentation(of: Failure(StatusError(404))).lifetime == .untilDismissed)
    }

    @Test("asks the app's rules first, in their order, and leaves to the defaults what they do not want")
    func rules() {
        let policy = PresentationPolicy(texts: .english) {
            Present(.offline, as: .fullScreen)
            Present(status: 404, 410, as: .ignore)
            Present(status: 500...599) { failure in failure.statusCode == 500 ? .alert : nil }
            Present(error: SoldOut.self) { error, _ in error.article == "Dune" ? .inline(field: "quantity") : nil }
            Present(.any) { failure in failure.code == "timeout.attempt" ? .banner : nil }
            Present(error: TransportError.self, and: .code("transport.refused"), as: .ignore)
            Present(error: TransportError.self, and: .code("transport.dns")) { _, _ in .fullScreen }
        }
        func kind(_ error: any Error) -> Presentation.Kind {
            policy.presentation(of: Failure(error)).kind
        }

        #expect(kind(TransportError(.offline)) == .fullScreen)
        #expect([404, 410].map { kind(StatusError($0)) } == [.ignore, .ignore])
        #expect([500, 502].map { kind(StatusError($0)) } == [.alert, .banner])
        #expect(policy.presentation(of: Failure(SoldOut())).field == "quantity")
        #expect(policy.presentation(of: Failure(SoldOut(article: "Emma"))).field == nil)
        #expect(kind(TimeoutError(.attempt)) == .banner)
        #expect(kind(TransportError(.lost)) == .alert)
        #expect(kind(TransportError(.refused)) == .ignore)
        #expect(kind(TransportError(.dns)) == .fullScreen)
    }

    @Test("finds the field that an error is about")
    func fields() throws {
        let policy = PresentationPolicy(texts: .english)
        let taken = policy.presentation(of: Failure(NameTaken()))
        #expect(taken.kind == .inline && taken.field == "userName")

        let hostile = policy.presentation(of: Failure(NameTaken(field: "a\n" + String(repeating: "b", count: 10_000))))
        #expect(hostile.field == "a " + String(repeating: "b", count: 98))
        #expect(policy.presentation(of: Failure(NameTaken(field: ""))).kind == .alert)
        let secret = policy.presentation(of: Failure(NameTaken(field: "Bearer abc.def password=hunter2")))
        #expect(secret.field?.contains("hunter2") == false && !secret.json.contains("abc.def"))
        let rule = PresentationPolicy {
            Present(error: NameTaken.self) { error, _ in error.field.map { .inline(field: $0) } }
        }
        #expect(!rule.presentation(of: Failure(NameTaken(field: "a password=hunter2"))).json.contains("hunter2"))

        let one = ##"{"title":"Bad","status":422,"errors":[{"detail":"short","pointer":"#/age"}]}"##
        let two = ##"{"title":"Bad","status":422,"errors":[{"pointer":"#/age"},{"pointer":"#/name"}]}"##
        func pointing(_ pointer: String) -> String {
            ##"{"title":"Bad","status":422,"errors":[{"pointer":"\##(pointer)"}]}"##
        }
        for (body, field) in [
            (one, "age"), (two, nil), (pointing("#/user~1name"), "user/name"), (pointing("#/%61ge"), "age"),
            (pointing("/%61ge"), "%61ge"), (pointing("#/a~01"), "a~1"),
            (pointing("#/address/street"), "address/street"),
            (pointing("#/100%"), "100%"),
        ] {
            let problem = try JSONDecoder().decode(ProblemDetails.self, from: Data(body.utf8))
            let presentation = policy.presentation(of: Failure(problem))
            #expect(presentation.kind == .inline && presentation.field == field)
        }
    }

    @Test("takes for validation what is about the input: not what may pass, nor a fault of the server")
    func validation() throws {
        struct Refused: ServiceError {
            var isTransient: Bool?
            var failureMessage: String? { "Not today." }
        }
        func kind(_ status: Int, isTransient: Bool?, _ headers: HTTP.Headers = [:]) -> Presentation.Kind {
            let response = HTTP.Response(status: status, headers: headers)
            return PresentationPolicy(texts: .english).presentation(
                of: Failure(Refused(isTransient: isTransient), response: response)
            ).kind
        }
        #expect(kind(409, isTransient: nil) == .inline)
        #expect(kind(200, isTransient: false) == .inline)
        #expect(kind(409, isTransient: true) == .alert)
        #expect(kind(500, isTransient: false) == .banner)
        #expect([401, 403, 404, 410].map { kind($0, isTransient: nil) } == [.alert, .alert, .alert, .alert])
        // The limit of some services.
        #expect(kind(403, isTransient: nil, ["Retry-After": "60"]) == .banner)
    }

    @Test(
        "says of input that was not accepted what helps, whatever the status",
        arguments: [nil, 402, 405, 409, 415, 422])
    func inputWords(status: Int?) {
        let failure = Failure(NameTaken(), response: status.map { HTTP.Response(status: $0) })
        let message = PresentationPolicy(texts: .english).presentation(of: failure).message
        switch status {
        case 402: #expect(message.title == "Payment needed" && message.suggestion == nil)
        case 409: #expect(message.title == "Already taken or changed")
        default:
            #expect(message.title == "Not accepted" && message.text == "Some of the information was not accepted.")
            #expect(message.suggestion == "Please check what you entered and try again.")
        }
        let german = PresentationPolicy(texts: .german).presentation(of: failure).message
        #expect(german.suggestion?.contains("später") != true)
    }

    @Test("shows nothing of a cancelled call, not even by a rule for all failures")
    func cancelled() {
        let policy = PresentationPolicy(texts: .english) { Present(.any, as: .alert) }
        #expect(policy.presentation(of: Failure(CancellationError())).kind == .ignore)
    }

    @Test("goes by the status that a GraphQL error means")
    func graphQL() throws {
        let kinds: [(String, Presentation.Kind)] = [
            ("UNAUTHENTICATED", .alert), ("BAD_USER_INPUT", .inline), ("INTERNAL_SERVER_ERROR", .banner),
        ]
        for (code, kind) in kinds {
            let failure = Failure(
                GraphQLFailure.errors([GraphQL.Error("no", extensions: ["code": .string(code)])]))
            #expect(PresentationPolicy(texts: .english).presentation(of: failure).kind == kind, "\(code)")
        }
    }
}

@Suite("What a person can do about a failure", .limited)
struct PresentationActionsTests {
    private let policy = PresentationPolicy(texts: .english)
    private static let url = URL(string: "https://shop.example.com/orders")

    private func failure(
        _ error: any Error, method: HTTP.Method = .get, retryAfter: String? = nil
    ) throws -> Failure {
        let url = try #require(Self.url)
        let response = retryAfter.map { HTTP.Response(status: 503, headers: ["Retry-After": $0], url: url) }
        return Failure(error, request: HTTP.Request(method, url: url), response: response)
    }

    @Test(
        "a server that says when it is back is waited for, a second at least",
        arguments: [
            ("17", 17), ("0", 1), ("300", 300),
        ])
    func countdown(retryAfter: String, seconds: Int) throws {
        let presentation = policy.presentation(of: try failure(StatusError(503), retryAfter: retryAfter))
        #expect(presentation.kind == .fullScreen)
        #expect(presentation.countdown == .seconds(seconds))
        #expect(presentation.offersRetry)
        // The countdown says when, and nothing else does.
        #expect(presentation.message.suggestion == nil)
    }

    @Test("nothing is sent by itself when that could do its work twice, would not count, or is far away")
    func noCountdown() throws {
        let order = policy.presentation(of: try failure(StatusError(503), method: .post, retryAfter: "17"))
        #expect(order.countdown == nil && order.offersRetry)
        let far = policy.presentation(of: try failure(StatusError(503), retryAfter: "301"))
        #expect(far.countdown == nil && far.offersRetry)
        let often = policy.presentation(of: try failure(StatusError(503), retryAfter: "17"), canRetry: false)
        #expect(often.countdown == nil && often.actions.map(\.title) == ["OK"])
    }

    @Test("an order that may have been placed is an alert without \"Try Again\"")
    func mayHaveWorked() throws {
        for code in [TransportError.Code.lost, .offline] {
            let presentation = policy.presentation(
                of: try failure(TransportError(code, phase: .waiting), method: .post))
            #expect(presentation.kind == .alert)
            #expect(presentation.actions == [.dismiss])
            #expect(presentation.message.suggestion == "Please check whether it worked before you try again.")
        }
    }

    @Test("a rule can do without the countdown")
    func withoutCountdown() throws {
        let policy = PresentationPolicy(texts: .english) { Present(status: 503, as: .fullScreen(countsDown: false)) }
        let presentation = policy.presentation(of: try failure(StatusError(503), retryAfter: "17"))
        #expect(presentation.countdown == nil && presentation.offersRetry)
    }

    @Test("a button has at most 60 characters")
    func longLabel() {
        let policy = PresentationPolicy(texts: .english.replacing(["action.ok": String(repeating: "o", count: 61)]))
        let presentation = policy.presentation(of: Failure(StatusError(404)))
        #expect(presentation.actions.map(\.title.count) == [60])
    }

    @Test("the app's own actions are offered as given, and \"Try Again\" only where it counts")
    func own() {
        let policy = PresentationPolicy(texts: .english.replacing(["action.signIn": "Sign In Again"])) {
            Present(
                status: 401,
                as: .alert(actions: [PresentationAction("signIn", title: "Sign In") { .retry }, .retry, .dismiss]))
            Present(status: 426, as: .fullScreen(actions: []))
            Present(status: 418, as: .alert(actions: [.retry]))
            Present(status: 419, as: .banner(.untilSuccess, actions: []))
            Present(status: 500, as: .banner(.untilDismissed, actions: [.retry]))
        }
        func labels(_ status: Int, canRetry: Bool) -> [String] {
            policy.presentation(of: Failure(StatusError(status)), canRetry: canRetry).actions.map(\.title)
        }

        #expect(labels(401, canRetry: true) == ["Sign In Again", "Try Again", "Cancel"])
        #expect(labels(401, canRetry: false) == ["Sign In Again", "Cancel"])
        #expect(labels(500, canRetry: false) == ["Close"])
        // A way out is added where there is none.
        #expect(labels(426, canRetry: true) == ["OK"])
        #expect(labels(418, canRetry: true) == ["Try Again", "Cancel"])
        #expect(labels(418, canRetry: false) == ["OK"])
        #expect(labels(500, canRetry: true) == ["Try Again", "Close"])
        #expect(labels(419, canRetry: true) == [])
    }

    @Test(
        "an action of the app's own keeps its label, whatever its name", arguments: ["cancel", "ok", "close", "retry"])
    func ownLabels(name: String) {
        let own = PresentationAction(name, title: "Cancel my order") {}
        let policy = PresentationPolicy(texts: .english.replacing(["action.cancel": "Abort"])) {
            Present(.any, as: .alert(actions: [own, .retry, .dismiss]))
        }
        let presentation = policy.presentation(of: Failure(StatusError(404)), canRetry: false)
        #expect(presentation.actions.map(\.title) == ["Cancel my order", "Abort"])
        #expect(!presentation.offersRetry && presentation.decides)
    }

    @Test("a label has no secret, no end of line and no invisible character")
    func hostileLabel() {
        let policy = PresentationPolicy(texts: .english) {
            Present(.any) { _ in
                .alert(actions: [PresentationAction("a", title: "Open\n\u{202E}it password=hunter2") {}, .dismiss])
            }
        }
        let label = policy.presentation(of: Failure(StatusError(404))).actions[0].title
        #expect(label.hasPrefix("Open it") && !label.contains("hunter2"))
    }

    @Test("a banner takes other words and actions as an alert does")
    func banners() {
        let words = FailureMessage(title: "Sold out", text: "Too late.", suggestion: nil)
        let policy = PresentationPolicy(texts: .english) {
            Present(status: 409, as: .banner(message: words))
            Present(status: 410, as: .banner(actions: [.retry, .dismiss]))
        }
        let told = policy.presentation(of: Failure(StatusError(409)))
        #expect(told.message == words && told.lifetime == .lasting(.seconds(10)))
        let asked = policy.presentation(of: Failure(StatusError(410)), canRetry: true)
        #expect(asked.actions.map(\.title) == ["Try Again", "Close"] && asked.lifetime == .lasting(.seconds(10)))
    }

    @Test("a choice decides what becomes of the call only where there is one")
    func decides() throws {
        #expect(policy.presentation(of: try failure(TransportError(.refused))).decides)
        #expect(!policy.presentation(of: try failure(StatusError(404))).decides)
        #expect(!policy.presentation(of: try failure(TransportError(.offline))).decides)
        #expect(!policy.presentation(of: Failure(CancellationError())).decides)
    }
}
