import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The conformance suite", .sockets)
struct TransportConformanceTests {
    private static func named(_ names: String...) -> [TransportConformance.Case] {
        TransportConformance.cases.filter { names.contains($0.name) }
    }

    /// A transport that answers everything alike, without a network.
    private struct Constant: HTTP.Transport {
        var status = 200
        var body = "ok"

        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            HTTP.Response(status: status, body: Data(body.utf8), url: request.url)
        }
    }

    /// A transport that never answers, and does not notice that it is cancelled.
    private struct Deaf: HTTP.Transport {
        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                Self.waiting.yield(continuation)
            }
            throw CancellationError()
        }

        private static let (kept, waiting) = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>.self)
    }

    private func error(
        knownLimits: TransportConformance.KnownLimits = [:], _ cases: [TransportConformance.Case],
        of transport: any HTTP.Transport = Constant(), timeLimit: Duration = .seconds(60)
    ) async throws -> TransportConformanceError {
        do {
            try await TransportConformance.check(knownLimits: knownLimits, cases: cases, timeLimit: timeLimit) {
                transport
            }
        } catch {
            return error
        }
        throw MissingError()
    }

    private struct MissingError: Error {}

    @Test("has at least 80 cases, each with its own name, a rule and a title")
    func cases() {
        let cases = TransportConformance.cases
        #expect(cases.count >= 80)
        #expect(Set(cases.map(\.name)).count == cases.count)
        for item in cases {
            #expect(item.name.wholeMatch(of: /[a-z]+(\.[a-zA-Z0-9]+){1,2}/) != nil, "\(item.name)")
            let rule = /(RFC [0-9]{4}, [0-9.]+|Fetch, 4\.4|Backstop, [A-Z][A-Za-z.]+)/
            #expect(item.rule.wholeMatch(of: rule) != nil, "\(item.name): \(item.rule)")
            #expect(item.title.first?.isLowercase == true && item.title.last != ".", "\(item.name): \(item.title)")
        }
    }

    @Test("does not pass a transport that no case has checked")
    func none() async throws {
        #expect(
            try await error([]).description == "There is no case: what picked those to run has found none.")
    }

    @Test("says of a failed case what was expected and what came")
    func failed() async throws {
        let error = try await error(Self.named("lengths.plus", "heads.plain"), of: Constant(body: "no"))
        #expect(
            error.description == """
                The transport fails 2 cases of 2.
                heads.plain: reads a response (RFC 9112, 4)
                  expected: 200 with the body "ok"
                  came:     200 with the body "no" and the headers []
                lengths.plus: refuses a length with a plus sign (RFC 9112, 6.3)
                  expected: transport.badResponse while receiving
                  came:     200 with the body "no" and the headers [], for "+2"
                """)
        #expect(error.failed.map(\.case.name) == ["heads.plain", "lengths.plus"])
    }

    @Test("fails a transport that sends nothing, where it is the request that counts")
    func sendsNothing() async throws {
        let error = try await error(Self.named("requests.data", "requests.file", "origins.credentials"))
        #expect(error.failed.map(\.case.name).sorted() == ["origins.credentials", "requests.data", "requests.file"])
        #expect(error.failed.allSatisfy { $0.problem.came == "none" })
    }

    @Test("fails a transport that decodes more than it was told to")
    func decodesTwice() async throws {
        // It answers with the text in the gzip.
        let error = try await error(Self.named("codings.twice", "codings.content"))
        #expect(error.failed.map(\.case.name).sorted() == ["codings.content", "codings.twice"])
        #expect(error.failed.allSatisfy { $0.problem.came.hasPrefix("200 with the body \"ok\"") })
    }

    @Test("lets a known limit fail, and reports one that passes")
    func knownLimits() async throws {
        let cases = Self.named("heads.plain", "lengths.plus")
        let report = try await TransportConformance.check(
            knownLimits: ["lengths.plus": "it does not look"], cases: cases
        ) { Constant() }
        #expect(
            report.description == """
                passed   heads.plain
                limited  lengths.plus: it does not look
                2 cases, 1 passed.
                """)
        let error = try await error(knownLimits: ["heads.*": "cannot", "lengths.*": "it does not look"], cases)
        #expect(error.description == "heads.* is a known limit, but passes: remove it from the table.")
    }

    @Test("lets a case pass that fails only at times")
    func intermittent() async throws {
        let report = try await TransportConformance.check(
            knownLimits: ["heads.plain": .intermittent("a race")], cases: Self.named("heads.plain")
        ) { Constant() }
        #expect(report.passed == 1)
    }

    @Test("does not run a case that ends the process")
    func endsProcess() async throws {
        let report = try await TransportConformance.check(
            knownLimits: ["heads.plain": .endsProcess("it crashes")], cases: Self.named("heads.plain")
        ) { () -> any HTTP.Transport in
            Issue.record("The case has run.")
            return Constant()
        }
        #expect(report.description == "not run  heads.plain: it crashes\n1 cases, 0 passed.")
    }

    @Test("finds a limit that ends the process before all others, and one by name before a prefix")
    func precedence() throws {
        let limits: TransportConformance.KnownLimits = [
            "heads.*": "all", "heads.plain": .intermittent("by name"), "redirects.*": "all",
        ]
        let both = limits + ["redirects.cut": .endsProcess("it crashes")]
        func reason(_ name: String) throws -> String? {
            both[try #require(Self.named(name).first)]?.reason
        }
        #expect(try reason("heads.plain") == "by name")
        #expect(try reason("heads.bareLF") == "all")
        #expect(try reason("redirects.cut") == "it crashes")
    }

    @Test("reports a known limit whose name no case has")
    func unknownName() async throws {
        let error = try await error(knownLimits: ["heads.plian": "a slip"], Self.named("heads.plain"))
        #expect(error.description == "No case is called heads.plian; heads.plain?")
    }

    @Test("leaves out the cases that need options where the transport takes none")
    func options() async throws {
        let cases = Self.named("limits.length")
        let report = try await TransportConformance.check(cases: cases) { Constant() }
        #expect(report.passed == 0)
        await #expect(throws: TransportConformanceError.self) {
            try await TransportConformance.check(cases: cases) { _ in Constant() }
        }
    }

    @Test("ends a case at its time limit, even if the transport does not notice")
    func timeLimit() async throws {
        let error = try await error(Self.named("cancellation.waiting"), of: Deaf(), timeLimit: .milliseconds(50))
        #expect(error.failed.first?.problem.came == "nothing: the case did not end within 50 ms")
    }

    @Test("takes any time limit, also one that never comes")
    func noTimeLimit() async throws {
        let error = try await error(Self.named("requests.line"), timeLimit: .seconds(Int64.max))
        #expect(error.failed.first?.problem.came == "\"0\"")
    }

    @Test("compares with what the server has received, not only with what the transport returns")
    func server() async throws {
        let error = try await error(Self.named("requests.line"))
        #expect(error.failed.first?.problem.expected == "the number of requests: \"1\"")
        #expect(error.failed.first?.problem.came == "\"0\"")
    }
}
