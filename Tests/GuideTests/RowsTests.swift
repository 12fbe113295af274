import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopResilience
import BackstopTestSupport
import Testing

/// Lists of what is declared one by one: the compiler does not see that one is left out.
@Suite("The list of all", .limited)
struct RowsTests {
    /// The names of the constants that a file declares with a pattern, and the names in quotes that they are given.
    private func rows(_ file: Guide, matching pattern: Regex<(Substring, Substring, Substring)>) -> [String] {
        let found = file.text.matches(of: pattern).map(\.output)
        for row in found {
            #expect(row.1 == row.2, "\(file.path): \(row.1) is named \"\(row.2)\"")
        }
        return found.map { String($0.1) }
    }

    /// `static let dns = Self(row: "dns"`, on one line or two.
    private static var row: Regex<(Substring, Substring, Substring)> {
        /static let (\w+) = Self\(\s*row: "(\w+)"/
    }

    @Test("codes of a transport has every one that is declared, in the same order")
    func transport() throws {
        let rows = try rows(Guide(source: "TransportError+Code.swift"), matching: Self.row)
        #expect(TransportError.Code.builtIn.map(\.name) == rows)
        #expect(rows.count > 10)
    }

    @Test("time limits has every one that is declared, in the same order")
    func timeout() throws {
        let rows = try rows(Guide(source: "TimeoutError+Kind.swift"), matching: Self.row)
        #expect(TimeoutError.Kind.builtIn.map(\.name) == rows)
        #expect(rows.count > 2)
    }

    @Test("codes of a request has every one that is declared, in the same order")
    func request() throws {
        let rows = try rows(Guide(source: "RequestError+Code.swift"), matching: Self.row)
        #expect(RequestError.Code.builtIn.map(\.name) == rows)
        #expect(rows.count > 5)
    }

    @Test("codes of refusals has every one that is declared, in the same order")
    func rejected() throws {
        let rows = try rows(Guide(source: "RejectionError.swift"), matching: Self.row)
        #expect(RejectionError.Code.builtIn.map(\.name) == rows)
        #expect(rows.count > 3)
    }

    @Test("kinds of decoding failures has every one that is declared, in the same order")
    func decoding() throws {
        let rows = try rows(Guide(source: "DecodingFailure+Kind.swift"), matching: Self.row)
        #expect(DecodingFailure.Kind.builtIn.map(\.name) == rows)
        #expect(rows.count > 8)
    }

    @Test("kinds of GraphQL failures has every one that is declared, in the same order")
    func graphQL() throws {
        let rows = try rows(Guide(source: "GraphQLFailure.swift"), matching: Self.row)
        #expect(GraphQLFailure.Kind.builtIn.map(\.name) == rows)
        #expect(rows.count > 7)
    }

    @Test("texts for people has every one that is declared, in the same order")
    func texts() throws {
        let declared = try Guide(source: "MessageTemplate.swift").text
            .matches(of: /static let \w+ = Self\(\s*"([\w.]+)"/).map { String($0.1) }
        #expect(MessageTemplate.all.map(\.key) == declared)
        #expect(declared.count > 20)
    }

    @Test("roles has every one that an interceptor of the package plays")
    func roles() throws {
        let declared = try Guide.sources.flatMap { path in
            try rows(Guide(path), matching: /static let (\w+): Role = Role\(\s*builtIn: "(\w+)"/)
        }
        #expect(Set(Role.graphQLOrder.map(\.name)) == Set(declared))
        #expect(Role.graphQLOrder.count == declared.count)
        // What the guides and the command say of the rules is read from these.
        #expect(Role.graphQLOrder.withResilience.filter(\.orderRules.isEmpty).map(\.name) == [])
    }
}
