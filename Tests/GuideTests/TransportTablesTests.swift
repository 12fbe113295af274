import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Docs/Transports.md", .limited)
struct TransportTablesTests {
    private func expect(_ limits: TransportConformance.KnownLimits, under heading: String) throws {
        let rows = try Guide("Docs/Transports.md").table(["case", "what happens", "rule"], under: heading)
        let expected = try limits.entries.map { entry in
            let item = try #require(TransportConformance.cases.first { $0.name == entry.name })
            let name = entry.limit.endsProcess ? "**`\(entry.name)`**" : "`\(entry.name)`"
            return [name, entry.limit.reason, item.rule]
        }
        #expect(!rows.isEmpty)
        #expect(rows == expected)
    }

    #if canImport(FoundationNetworking)
        @Test("has each known limit of URLSession with its reason and its rule, and nothing else")
        func urlSession() throws {
            try expect(.urlSession, under: "What URLSession cannot do on Linux")
        }
    #endif

    @Test("has each known limit of AsyncHTTPClient with its reason and its rule, and nothing else")
    func asyncHTTPClient() throws {
        try expect(.asyncHTTPClient, under: "What AsyncHTTPClient cannot do")
    }
}
