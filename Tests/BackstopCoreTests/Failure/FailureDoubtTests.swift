import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The doubt about an order", .limited)
struct FailureDoubtTests {
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
            (StatusError(524), false, true), (StatusError(600), false, true), (StatusError(524), true, false),
            (StatusError(501), false, false),
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
            if !(first is RejectionError) {
                context.recordHop(change)
            }
            let next = context.nextAttempt(after: first, waited: .zero, because: "test")
            next.recordHop(change)
            // when
            let failure = context.finish(failing: StatusError(status), asked: change, retries: true)
            // then
            let isWarned = !isReadOnly && (warns || status == 403 && first is TransportError)
            let isAdvised = failure.report.contains(
                "  next:     The work may have been done already: check before")
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
                    failure.report.contains("The work may have been done already: check before") == warns)
                #expect(failure.mayHaveWorked == warns)
            }
        }
    }

    @Test("is none for whoever cancels the call, and knows it")
    func cancelled() async {
        let failure = await Task {
            var order = Ask("order")
            order.isIdempotent = false
            let context = CallContext()
            context.recordHop(order)
            context.nextAttempt(after: TransportError(.lost), waited: .zero, because: "failover").recordHop(order)
            withUnsafeCurrentTask { $0?.cancel() }
            return context.finish(failing: TransportError(.lost), asked: order)
        }.value
        #expect(failure.isCancelled && !failure.mayHaveWorked && failure.doubt == .nothing)
    }

    /// What came of an order before something else became of it.
    private struct Course: Sendable {
        let error: any Error & Sendable
        var phase: TransportError.Phase?
        var response: Int?
        var head: Int?
        var isRedirected = false
        let warns: Bool
    }

    @Test(
        "judges an attempt by all that came of it, be it followed by another or by another call",
        arguments: [
            Course(error: SoldOut(article: "chair"), response: 500, warns: true),
            Course(error: SoldOut(article: "chair"), response: 422, warns: false),
            Course(
                error: DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "")), response: 200,
                warns: true),
            Course(error: StatusError(302), response: 302, warns: true),
            Course(error: StatusError(503), response: 503, isRedirected: true, warns: true),
            Course(error: TransportError(.offline, phase: .waiting), phase: .waiting, warns: true),
            Course(error: TransportError(.offline), phase: .waiting, warns: true),
            Course(error: TransportError(.offline), phase: .connecting, warns: false),
            Course(error: TransportError(.proxy), warns: true),
            Course(error: RejectionError("signature", ""), response: 200, warns: true),
            Course(error: RejectionError("signature", ""), response: 401, warns: false),
            Course(error: TransportError(.lost, phase: .connecting), phase: .connecting, warns: false),
            Course(error: TransportError(.unknown, phase: .connecting), phase: .connecting, warns: false),
            Course(error: TransportError(.lost, phase: .receiving), phase: .receiving, head: 404, warns: false),
            Course(error: TransportError(.lost, phase: .receiving), phase: .receiving, head: 201, warns: true),
            Course(error: TimeoutError(.attempt), phase: .queued, warns: false),
            Course(error: TimeoutError(.attempt), phase: .connecting, warns: true),
            // Whoever cancels an attempt cuts it off.
            Course(error: CancellationError(), phase: .waiting, warns: true),
            Course(error: CancellationError(), phase: .queued, warns: false),
        ])
    private func judged(course: Course) {
        var order = Ask("order")
        order.isIdempotent = false
        func begin() -> CallContext {
            let context = CallContext()
            context.recordHop(order)
            if course.isRedirected {
                context.recordHop(Ask("receipt"))
            }
            if let phase = course.phase {
                context.track { TransferProgress(phase, response: course.head.map { Answer(status: $0) }) }
            }
            if let status = course.response {
                context.recordReceived(Answer(status: status))
            }
            return context
        }
        // when: another attempt
        let context = begin()
        let next = context.nextAttempt(after: course.error, waited: .zero, because: "failover")
        next.recordHop(order)
        next.recordReceived(Answer(status: 503))
        let failure = context.finish(failing: StatusError(503), asked: order)
        // then
        #expect(failure.mayHaveWorked == course.warns)
        // and when: another call
        guard !(course.error is CancellationError) else {
            return
        }
        let first = begin().finish(failing: course.error, asked: order)
        let second = CallContext().finish(failing: TransportError(.offline), asked: order).after(first.doubt)
        // then
        #expect(first.mayHaveWorked == course.warns)
        #expect(second.mayHaveWorked == course.warns)
    }

    @Test(
        "stays where an attempt beside it was given up after it had sent the order, and another one was refused",
        arguments: [(nil, true), (.waiting, true), (.queued, false)] as [(TransportError.Phase?, Bool)])
    func beside(phase: TransportError.Phase?, warns: Bool) {
        var order = Ask("order")
        order.isIdempotent = false
        for isCancelled in [true, false] {
            // given
            let context = CallContext()
            let first = context.firstAttempt()
            first.recordHop(order)
            if let phase {
                first.track { TransferProgress(phase) }
            }
            let copy = context.parallelAttempt(because: "hedging", repeatsUnsafe: true)
            copy.recordHop(order)
            copy.recordReceived(Answer(status: 422))
            copy.closeAttempt(failing: StatusError(422))
            // when: one of them or neither is told
            if isCancelled {
                first.cancelAttempt()
            }
            context.decide(by: copy)
            let failure = context.finish(failing: StatusError(422), asked: order)
            // then
            #expect(failure.mayHaveWorked == warns)
        }
    }

    @Test(
        "stays for a key other than that of the last attempt",
        arguments: [
            (["7", "7"], false), (["7", "8"], true), (["7", "8", "7"], true), (["7", "7", "7"], false),
            (["7", nil], false), (["7", "8", nil], true),
        ] as [([String?], Bool)])
    func otherKey(keys: [String?], warns: Bool) {
        // given
        var order = Ask("order")
        order.isIdempotent = false
        let whole = CallContext()
        var context = whole
        for (number, key) in keys.enumerated() {
            if number > 0 {
                context = whole.nextAttempt(after: TransportError(.lost), waited: .zero, because: "failover")
            }
            if let key {
                var keyed = Ask("order")
                keyed.idempotencyKey = key
                context.recordHop(keyed)
            }
        }
        // when
        var own = order
        own.idempotencyKey = "7"
        let failure = whole.finish(failing: StatusError(503), asked: own)
        // then
        #expect(failure.mayHaveWorked == warns)
        // and a call that is made again without anything being sent: which key it would have had nobody knows
        let again = CallContext().finish(failing: TransportError(.offline), asked: order).after(failure.doubt)
        #expect(again.mayHaveWorked)
    }

    @Test("is none where the attempt beside the one that was refused sent nothing either", arguments: [true, false])
    func besideUnsent(isConnected: Bool) {
        var order = Ask("order")
        order.isIdempotent = false
        let context = CallContext()
        let first = context.firstAttempt()
        let copy = context.parallelAttempt(because: "hedging")
        copy.recordHop(order)
        copy.closeAttempt(failing: TransportError(.lost, phase: isConnected ? .waiting : .connecting))
        first.closeAttempt(failing: RejectionError(.limit, "full"))
        let failure = context.finish(failing: RejectionError(.limit, "full"), asked: order)
        #expect(failure.mayHaveWorked == isConnected)
    }

    @Test("about a change does not concern what only reads in the call that is made again", arguments: [true, false])
    func ofChange(reads: Bool) {
        let context = CallContext()
        var ask = Ask("item")
        ask.idempotencyKey = reads ? nil : "7"
        context.recordHop(ask)
        let failure = context.finish(failing: StatusError(404), asked: ask)
        #expect(!failure.mayHaveWorked)
        #expect(failure.after(.change).mayHaveWorked != reads)
    }

    @Test("is none where a call that is made again had the key of the one before", arguments: ["7", "8", nil])
    func sameKey(key: String?) {
        var order = Ask("order")
        order.isIdempotent = false
        func failure(_ error: any Error, _ key: String?) -> Failure {
            let context = CallContext()
            var keyed = order
            (keyed.isIdempotent, keyed.idempotencyKey) = (key != nil, key)
            context.recordHop(keyed)
            return context.finish(failing: error, asked: keyed)
        }
        let first = failure(TransportError(.lost), "7")
        let again = failure(StatusError(503), key).after(first.doubt)
        #expect(!first.mayHaveWorked)
        #expect(again.mayHaveWorked == (key != "7"))
    }

    @Test("stays where the key is none of the caller's: the next call gets another", arguments: ["7", "8", nil])
    func interceptorsKey(own: String?) {
        var order = Ask("order")
        (order.isIdempotent, order.idempotencyKey) = (own != nil, own)
        var sent = order
        (sent.isIdempotent, sent.idempotencyKey) = (true, "7")
        let context = CallContext()
        context.recordHop(sent)
        let failure = context.finish(failing: StatusError(500), asked: order)
        #expect(failure.mayHaveWorked == (own != "7"))
    }

    @Test(
        "about an order with a key is told once the same request would not help: a corrected one has another key",
        arguments: [
            (StatusError(200) as any Error, StatusError(200) as any Error, true),
            (TransportError(.lost), StatusError(422), true), (StatusError(500), StatusError(403), true),
            (TransportError(.lost), RejectionError("own", ""), true),
            (TransportError(.lost), StatusError(503), false), (TransportError(.lost), TransportError(.lost), false),
            (TransportError(.lost), TimeoutError(.deadline), false), (TransportError(.lost), StatusError(401), false),
            (TransportError(.refused), StatusError(422), false), (StatusError(422), StatusError(422), false),
        ])
    func keyed(first: any Error, last: any Error, warns: Bool) {
        var order = Ask("order")
        order.idempotencyKey = "7"
        let context = CallContext()
        context.recordHop(order)
        let next = context.nextAttempt(after: first, waited: .zero, because: "test")
        if !(last is RejectionError) { next.recordHop(order) }
        let failure = context.finish(failing: last, asked: order, retries: true)
        #expect(failure.mayHaveWorked == warns)
        #expect((failure.message.suggestion == "Please check whether it worked before you try again.") == warns)
    }

    @Test(
        "about an order with a key that was accepted says under which key it is not to be sent",
        arguments: [(204, false, true), (404, true, true), (503, true, false), (404, false, false)])
    func keyedStep(status: Int, isRedirected: Bool, warns: Bool) {
        var order = Ask("order")
        order.idempotencyKey = "7"
        let context = CallContext()
        context.recordHop(order)
        if isRedirected { context.recordHop(Ask("receipt")) }
        let failure = context.finish(failing: StatusError(status), asked: order)
        #expect(failure.mayHaveWorked == warns)
        let step = "The server may have done its work: check before sending it again with another Idempotency-Key."
        #expect(failure.report.contains(step) == warns)
    }

    @Test("about a change that a copy finds gone says nothing of keys")
    func changeBeside() {
        struct Change: CallRequest {
            let isIdempotent = true
            let isReadOnly = false
            let isReplayable = true
            let idempotencyKey: String? = nil

            func summary(_ redaction: Redaction) -> String { "change" }
            func details(_ redaction: Redaction) -> [String] { [] }
        }
        let change = Change()
        let context = CallContext()
        let first = context.firstAttempt()
        let copy = context.parallelAttempt(because: "hedging")
        copy.recordHop(change)
        copy.closeAttempt(failing: TransportError(.lost, phase: .waiting))
        first.closeAttempt(failing: StatusError(404))
        let failure = context.finish(failing: StatusError(404), asked: change)
        #expect(failure.report.contains("check before sending it again."))
        #expect(!failure.report.contains("Idempotency-Key"))
    }

    /// The run of an operation that may be repeated.
    private struct Run: OperationRequest {
        let isIdempotent = true
        let isReplayable = true
        let idempotencyKey: String? = nil

        func summary(_ redaction: Redaction) -> String { "run" }
        func details(_ redaction: Redaction) -> [String] { [] }
    }

    @Test("is passed on from a call within, unless the outer one only reads")
    func fromWithin() {
        var order = Ask("order")
        order.isIdempotent = false
        // given: a renewal, such as one that calls share
        let inner = CallContext()
        inner.recordHop(order)
        inner.nextAttempt(after: TransportError(.lost), waited: .zero, because: "failover").recordHop(order)
        let renewal = inner.finish(failing: StatusError(503), asked: order)
        // then
        #expect(renewal.mayHaveWorked)
        let outer = { (inner: Failure, asked: any CallRequest) in
            CallContext().finish(failing: inner, asked: asked).mayHaveWorked
        }
        #expect(outer(renewal, order) && outer(renewal, Run()))
        #expect(!outer(renewal, Ask("list")))
        // and of one whose answer was lost at once
        let lost = CallContext()
        lost.recordHop(order)
        let last = lost.finish(failing: TransportError(.lost), asked: order)
        #expect(outer(last, order) && outer(last, Run()))
        #expect(!outer(last, Ask("list")))
        // and of one in an attempt before
        for asked in [order, Ask("list")] {
            let context = CallContext()
            context.nextAttempt(after: last, waited: .zero, because: "failover").recordHop(asked)
            let failure = context.finish(failing: StatusError(503), asked: asked)
            #expect(failure.mayHaveWorked == !asked.isIdempotent)
        }
    }

    @Test("is told beside the step that helps with what came then")
    func besideStep() {
        var order = Ask("order")
        order.isIdempotent = false
        for error in [
            RejectionError("own", ""), DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "")),
            Unknown(),
        ] as [any Error] {
            let step = CallContext().finish(failing: error, asked: order).nextStep
            let context = CallContext()
            context.recordHop(order)
            _ = context.nextAttempt(after: TransportError(.lost), waited: .zero, because: "failover")
            let failure = context.finish(failing: error, asked: order)
            let check = "The work may have been done already: check before sending it again."
            #expect(failure.nextStep == [check, step].compactMap { $0 }.joined(separator: " "))
        }
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
}
