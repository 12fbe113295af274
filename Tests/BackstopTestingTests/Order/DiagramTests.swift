import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The diagram of a chain", .limited)
struct DiagramTests {
    @Test("is a flow chart in Mermaid, with the settings that people read")
    func mermaid() throws {
        let chain = try TestChain(transport: ScriptedText()) {
            Deadline(.seconds(60))
            Named(role: .custom("Named"))
            AttemptTimeout(.seconds(10))
        }
        #expect(
            chain.diagram() == """
                flowchart TB
                    n0["request"]
                    n1["Deadline<br/>timeLimit: 60 s"]
                    n2["Named"]
                    n3["AttemptTimeout<br/>timeLimit: 10 s"]
                    n4["ScriptedText"]
                    n0 <--> n1
                    n1 <--> n2
                    n2 <--> n3
                    n3 <--> n4
                """)
    }

    @Test("is a graph in DOT")
    func dot() throws {
        let chain = try TestChain(transport: ScriptedText()) {
            AttemptTimeout(.seconds(10))
        }
        #expect(
            chain.diagram(.dot) == """
                digraph chain {
                    ranksep=0.3; node [shape=box, style=rounded, fontname=Helvetica]
                    n0 [label="request"]
                    n1 [label="AttemptTimeout\\ntimeLimit: 10 s"]
                    n2 [label="ScriptedText"]
                    n0 -> n1 [dir=both]
                    n1 -> n2 [dir=both]
                }
                """)
    }

    @Test("marks what is out of order and says in a comment how to mend it")
    func issues() throws {
        let chain = try TestChain(transport: ScriptedText()) {
            AttemptTimeout(.seconds(1))
            Named(role: .logging)
            Deadline(.seconds(60))
        }
        let issue = try #require(chain.orderIssues.first)
        let comment = "\(issue.rule.severity.rawValue): \(issue)"
        #expect(chain.diagram(.mermaid).hasPrefix("%% \(comment)\nflowchart TB\n"))
        #expect(chain.diagram(.dot).hasPrefix("// \(comment)\ndigraph chain {\n"))
        for position in [1, 3] {
            #expect(chain.diagram(.mermaid).contains("style n\(position) stroke:"))
            let node = chain.diagram(.dot).split(separator: "\n").first { $0.hasPrefix("    n\(position) [") }
            #expect(node?.contains("color=") == true)
        }
        #expect(!chain.diagram(.mermaid).contains("style n2"))
    }

    @Test("shows any name as it is, and none becomes markup", arguments: DiagramFormat.allCases)
    func names(format: DiagramFormat) throws {
        let name = "a\"b\\c#d<i>e]f`g\nh\u{2028}i%%j\"\u{301}&lt;"
        let chain = try TestChain(transport: ScriptedText()) {
            Named(role: .custom(name))
        }
        let lines = chain.diagram(format).split(separator: "\n")
        let shown =
            switch format {
            case .mermaid: "    n1[\"Named (custom(a#34;b\\c#35;d#60;i#62;e]f#96;g h i%%j#34;\u{301}#38;lt;))\"]"
            case .dot: "    n1 [label=\"Named (custom(a\\\"b\\\\c#d<i>e]f`g h i%%j\\\"\u{301}&amp;lt;))\"]"
            }
        #expect(lines.contains { $0 == shown })
    }

    /// An interceptor with any role.
    private struct Named: Interceptor {
        let role: Role

        func intercept(_ request: String, context: CallContext, next: Next<String, String>) async throws -> String {
            try await next(request)
        }
    }

    private struct ScriptedText: Transport {
        func send(_ request: String, context: CallContext) async throws -> String { request }
    }

    private typealias TestChain = Chain<String, String>
}
