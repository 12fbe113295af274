import BackstopGraphQL

/// A query without variables.
struct HeroName: GraphQL.Operation {
    struct Data: Decodable, Sendable, Hashable {
        struct Hero: Decodable, Sendable, Hashable {
            var name: String
        }
        var hero: Hero?
    }

    static let text = "query HeroName { hero { name } }"

    var document = GraphQL.Document(text: text)
}

/// A query with variables.
struct HeroOfEpisode: GraphQL.Operation {
    typealias Data = HeroName.Data

    struct Variables: Encodable, Sendable {
        var episode: String
        var first = 2
    }

    var variables = Variables(episode: "JEDI")
    var document = GraphQL.Document(
        text: "query HeroOfEpisode($episode: Episode) { hero(episode: $episode) { name } }")
}

/// A mutation whose answer nobody looks at.
struct CreateReview: GraphQL.Operation {
    struct Data: Decodable, Sendable {}

    var document = GraphQL.Document(
        text: "mutation CreateReview { createReview(episode: JEDI, review: {stars: 5}) { stars } }")
}

/// The document whose hash is known from the specification of the protocol.
struct TestQuery: GraphQL.Operation {
    struct Data: Decodable, Sendable {
        var test: Int?
    }

    static let hash = "8ed9fcbb8ef3c853ad0ecdc920eb8216608bd7c3b32258744e9289ec0372eb30"

    var document = GraphQL.Document(text: "query TestQuery { test }")
}
