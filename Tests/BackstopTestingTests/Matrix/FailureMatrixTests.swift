import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A failure matrix", .limited)
struct FailureMatrixTests {
    private static let samples = [
        FailureSample(Failure(TransportError(.offline))), FailureSample(Failure(StatusError(401))),
        FailureSample(Failure(StatusError(404))), FailureSample(Failure(StatusError(503))),
        FailureSample(Failure(CancellationError())), FailureSample(Failure(RejectionError("limit", "Too many"))),
    ]

    @Test("says who handles what, in a table")
    func table() async {
        // given
        let shop = HandlerScope("shop") { On(status: 401) { _ in } }
        // when
        let matrix = await FailureMatrix.run(
            resolving: [.init("book") { failure in failure.statusCode == 404 ? .value(0) : .unhandled }],
            scopes: [shop], samples: Self.samples
        ) {
            On(.offline) { _ in .retry(after: .seconds(2)) }
            On(status: 401) { _ in }
            On(.status(500...)) { _ in .retry }
        }
        // then
        #expect(
            matrix.description == """
                code               verdict          by
                transport.offline  retry after 2 s  On(offline)
                status.401         handled          shop: On(status.401)
                status.404         value            book
                status.503         retry            On(status(500...))
                cancelled          cancelled        -
                rejected.limit     unhandled        -
                6 failures: 4 handled, 1 unhandled, 1 cancelled.
                Decided nothing: On(status.401) (behind shop: On(status.401)).
                """)
        #expect(matrix["status.401"]?.handledBy == "shop: On(status.401)")
        #expect(matrix["transport.offline"]?.verdict == .retry(after: .seconds(2)))
        #expect(matrix["status.999"] == nil)
        #expect(matrix.idleHandlers.map(\.name) == ["On(status.401)"])
        #expect(matrix.idleHandlers.first?.shadowedBy == ["shop: On(status.401)"])
    }

    @Test("tells a handler from one of the same name in whose shadow it stands")
    func shadowedDuplicate() async {
        // given
        let card = FailureHandling.OwnHandler<Int>("card") { _ in .unhandled }
        // when
        let matrix = await FailureMatrix.run(
            resolving: [card, card],
            scopes: [HandlerScope("shop #1") { On(.offline, name: "banner") { _ in } }], samples: Self.samples
        ) {
            On(status: 401) { _ in }
            On(status: 401) { _ in }
            On(status: 410) { _ in }
            Otherwise { _ in }
            Otherwise { _ in }
        }
        // then
        #expect(
            matrix.idleHandlers.map(\.description) == [
                "card", "card (number 2 of this name)", "On(status.401) (number 2 of this name; behind On(status.401))",
                "On(status.410)", "Otherwise (number 2 of this name)",
            ])
        #expect(matrix["status.401"]?.handledBy == "On(status.401)")
        #expect(matrix["transport.offline"]?.handledBy == "shop #1: banner")
        #expect(matrix["status.404"]?.handledBy == "Otherwise")
    }

    @Test("does not wait for a handler that waits for a person, and says which one")
    func waiting() async throws {
        // given
        struct Presenter: FailureHandler {
            let name = "presenter"
            func handle(_ failure: Failure) async -> Verdict {
                guard failure.isTransient else {
                    return .handled
                }
                FailureHandling.whenWaiting?()
                try? await untilCancelled()
                return .unhandled
            }
        }
        // when
        let inScope = await FailureMatrix.run(scopes: [HandlerScope("shop") { Presenter() }], samples: Self.samples)
        let own = await FailureMatrix.run(own: [Presenter()], samples: Self.samples)
        let last = await FailureMatrix.run(samples: Self.samples) { Presenter() }
        // then
        for (matrix, name) in [(inScope, "shop: presenter"), (own, "presenter"), (last, "presenter")] {
            #expect(matrix["transport.offline"]?.verdict == .waits && matrix["status.404"]?.verdict == .handled)
            #expect(matrix["transport.offline"]?.handledBy == name)
            #expect(matrix.description.contains("transport.offline  waits      \(name)\n"))
            #expect(matrix.idleHandlers.isEmpty)
            try matrix.requireAllHandled()
        }
    }

    @Test(
        "refuses a code that does not exist, and says which one was probably meant",
        arguments: [
            ("transport.offlin", "transport.offline"), ("transprt.*", "transport.*"), ("status.4O4", "status.404"),
            ("decodng", "decoding"), ("service.", "service.*"),
            ("decoding (htlm)", "decoding (html)"), ("nothing.of.it", nil), ("offline", nil), ("", nil), ("*", nil),
            (".*", nil),
        ] as [(String, String?)])
    func unknownCode(code: String, similar: String?) async throws {
        // given
        let matrix = await FailureMatrix.run { Otherwise { _ in } }
        // when
        let error = #expect(throws: FailureMatrixError.self) {
            try matrix.requireAllHandled(except: "status.404", code)
        }
        // then
        #expect(error?.unhandled == [])
        #expect(error?.unknownCodes.map(\.code) == [code])
        #expect(error?.unknownCodes.first?.similar == similar)
        #expect(error?.description.hasPrefix("No failure has the code \(code)") == true)
    }

    @Test(
        "takes every code that there is, those that apps and services choose, and the names of samples",
        arguments: [
            "request.*", "transport.dns", "timeout.connection", "timeout.*", "status.*", "status.418", "decoding",
            "decoding (html)", "cancelled", "other", "service.soldOut", "service.graphQL.errors", "service.*",
            "service.graphQL.*", "rejected.quota", "rejected.*", "status", "timeout", "service",
        ])
    func knownCode(code: String) async throws {
        let matrix = await FailureMatrix.run(samples: Self.samples) { Otherwise { _ in } }
        try matrix.requireAllHandled(except: code)
    }

    @Test("lets a single sample of several with one code stay unhandled, by its name")
    func exceptSample() async throws {
        // given
        let matrix = await FailureMatrix.run { On(.init("all but decoding") { $0.code != "decoding" }) { _ in } }
        // when
        let error = #expect(throws: FailureMatrixError.self) {
            try matrix.requireAllHandled(except: "decoding (html)")
        }
        // then
        #expect(error?.unhandled.contains("decoding (empty)") == true)
        #expect(error?.unhandled.contains("decoding (html)") == false)
    }

    @Test("is refused when it was made of no failures, or in a cancelled task: it says nothing of the handlers")
    func nothingAsked() async throws {
        let none = await FailureMatrix.run(samples: []) { Otherwise { _ in } }
        let error = #expect(throws: FailureMatrixError.self) { try none.requireAllHandled() }
        #expect(error?.description.hasPrefix("There is no failure that a handler could be asked about.") == true)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await FailureMatrix.run(samples: Self.samples) { Otherwise { _ in } }
        }
        let cancelled = await task.value
        #expect(cancelled.unhandled.count == Self.samples.count)
        #expect(throws: FailureMatrixError.self) { try cancelled.requireAllHandled() }
    }

    @Test("prints the rows that the guide shows, in their order")
    func guide() async throws {
        // given
        let checkout = HandlerScope("checkout") { On(status: 409) { _ in } }
        let lines = try Guide("Docs/Testing.md").section("All failures at once")
        let shown = lines.drop { !$0.hasPrefix("code  ") }.prefix { $0 != "```" }.filter { $0 != "..." }
        // when
        let matrix = await FailureMatrix.run(scopes: [checkout]) {
            On(.offline) { _ in }
            On(status: 401) { _ in }
            On(.transient) { _ in .retry(after: .seconds(1)) }
            On(.decoding) { _ in }
            On(.timeout.or(.rejected)) { _ in }
        }
        // then
        #expect(shown.count > 10)
        let printed: [String] = matrix.description.split(separator: "\n").map(String.init)
        #expect(printed.filter(shown.contains) == shown)
    }

    @Test("of a chain that handles everything is complete for every sample")
    func complete() async throws {
        // when
        let matrix = await FailureMatrix.run { Otherwise { _ in } }
        // then
        try matrix.requireAllHandled()
        #expect(matrix.rows.count == FailureSamples.all.count)
        #expect(matrix["cancelled"]?.verdict == .cancelled)
    }

    @Test("names what nobody handles, except for what may stay so")
    func unhandled() async throws {
        // given
        let matrix = await FailureMatrix.run(samples: Self.samples) { On(.offline) { _ in } }
        // when
        let error = #expect(throws: FailureMatrixError.self) { try matrix.requireAllHandled(except: "status.*") }
        // then
        #expect(error?.unhandled == ["rejected.limit"])
        #expect(error?.description.hasPrefix("Unhandled: rejected.limit.") == true)
        #expect(error?.description.contains(matrix.description) == true)
        try matrix.requireAllHandled(except: ["status.*", "rejected.limit"])
    }

    @Test("without handlers has nobody")
    func empty() async {
        // when
        let matrix = await FailureMatrix.run(samples: Self.samples)
        // then
        #expect(matrix.unhandled.count == 5)
        #expect(matrix.idleHandlers.isEmpty)
    }

    @Test("does not ask default handlers from outside")
    func isolation() async {
        // given
        let asked = RecordingLog()
        // when
        let matrix = await DefaultHandlers.withHandlers {
            Otherwise { _ in asked.write(LogEntry(.error, "asked")) }
        } operation: {
            await FailureMatrix.run(samples: Self.samples)
        }
        // then
        #expect(matrix.unhandled.count == 5)
        #expect(asked.entries.isEmpty)
    }

    @Test("follows the client's handling: its scopes, and its limit of retries; log and observers hear nothing")
    func handling() async {
        // given
        let log = RecordingLog()
        let observer = RecordingObserver()
        var handling = FailureHandling()
        handling.scopes = [HandlerScope("outer") { On(.status) { _ in } }]
        handling.maximumHandlerRetries = 0
        handling.log = log
        handling.observers = [observer]
        // when
        let matrix = await FailureMatrix.run(
            scopes: [HandlerScope("inner") { On(status: 404) { _ in } }], handling: handling, samples: Self.samples
        ) {
            Otherwise { _ in .retry }
        }
        // then
        #expect(matrix["status.404"]?.handledBy == "inner: On(status.404)")
        #expect(matrix["status.503"]?.handledBy == "outer: On(status)")
        #expect(matrix["rejected.limit"]?.verdict == .unhandled)
        #expect(log.entries.isEmpty)
        #expect(observer.failures.isEmpty)
    }
}
