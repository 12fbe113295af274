import BackstopGraphQL
import BackstopHash
import BackstopTestSupport
import Testing

// The constants come from the plugin: this target's own `.graphql` files, at each build.
@Suite("The documents that the plugin generates", .limited)
struct GeneratedDocumentsTests {
    @Test("have the names and kinds of the operations")
    func names() {
        let documents: [GraphQL.Document] = [.heroQuery, .reviewAdded, .default, .testQuery]
        #expect(documents.map(\.name) == ["HeroQuery", "ReviewAdded", "Default", "TestQuery"])
        #expect(documents.map(\.kind) == [.query, .subscription, .mutation, .query])
    }

    @Test("have the text as written, with the fragments of other files, sorted by name")
    func text() {
        #expect(
            GraphQL.Document.heroQuery.text == """
                query HeroQuery($episode: Episode = JEDI) {
                  hero(episode: $episode) {
                    ...HeroName
                    ... on Droid { primaryFunction }
                  }
                }
                fragment FriendName on Character {
                  name
                }
                fragment HeroName on Character {
                  name
                  friends { ...FriendName }
                }
                """)
        #expect(GraphQL.Document.testQuery.text == "query TestQuery { test }")
    }

    @Test("keep quotation marks, backslashes and number signs, and leave descriptions out")
    func quotation() throws {
        let text = try #require(GraphQL.Document.default.text)
        #expect(text.hasPrefix(##"mutation Default($text: String! = "tab:\t quote: \" hash: \"#") {"##))
        #expect(text.contains(##"  second \#(line)"##))
        #expect(text.contains("note: \"\"\"\n"))
    }

    @Test("have the SHA-256 of exactly this text")
    func hashes() throws {
        for document in [GraphQL.Document.heroQuery, .reviewAdded, .default, .testQuery] {
            #expect(document.hash == SHA256.hexDigest(of: try #require(document.text)))
        }
        #expect(
            GraphQL.Document.testQuery.hash == "8ed9fcbb8ef3c853ad0ecdc920eb8216608bd7c3b32258744e9289ec0372eb30")
    }
}
