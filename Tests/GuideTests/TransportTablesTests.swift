import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

#if canImport(FoundationNetworking)
    @Suite("Docs/Transports.md")
    struct TransportTablesTests {
        @Test("has each known limit of URLSession with its reason and its rule, and nothing else")
        func knownLimits() throws {
            let rows = try Guide("Docs/Transports.md").table(
                ["case", "what happens", "rule"], under: "What URLSession cannot do on Linux")
            let limits = TransportConformance.KnownLimits.urlSession.entries
            #expect(limits.count > 10)
            let expected = try limits.map { entry in
                let item = try #require(TransportConformance.cases.first { $0.name == entry.name })
                let name = entry.limit.endsProcess ? "**`\(entry.name)`**" : "`\(entry.name)`"
                return [name, entry.limit.reason, item.rule]
            }
            #expect(rows == expected)
        }
    }
#endif
