import BackstopGraphQL
import BackstopTestSupport
import Testing

@Suite("The path of a field", .limited)
struct PathTests {
    @Test(
        "is read from a text",
        arguments: [
            ("", []),
            ("hero", [.key("hero")]),
            ("hero.friends[2].name", [.key("hero"), .key("friends"), .index(2), .key("name")]),
            ("hero[friends][0]", [.key("hero"), .key("friends"), .index(0)]),
            ("matrix[1][22]", [.key("matrix"), .index(1), .index(22)]),
            ("a[99999999999999999999]", [.key("a"), .key("99999999999999999999")]),
            ("..a[].b]", [.key("a"), .key("b")]),
            ("größe", [.key("größe")]),
        ] as [(String, [GraphQL.Path.Element])])
    func parsing(text: String, elements: [GraphQL.Path.Element]) {
        #expect(GraphQL.Path(text).elements == elements)
    }

    @Test("is written as it is read", arguments: ["", "hero", "hero.friends[2].name", "matrix[1][22].x"])
    func description(text: String) {
        #expect(GraphQL.Path(text).description == text)
    }

    @Test(
        "is explained by the error at it, else by the nearest below, else by the nearest above",
        arguments: [
            (["hero", "hero.name"], "hero.name", "hero.name"),
            (["hero.name", "hero"], "hero.name", "hero.name"),
            (["hero.friends[0].name", "hero.friends[0]"], "hero.friends", "hero.friends[0]"),
            (["hero.friends[1].name", "hero.friends[0].name"], "hero.friends", "hero.friends[1].name"),
            (["hero", "hero.friends[0].name"], "hero.friends", "hero.friends[0].name"),
            (["hero", "hero.friends"], "hero.friends[3].name", "hero.friends"),
            (["hero.friends[2]"], "hero.friends[3]", nil),
            (["villain"], "hero", nil),
            (["hero2"], "hero", nil),
            (["", "hero.name"], "hero.name", "hero.name"),
            ([""], "hero", nil),
            ([], "hero", nil),
            (["hero.friends", "hero"], "", "hero"),
        ] as [([String], GraphQL.Path, String?)])
    func explaining(places: [String], field: GraphQL.Path, expected: String?) {
        // given
        let errors = [GraphQL.Error("without a path")] + places.map { GraphQL.Error($0, path: GraphQL.Path($0)) }
        // then
        #expect(errors.explaining(field)?.message == expected)
        #expect(GraphQL.Result(data: 0, errors: errors).error(at: field)?.message == expected)
    }
}
