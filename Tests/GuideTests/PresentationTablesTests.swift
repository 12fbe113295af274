import BackstopPresentation
import BackstopTestSupport
import Testing

@Suite("The tables of Docs/Handlers.md about presentation", .limited)
struct PresentationTablesTests {
    private let guide: Guide

    init() throws {
        guide = try Guide("Docs/Handlers.md")
    }

    @Test("have each default rule, in its place, and nothing else")
    func defaults() throws {
        try guide.expect(
            ["failures", "presented as", "because"], under: "How failures are presented",
            toBe: PresentationPolicy.defaults.map { [$0.failures, $0.words, $0.reason] })
    }

    /// A new kind has no name here, and so does not compile.
    @Test("have each kind of presentation")
    func styles() throws {
        let all = Presentation.Kind.allCases.map { kind in
            switch kind {
            case .ignore: "`.ignore`"
            case .inline: "`.inline`"
            case .banner: "`.banner`"
            case .alert: "`.alert`"
            case .fullScreen: "`.fullScreen`"
            }
        }
        let rows = try guide.table(["style", "what it is", "more"], under: "How failures are presented")
        #expect(rows.map { $0[0] } == all)
    }

    @Test("say the times that the code has")
    func times() {
        #expect(PresentationStyle.bannerTime == .seconds(10))
        #expect(PresentationPolicy().longestCountdown == .seconds(300))
    }
}
