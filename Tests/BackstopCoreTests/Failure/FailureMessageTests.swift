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

    @Test(
        "warns where an order may have gone through, and only there",
        arguments: [
            (TransportError(.lost, phase: .waiting) as any Error, false, true),
            (TransportError(.lost, phase: .waiting), true, false),
            (TransportError(.lost, phase: .connecting), false, false),
            (TransportError(.refused, phase: .connecting), false, false),
            (TransportError(.truncated, phase: .receiving), false, true), (TimeoutError(.attempt), false, true),
            (TimeoutError(.deadline), true, false), (StatusError(504), false, true), (StatusError(503), false, false),
            (StatusError(500), false, true), (StatusError(520), false, true), (StatusError(522), false, true),
            (StatusError(524), false, true), (StatusError(524), true, false), (StatusError(501), false, false),
            (TransportError(.tooLarge, phase: .receiving), false, true), (TransportError(.tooLarge), true, false),
            (TransportError(.badResponse, phase: .receiving), false, true),
            (TransportError(.redirects, phase: .receiving), false, true),
            (TransportError(.redirectRefused, phase: .receiving), false, true),
            (TransportError(.system, phase: .waiting), false, true),
            (TransportError(.system, phase: .connecting), false, false),
            (TransportError(.unknown, phase: .waiting), false, true), (TransportError(.unknown), false, true),
            (TransportError(.unknown, phase: .connecting), false, false), (TransportError(.offline), false, false),
            (TransportError(.offline, phase: .waiting), false, true),
            (TransportError(.dns, phase: .sending), false, true),
            (TransportError(.offline, phase: .waiting), true, false),
            (StatusError(303), false, true), (StatusError(204), false, true),
        ])
    func mayHaveWorked(error: any Error, isIdempotent: Bool, warns: Bool) {
        // given
        var ask = Ask("order")
        ask.isIdempotent = isIdempotent
        let failure = Failure(error, request: ask)
        // then
        let warning = "Please check whether it worked before you try again."
        #expect((failure.message.suggestion == warning) == warns)
        #expect(failure.report.contains("  next:     The server may have done its work: check before") == warns)
        var keys: [String] = []
        _ = failure.message { key, english in
            keys.append(key)
            return english
        }
        #expect(keys.contains("mayHaveWorked.suggestion") == warns)
    }

    @Test(
        "warns where a change finds what an earlier attempt may have left",
        arguments: [
            (404, TransportError(.lost), true), (409, TransportError(.truncated), true),
            (410, TimeoutError(.attempt), true), (412, StatusError(502), true), (404, StatusError(520), true),
            (403, TransportError(.lost), false), (404, TransportError(.refused), false),
            (404, StatusError(503), false), (404, StatusError(401), false),
            (404, RejectionError(.limit, "full"), false),
        ] as [(Int, any Error, Bool)])
    func leftBehind(status: Int, first: any Error, warns: Bool) {
        for (isReadOnly, key) in [(false, "7"), (false, nil), (true, nil)] as [(Bool, String?)] {
            // given: repeated because the policy says so, which may do it twice whatever comes then
            var change = Ask("change")
            change.idempotencyKey = key
            change.isIdempotent = isReadOnly
            let context = CallContext()
            context.recordHop(change)
            let next = context.nextAttempt(after: first, waited: .zero, because: "test")
            next.recordHop(change)
            // when
            let failure = context.finish(failing: StatusError(status), asked: change, retries: true)
            // then
            let isWarned = !isReadOnly && (warns || status == 403 && first is TransportError)
            let isAdvised = failure.report.contains(
                "  next:     An earlier attempt may have done the work: check before")
            #expect(isAdvised == isWarned)
            #expect((failure.message.suggestion == "Please check whether it worked before you try again.") == isWarned)
        }
        // A first attempt has none before it.
        #expect(Failure(StatusError(status), request: Ask("change")).message.suggestion?.contains("worked") != true)
    }

    @Test(
        "warns after an attempt of an order that may have worked, whatever the next one says",
        arguments: [
            StatusError(503), StatusError(429), StatusError(422), TransportError(.refused), TransportError(.offline),
            RejectionError(.breakerOpen, "open"), RejectionError(.idempotencyKey, "another key"),
            RejectionError("own", ""),
        ] as [any Error & Sendable])
    func doubtRemains(error: any Error & Sendable) {
        let firsts: [(any Error, Bool)] = [
            (TransportError(.lost), true), (TimeoutError(.attempt), true), (StatusError(502), true),
            (StatusError(503), false), (TransportError(.refused), false),
        ]
        for (first, leavesDoubt) in firsts {
            for (isIdempotent, isSent) in [(false, true), (false, false), (true, true), (true, false)] {
                // given
                var order = Ask("order")
                order.isIdempotent = isIdempotent
                let context = CallContext()
                context.recordHop(order)
                let next = context.nextAttempt(after: first, waited: .zero, because: "failover")
                if isSent, !(error is RejectionError) {
                    next.recordHop(order)
                }
                // when
                let failure = context.finish(failing: error, asked: order, retries: true)
                // then
                let warns = leavesDoubt && !isIdempotent
                #expect(
                    (failure.message.suggestion == "Please check whether it worked before you try again.") == warns)
                #expect(
                    failure.report.contains("An earlier attempt may have done the work: check before") == warns)
                #expect(failure.mayHaveWorked == warns)
            }
        }
        // Whoever cancels knows it.
        #expect(!Failure(CancellationError()).mayHaveWorked)
    }

    @Test("takes over the doubt of the calls before, unless it only reads", arguments: [true, false])
    func passedOn(reads: Bool) {
        var order = Ask("order")
        order.isIdempotent = false
        // given: a read, too, that has sent what must not be sent twice, such as a refresh token
        let failure = Repetition.$current.withValue(TaskScope(true)) {
            let context = CallContext()
            context.recordHop(order)
            return context.finish(failing: StatusError(503), asked: reads ? Ask("list") : order)
        }
        #expect(failure.mayHaveWorked != reads)
    }

    @Test(
        "warns where the order was answered, whatever became of what was to follow",
        arguments: [
            (TimeoutError(.connection), .queued), (TimeoutError(.attempt), .connecting),
            (TransportError(.lost, phase: .connecting), .connecting),
        ] as [(any Error & Sendable, TransportError.Phase)])
    func answered(error: any Error & Sendable, phase: TransportError.Phase) {
        // given
        var order = Ask("order")
        order.isIdempotent = false
        let context = CallContext()
        context.recordHop(order)
        context.recordHop(Ask("receipt"))
        context.track { TransferProgress(phase) }
        // when
        let failure = context.finish(failing: error, asked: order)
        // then
        #expect(failure.message.suggestion == "Please check whether it worked before you try again.")
    }

    @Test(
        "warns where the order was answered with a redirect, and what it led to failed",
        arguments: [
            (TransportError(.dns, phase: .connecting), nil, true), (TransportError(.certificate), nil, true),
            (StatusError(500), 500, true), (StatusError(503), 503, true), (SoldOut(article: "chair"), 500, true),
            (SoldOut(article: "chair"), 200, true), (SoldOut(article: "chair"), 404, true),
            (StatusError(404), 404, true), (StatusError(401), 401, true), (TransportError(.refused), nil, true),
        ] as [(any Error & Sendable, Int?, Bool)])
    func redirected(error: any Error & Sendable, status: Int?, warns: Bool) {
        // given
        var order = Ask("order")
        order.isIdempotent = false
        let context = CallContext()
        context.recordHop(order)
        context.recordHop(Ask("receipt"))
        if let status {
            context.recordReceived(Answer(status: status))
        }
        // when
        let failure = context.finish(failing: error, asked: order)
        // then
        #expect((failure.message.suggestion == "Please check whether it worked before you try again.") == warns)
    }

    @Test("does not warn where the part of a response that arrived refuses the order", arguments: [201, 422, 503, 504])
    func refused(status: Int) {
        for error in [TransportError(.tooLarge, phase: .receiving), TransportError(.lost, phase: .receiving)] {
            // given
            var order = Ask("order")
            order.isIdempotent = false
            let context = CallContext()
            context.recordHop(order)
            context.track { TransferProgress(.receiving, response: Answer(status: status)) }
            // when
            let failure = context.finish(failing: error, asked: order)
            // then
            let warns = status == 201 || status == 504
            #expect((failure.message.suggestion == "Please check whether it worked before you try again.") == warns)
        }
    }

    private struct Unknown: Error {}

    @Test(
        "warns where the server accepted the order and the response was of no use, and where a gateway gave up",
        arguments: [
            (SoldOut(article: "chair"), 504, true), (SoldOut(article: "chair"), 422, false),
            (DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "")), 201, true),
            (RejectionError("signature", ""), 200, true), (RejectionError("renewal", ""), 401, false),
            (RejectionError("gateway", ""), 502, true), (Unknown(), 200, true), (Unknown(), 400, false),
            (Unknown(), nil, true),
        ] as [(any Error & Sendable, Int?, Bool)])
    func accepted(error: any Error & Sendable, status: Int?, warns: Bool) {
        // given
        var order = Ask("order")
        order.isIdempotent = false
        let context = CallContext()
        context.recordHop(order)
        if let status {
            context.recordReceived(Answer(status: status))
        }
        // when
        let failure = context.finish(failing: error, asked: order)
        // then
        #expect((failure.message.suggestion == "Please check whether it worked before you try again.") == warns)
        #expect(!failure.report.contains("Nothing was sent"))
        // and nothing was sent for this one
        let unsent = CallContext().finish(failing: error, asked: order)
        #expect(unsent.message.suggestion != "Please check whether it worked before you try again.")
    }

    @Test(
        "warns where the order itself was still to be sent only if a connection may have taken it at the last moment",
        arguments: [(.queued, false), (.connecting, true)] as [(TransportError.Phase, Bool)])
    func unanswered(phase: TransportError.Phase, warns: Bool) {
        // given
        var order = Ask("order")
        order.isIdempotent = false
        let context = CallContext()
        context.recordHop(order)
        context.recordHop(order)
        context.track { TransferProgress(phase) }
        // when
        let failure = context.finish(failing: TimeoutError(.attempt), asked: order)
        // then
        #expect((failure.message.suggestion == "Please check whether it worked before you try again.") == warns)
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
