import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The message of a failure", .limited)
struct FailureMessageTests {
    @Test("has a title and a sentence for every code", arguments: ErrorSample.all)
    func everyCode(sample: ErrorSample) {
        // when
        let message = Failure(sample.error).message
        // then
        #expect(!message.title.isEmpty)
        #expect(!message.title.hasSuffix("."))
        #expect(message.text.hasSuffix("."))
        #expect(message.suggestion?.hasSuffix(".") != false)
    }

    @Test("has no technical words", arguments: ErrorSample.all)
    func plain(sample: ErrorSample) {
        let message = Failure(sample.error).message
        let all = "\(message.title) \(message.text) \(message.suggestion ?? "")".lowercased()
        for word in Self.jargon {
            #expect(!all.contains(word), "\(word) in: \(all)")
        }
    }

    /// What only developers know, and what blames somebody.
    private static let jargon = [
        "http", "json", "status", "timeout", "dns", "tls", "null", "exception", "decod", "5", "4", "server", "invalid",
        "error", "fail to", "illegal", "wrong input", "your fault", "you must",
    ]

    @Test("is one that a person would show", arguments: spoken)
    func words(status: Int, wait: Duration?, words: String) {
        // given
        let failure = Failure(StatusError(status), request: Ask(), response: Answer(status: status, wait: wait))
        // when
        let message = failure.message
        // then
        #expect([message.text, message.suggestion].compactMap { $0 }.joined(separator: " ") == words)
    }

    private static let spoken: [(Int, Duration?, String)] = [
        (401, nil, "Your session has expired. Please sign in again."),
        (410, nil, "This item no longer exists. Please go back and refresh."),
        (429, nil, "The limit for this has been reached. Please try again later."),
        (429, .seconds(60), "The limit for this has been reached. Please try again in a minute."),
        (429, .seconds(1), "The limit for this has been reached. Please try again in a moment."),
        (403, nil, "You do not have access to this. Please check that you are signed in with the right account."),
        (403, .seconds(60), "The limit for this has been reached. Please try again in a minute."),
        (429, .seconds(90), "The limit for this has been reached. Please try again in a few minutes."),
        (
            409, nil,
            "This is already taken, or has been changed in the meantime. Please refresh and check before you try again."
        ),
        (412, nil, "This item has been changed in the meantime. Please refresh and try again."),
        (503, nil, "The service is not available at the moment. Please try again in a moment."),
        (503, .zero, "The service is not available at the moment. Please try again in a moment."),
        (503, .seconds(20), "The service is not available at the moment. Please try again in a moment."),
        (503, .seconds(21), "The service is not available at the moment. Please try again in a minute."),
        (503, .seconds(600), "The service is not available at the moment. Please try again in a quarter of an hour."),
        (503, .seconds(1800), "The service is not available at the moment. Please try again in half an hour."),
        (503, .seconds(3600), "The service is not available at the moment. Please try again in an hour."),
        (503, .seconds(7200), "The service is not available at the moment. Please try again in a few hours."),
        (503, .seconds(86_400), "The service is not available at the moment. Please try again tomorrow."),
        (503, .seconds(200_000), "The service is not available at the moment. Please try again in a few days."),
        (503, RetryAfter.maximum, "The service is not available at the moment. Please try again later."),
        (404, .seconds(60), "This item could not be found. Please go back and refresh."),
        (402, nil, "This has to be paid for first."),
        (405, nil, "There is a problem in the app. Please check for an update of the app."),
        (415, nil, "There is a problem in the app. Please check for an update of the app."),
        (302, nil, "There is a problem in the app. Please check for an update of the app."),
    ]

    @Test("calls a 403 a limit where none is left until a reset that is to come", arguments: [nil, 0, 60])
    func usedUpLimit(reset: Int?) {
        var answer = Answer(status: 403)
        answer.reset = reset.map { .seconds($0) }
        let failure = Failure(StatusError(403), request: Ask(), response: answer)
        let meant = Failure(StatusError(reset == 60 ? 429 : 403))
        #expect(failure.message == meant.message)
        #expect(failure.nextStep == meant.nextStep)
    }

    @Test(
        "calls no limit what the error calls final, or what only the error of a success calls forbidden",
        arguments: [(403, nil, true), (403, true, true), (403, false, false), (200, nil, false)])
    func noLimit(status: Int, isTransient: Bool?, isLimit: Bool) {
        struct Forbidden: ServiceError, StatusMeaning {
            var isTransient: Bool?
            let meantStatus: Int? = 403
        }
        let answer = Answer(status: status, wait: .seconds(60))
        let failure = Failure(Forbidden(isTransient: isTransient), request: Ask(), response: answer)
        #expect(failure.meantStatus == (isLimit ? 429 : 403))
        #expect(failure.message.title == (isLimit ? "Limit reached" : "No access"))
    }

    @Test("asks the translator for the words of a wait")
    func translatedWait() {
        let failure = Failure(StatusError(503), response: Answer(status: 503, wait: .seconds(60)))
        let message = failure.message { key, _ in key }
        #expect(
            message
                == FailureMessage(
                    title: "status.503.title", text: "status.503.text", suggestion: "wait.minute.suggestion"))
    }

    @Test("goes through the translator, part by part", arguments: ErrorSample.all)
    func translated(sample: ErrorSample) {
        // given
        let failure = Failure(sample.error)
        var asked: [String: String] = [:]
        // when
        let message = failure.message { key, english in
            asked[key] = english
            return "<\(key)>"
        }
        // then
        #expect(message.title.hasPrefix("<") && message.title.hasSuffix(".title>"))
        #expect(message.text.hasSuffix(".text>"))
        #expect(message.suggestion?.hasSuffix(".suggestion>") != false)
        #expect(asked.count == (message.suggestion == nil ? 2 : 3))
        #expect(Set(asked.values).isSuperset(of: [failure.message.title, failure.message.text]))
    }

    @Test("is what the service says to people, when it says something")
    func service() {
        // given
        let own = Failure(SoldOut(failureMessage: "The lamp is sold out."))
        let none = Failure(SoldOut())
        let empty = Failure(SoldOut(failureMessage: ""))
        // then
        #expect(own.message { _, _ in "translated" }.text == "The lamp is sold out.")
        #expect(own.message { _, _ in "translated" }.title == "translated")
        #expect(none.message.text == "The service could not do this.")
        #expect(empty.message == none.message)
    }

    @Test("of an error of the service has the words of its status", arguments: [401, 404, 409, 429, 500, 503])
    func serviceStatus(status: Int) {
        let service = Failure(SoldOut(), response: Answer(status: status))
        #expect(service.message == Failure(StatusError(status)).message)
    }

    @Test("is never what a server wrote for developers")
    func notForPeople() {
        // given
        let boom = "boom: column \"pass\" of relation"
        let errors: [any Error] = [
            StatusError(500, detail: boom), ForDevelopers(text: boom), TransportError(.unknown, detail: boom),
            RequestError(.invalid, boom), RejectionError("limit", boom),
            DecodingFailure(ShopError(article: boom), decoding: Int.self, from: Array(boom.utf8), contentType: boom),
            ShopError(article: boom),
        ]
        for error in errors {
            // when
            let failure = Failure(error)
            // then
            #expect(!"\(failure.message)".contains("boom"))
            #expect(failure.report.contains("boom"))
        }
    }

    @Test("shows what the app says that people may read, and the rest stays neutral")
    func shown() async throws {
        // given
        let chain = try AskChain(
            transport: Script<Ask, Answer>(
                .failure(ForDevelopers(text: "Sold out.")), .failure(ForDevelopers(text: "")),
                .failure(SoldOut(failureMessage: "Own words.")))
        ) {}
        var options = CallOptions()
        options.showToPeople(ForDevelopers.self) { $0.text }
        // when
        var texts: [String] = []
        for _ in 1...3 {
            texts.append(try #require(await chain.result(Ask(), options: options).failure).message.text)
        }
        // then
        #expect(texts == ["Sold out.", "The service could not do this.", "Own words."])
    }

    @Test("takes the app's last word before its earlier ones, and before the error's own")
    func lastWord() async throws {
        // given
        let chain = try AskChain(transport: Script<Ask, Answer>(.failure(SoldOut(failureMessage: "Own.")))) {}
        var options = CallOptions()
        options.showToPeople(SoldOut.self) { _ in "First." }
        options.showToPeople(SoldOut.self) { _ in "Second." }
        options.showToPeople(SoldOut.self) { _ in nil }
        // then
        #expect(await chain.result(Ask(), options: options).failure?.message.text == "Second.")
    }

    @Test(
        "hides secrets in the service's words, and stays on one line",
        arguments: [
            ("Login failed for password=hunter2.", "Login failed for password=<redacted>"),
            ("See https://ann:hunter2@shop.example/", "See https://<redacted>@shop.example/"),
            ("One\nTwo\u{1B}[2J", "One Two [2J"), (" \n ", "The service could not do this."),
        ])
    func redacted(own: String, shown: String) {
        let text = Failure(SoldOut(failureMessage: own)).message.text
        #expect(text.hasPrefix(shown), "\(text)")
        #expect(!text.contains("hunter2"))
    }

    @Test("speaks of a moment only where the same call may pass then", arguments: [true, false])
    func moment(isTransient: Bool) {
        for code in [RejectionError.Code.limit, .rateLimit, .breakerOpen] {
            let failure = Failure(RejectionError(code, "5 tokens of 3", isTransient: isTransient))
            #expect(failure.message.suggestion == "Please try again \(isTransient ? "in a moment" : "later").")
        }
    }

    @Test("is bounded, whatever the service says")
    func bounded() {
        let long = String(repeating: "x", count: 10_000)
        #expect(Failure(SoldOut(failureMessage: long)).message.text.count == 500)
    }

    @Test("says that the server is busy when an error of the service may pass")
    func transientService() {
        #expect(Failure(SoldOut(isTransient: true)).message == Failure(StatusError(503)).message)
    }

    @Test("tells a person what to do about being offline")
    func offline() {
        #expect(
            Failure(TransportError(.offline)).message
                == FailureMessage(
                    title: "You are offline", text: "There is no connection to the internet.",
                    suggestion: "Please check your connection and try again."))
    }
}

/// An error whose text is for developers only.
struct ForDevelopers: ServiceError {
    let text: String
    var failureExplanation: String { "The service says: \(text)" }
}
