import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Docs/Interceptors.md", .limited)
struct OrderTablesTests {
    private let guide: Guide

    init() throws {
        guide = try Guide("Docs/Interceptors.md")
    }

    private static func rows(_ severity: OrderRule.Severity) -> [[String]] {
        Role.graphQLOrder.withResilience.flatMap(\.orderRules).filter { $0.severity == severity && $0.condition == nil }
            .map { rule in
                ["`\(rule.outer)`", rule.outer == rule.inner ? "no second one" : "`\(rule.inner)`", rule.reason]
            }
    }

    @Test("has each rule about settings, with its condition, and nothing else")
    func settings() throws {
        let rows = Role.graphQLOrder.withResilience.flatMap(\.orderRules).compactMap { rule in
            rule.condition.map { condition in
                [
                    "`\(rule.inner)`" + (rule.outer == rule.inner ? "" : " inside `\(rule.outer)`"), condition,
                    rule.severity.rawValue,
                ]
            }
        }
        try guide.expect(["interceptor", "when", "severity"], under: "Rules about settings", toBe: rows)
    }

    @Test("has each rule that is an error, with its reason, and nothing else")
    func errors() throws {
        try guide.expect(["outside", "inside", "otherwise"], under: "Errors", toBe: Self.rows(.error))
    }

    @Test("has each rule that is a warning, and nothing else")
    func warnings() throws {
        var inside: [(outer: String, inner: [String])] = []
        for rule in Self.rows(.warning) {
            if let index = inside.firstIndex(where: { $0.outer == rule[0] }) {
                inside[index].inner.append(rule[1])
            } else {
                inside.append((rule[0], [rule[1]]))
            }
        }
        let rows = inside.map { [$0.outer, $0.inner.joined(separator: ", ")] }
        try guide.expect(["outside", "inside"], under: "Warnings", toBe: rows)
    }

    @Test("shows the standard chain as its diagram draws it: DOT, drawn by Graphviz")
    func picture() throws {
        let file = Guide.package.appendingPathComponent("Docs/Images/standard-chain.svg")
        let picture = try String(contentsOf: file, encoding: .utf8)
        let texts = picture.matches(of: /<text [^>]*>([^<]*)<\/text>/).map { String($0.1) }
        let diagram = try Client.standard(baseURL: "https://shop.example.com").chain.diagram(.dot)
        let labels = diagram.matches(of: /label="([^"]*)"/).flatMap { $0.1.components(separatedBy: "\\n") }
        #expect(texts == labels)
    }

    @Test("has each role in its order, and says which of them the standard chain has")
    func roles() throws {
        // given
        struct Passed: HTTP.Interceptor {
            let role: Role
            func intercept(
                _ request: HTTP.Request, context: CallContext, next: HTTP.Next
            ) async throws -> HTTP.Response {
                try await next(request)
            }
        }
        let client = try Client.standard(
            baseURL: "https://api.example.com", transport: ScriptedTransport(),
            authentication: Passed(role: .authentication), persistedQueries: Passed(role: .persistedQueries))
        // when
        let rows = try guide.table(
            ["interceptor", "role", "standard chain", "why there"], under: "The standard order")
        // then
        #expect(rows.map { $0[1] } == Role.graphQLOrder.withResilience.map { "`\($0)`" } + [""])
        let standard = rows.filter { !$0[2].isEmpty }
        #expect(standard.map { $0[1] } == client.chain.roles.map { "`\($0)`" } + [""])
        #expect(
            standard.filter { $0[2] == "if passed" }.map { $0[1] } == ["`authentication`", "`persistedQueries`"])
    }
}

@Suite("The order rules, as Docs/Interceptors.md has them", .limited)
struct OrderRulesTests {
    /// A row of the guide: which role belongs outside of which.
    struct Row: Sendable, CustomTestStringConvertible {
        let outer: String
        let inner: String
        let severity: OrderRule.Severity
        var testDescription: String { "\(outer) outside \(inner)" }

        var roles: (outer: Role, inner: Role)? {
            let roles = [outer, inner].compactMap { name in Role.graphQLOrder.withResilience.first { $0.name == name } }
            return roles.count == 2 ? (roles[0], roles[1]) : nil
        }
    }

    private static func rows(
        _ severity: OrderRule.Severity, _ columns: [String], under heading: String
    ) -> [Row] {
        let guide = try? Guide("Docs/Interceptors.md")
        let rows = (try? guide?.table(columns, under: heading)) ?? []
        return rows.flatMap { cells in
            let names = cells.map { $0.filter { $0 != "`" } }
            return names[1].components(separatedBy: ", ").map { inner in
                Row(outer: names[0], inner: inner == "no second one" ? names[0] : inner, severity: severity)
            }
        }
    }

    static let rows =
        rows(.error, ["outside", "inside", "otherwise"], under: "Errors")
        + rows(.warning, ["outside", "inside"], under: "Warnings")

    @Test("are read from the guide")
    func count() {
        #expect(Self.rows.count >= 70)
    }

    @Test("speak when their roles stand the wrong way round", arguments: rows)
    func broken(row: Row) throws {
        // given: for rules of "at most one" the same role twice
        let (outer, inner) = try #require(row.roles)
        // when
        let issues = OrderIssue.issues(in: [inner, outer])
        // then
        let issue = try #require(issues.first { $0.rule.outer == outer && $0.rule.inner == inner })
        #expect(issue.rule.severity == row.severity)
        #expect(issue.outerPosition == 0)
        #expect(issue.innerPosition == 1)
    }

    @Test("are silent when their roles stand the right way round, and when one stands alone", arguments: rows)
    func kept(row: Row) throws {
        let (outer, inner) = try #require(row.roles)
        #expect(OrderIssue.issues(in: outer == inner ? [outer] : [outer, inner]).isEmpty)
        #expect(OrderIssue.issues(in: [outer]).isEmpty)
        #expect(OrderIssue.issues(in: [inner]).isEmpty)
    }

    @Test("speak also when other interceptors stand in between", arguments: rows)
    func apart(row: Row) throws {
        // given
        let (outer, inner) = try #require(row.roles)
        let roles = [.custom("a"), inner, .custom("b"), .custom("c"), outer, .custom("d")]
        // when
        let issue = OrderIssue.issues(in: roles).first { $0.rule.outer == outer && $0.rule.inner == inner }
        // then
        #expect(issue?.outerPosition == 1)
        #expect(issue?.innerPosition == 4)
    }

    @Test("say what goes wrong and what to do", arguments: Role.graphQLOrder.withResilience.flatMap(\.orderRules))
    func texts(rule: OrderRule) throws {
        // given: a rule about settings needs some that break it, which SettingRulesTests have
        let issue = OrderIssue.issues(in: [rule.inner, rule.outer]).first { $0.rule == rule }
        // then
        #expect((issue == nil) == (rule.condition != nil))
        #expect(!rule.reason.isEmpty)
        #expect(!rule.reason.hasSuffix("."), "the reason is the second half of a sentence")
        #expect(rule.fix.hasSuffix("."), "the fix is a sentence")
        #expect(rule.condition?.hasSuffix(".") != true, "the condition is the second half of a sentence")
        let text = issue?.description ?? "\(rule.reason). \(rule.fix)"
        #expect(text.hasSuffix("\(rule.reason). \(rule.fix)"))
        #expect(!text.contains(".."))
    }

    @Test("are all kept by the standard order, and are each broken by it turned round")
    func standardOrder() {
        #expect(OrderIssue.issues(in: Role.graphQLOrder.withResilience).isEmpty)
        let broken = OrderIssue.issues(in: Role.graphQLOrder.withResilience.reversed())
        #expect(broken.count == Self.rows.filter { $0.outer != $0.inner }.count)
    }

    @Test("are no two about the same roles, and do not contradict each other")
    func unique() {
        let pairs = Self.rows.map { [$0.outer, $0.inner] }
        #expect(Set(pairs).count == pairs.count)
        for row in Self.rows where row.outer != row.inner {
            #expect(!pairs.contains([row.inner, row.outer]), "\(row.testDescription)")
        }
    }
}
