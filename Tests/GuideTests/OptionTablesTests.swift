import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import Testing

@Suite("The tables of options in the guides", .limited)
struct OptionTablesTests {
    private struct Table {
        let guide: Guide
        let heading: String
        let rows: [[String]]

        init(_ path: String, _ heading: String, _ columns: [String]) throws {
            guide = try Guide(path)
            self.heading = heading
            rows = try guide.table(columns, under: heading)
        }

        /// The names in the first column, and what stands in the second.
        func expect(_ defaults: [(name: String, value: String)], sourceLocation: SourceLocation = #_sourceLocation) {
            let found = rows.map { "\($0[0]): \($0[1])" }
            let wanted = defaults.map { "`\($0.name)`: \($0.value)" }
            #expect(found == wanted, "\(guide.path), under \(heading)", sourceLocation: sourceLocation)
        }
    }

    /// The public properties that a file declares inside a type, in their order.
    private func properties(of type: String, in file: String) throws -> [String] {
        let lines = try Guide(source: file).text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.contains("struct \(type): ") || $0.contains("class \(type): ") })
        let indentation = lines[start].prefix { $0 == " " }
        let body = lines[start...].prefix { $0 != indentation + "}" }.joined(separator: "\n")
        return body.matches(of: /\n {4,8}public (?:let|var) (\w+)(?:: | = )/).map { String($0.output.1) }
    }

    @Test("have each option of URLSessionTransport with its default and range")
    func transport() throws {
        let table = try Table(
            "Docs/Interceptors.md", "`URLSessionTransport`", ["option", "default", "range", "meaning"])
        let standard = URLSessionTransport()
        table.expect([
            ("configuration", "`.standardConfiguration`"), ("responseLimit", "\(standard.responseLimit >> 20) MiB"),
            ("maximumRedirects", "\(standard.maximumRedirects)"),
            ("allowsInsecureRedirects", "\(standard.allowsInsecureRedirects)"),
            ("idleTimeout", standard.idleTimeout.text), ("connectionsPerHost", "\(standard.connectionsPerHost)"),
        ])
        #expect(table.rows.map { $0[2] } == ["", "0 or more", "0 or more", "", "up to a week", "1 or more"])
        #expect(throws: Never.self) {
            try URLSessionTransport(
                responseLimit: 0, maximumRedirects: 0, idleTimeout: .seconds(7 * 86_400), connectionsPerHost: 1)
        }
        #expect(throws: ConfigurationError.self) { try URLSessionTransport(responseLimit: -1) }
        #expect(throws: ConfigurationError.self) { try URLSessionTransport(maximumRedirects: -1) }
        #expect(throws: ConfigurationError.self) { try URLSessionTransport(idleTimeout: .seconds(7 * 86_400 + 1)) }
        #expect(throws: ConfigurationError.self) { try URLSessionTransport(connectionsPerHost: 0) }
    }

    @Test("have each option of Logging with its default")
    func logging() throws {
        let rows = try Guide("Docs/Interceptors.md").table(["option", "default", "meaning"], under: "`RequestLogging`")
        let standard = RequestLogging()
        #expect(
            rows.map { [$0[0], $0[1]] } == [
                ["subject", "`.\(standard.subject)`"], ["`successLevel`", "`.\(standard.successLevel)`"],
                ["`failureLevel`", "`.\(standard.failureLevel)`"], ["`bodyLimit`", "\(standard.bodyLimit)"],
                ["`curl`", "`.\(standard.curl)`"], ["`to:`", "`SystemLog.shared`"],
            ])
        #expect(RequestLogging(bodyLimit: -1).bodyLimit == 0)
        #expect(RequestLogging(bodyLimit: 10_001).bodyLimit == 10_000)
    }

    @Test("have each option of StatusValidation with its default")
    func statusValidation() throws {
        let rows = try Guide("Docs/Interceptors.md").table(
            ["option", "default", "meaning"], under: "`StatusValidation`")
        #expect(rows.map { [$0[0], $0[1]] } == [["`accepting`", "`200..<300`"], ["`contentTypes`", "nil: all"]])
        #expect((100...599).filter(StatusValidation().accepts) == Array(200..<300))
        #expect(StatusValidation().contentTypes == nil)
    }

    @Test("have each option of a call with its default")
    func callOptions() throws {
        let table = try Table("Docs/GettingStarted.md", "Options", ["`CallOptions`", "default", "meaning"])
        let standard = CallOptions()
        table.expect([
            ("name", "the endpoint's name"), ("deadline", "nil: no limit"), ("isUserRetry", "\(standard.isUserRetry)"),
            ("clock", "the system's"),
            ("random", "the system's"), ("tracesInterceptors", "\(standard.tracesInterceptors)"),
            ("failureBodyLimit", "65,536 bytes"),
            ("redaction", "`Redaction.standard`"), ("observers", "none"), ("values", "none"),
        ])
        #expect(standard.deadline == nil)
        #expect(standard.failureBodyLimit == 65_536)
        #expect(standard.clock is SystemClock)
        #expect(standard.random is SystemRandom)
        #expect(standard.observers.isEmpty)
        #expect(try properties(of: "CallOptions", in: "CallOptions.swift").count == table.rows.count)
    }

    @Test("have each option of GraphQL calls with its default")
    func graphQL() throws {
        let rows = try Guide("Docs/GraphQL.md").table(["Option", "Default", ""], under: "")
        let standard = GraphQL.Options()
        #expect(
            rows.map { "\($0[0]): \($0[1])" } == [
                "`path`: empty", "`failsOnPartialData`: \(standard.failsOnPartialData)",
                "`usesGETForQueries`: \(standard.usesGETForQueries)",
                "`isAPQInterceptorEnabled`: \(standard.isAPQInterceptorEnabled)",
                "`isAPQClientEnabled`: \(standard.isAPQClientEnabled)",
                "`usesGETForHashedQueries`: \(standard.usesGETForHashedQueries)", "`headers`: none",
                "`cachePolicy`: `.\(standard.cachePolicy)`", "`encoder`, `decoder`: those of the client",
            ])
        #expect(standard.path.isEmpty)
        #expect(standard.headers.fields.isEmpty)
        #expect(standard.encoder == nil && standard.decoder == nil)
        #expect(try properties(of: "Options", in: "GraphQL+Options.swift").count == rows.count + 1)
    }

    @Test("have each cache policy")
    func cachePolicies() throws {
        let rows = try Guide("Docs/GraphQL.md").table(["Policy", ""], under: "Cache")
        #expect(rows.map { $0[0] } == GraphQL.CachePolicy.allCases.map { "`\($0)`" })
    }
}
