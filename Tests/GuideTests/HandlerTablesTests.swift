import BackstopCore
import BackstopTestSupport
import Testing

@Suite("Docs/Handlers.md", .limited)
struct HandlerTablesTests {
    private let guide: Guide

    init() throws {
        guide = try Guide("Docs/Handlers.md")
    }

    private static let failure = Failure(TransportError(.lost))

    /// A new case has no name here, and so does not compile.
    private func name(_ outcome: Outcome<Int>) -> String {
        switch outcome {
        case .value: "`.value(content)`"
        case .handled: "`.handled(failure, by:)`"
        case .unhandled: "`.unhandled(failure)`"
        case .cancelled: "`.cancelled`"
        }
    }

    private func name(_ outcome: ObservedOutcome) -> String {
        switch outcome {
        case .thrown: "`.thrown`"
        case .handled: "`.handled(by:)`"
        case .replaced: "`.replaced(by:)`"
        case .retried: "`.retried(by:)`"
        case .unhandled: "`.unhandled`"
        case .cancelled: "`.cancelled`"
        }
    }

    private func name(_ verdict: Verdict) -> String {
        switch verdict {
        case .handled: "`.handled`"
        case .unhandled: "`.unhandled`"
        case .retry(let pause): pause == .zero ? "`.retry`" : "`.retry(after:)`"
        }
    }

    @Test("has each outcome of a call")
    func outcomes() throws {
        let all: [Outcome<Int>] = [
            .value(1), .handled(Self.failure, by: "x"), .unhandled(Self.failure), .cancelled,
        ]
        #expect(try guide.table(["`Outcome`", "when"], under: "").map { $0[0] } == all.map(name))
    }

    @Test("has each outcome that observers see")
    func observedOutcomes() throws {
        let all: [ObservedOutcome] = [
            .thrown, .handled(by: "x"), .replaced(by: "x"), .retried(by: "x"), .unhandled, .cancelled,
        ]
        #expect(try guide.table(["`ObservedOutcome`", "when"], under: "").map { $0[0] } == all.map(name))
    }

    @Test("has each verdict of a handler")
    func verdicts() throws {
        let all: [Verdict] = [.handled, .unhandled, .retry, .retry(after: .seconds(1))]
        #expect(try guide.table(["verdict", "meaning"], under: "").map { $0[0] } == all.map(name))
    }

    @Test("has each pattern, and no pattern that there is none of")
    func patterns() throws {
        let declared = try Guide(source: "FailurePattern.swift").text
            .matches(of: /\n {4}public (?:static let|static func|func) (\w+)/).map { String($0.output.1) }
        let named = try guide.table(["pattern", "matches"], under: "").flatMap { row in
            row[0].matches(of: /`\.(\w+)/).map { String($0.output.1) }
        }
        #expect(Set(named) == Set(declared).subtracting(["matches"]))
    }
}
