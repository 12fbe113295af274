import BackstopGraphQL

nonisolated struct HeroStory: GraphQL.Operation {
    struct Data: Decodable, Sendable {
        struct Hero: Decodable, Sendable {
            let name: String
            let secretBackstory: String?
        }
        let hero: Hero
    }

    var document: GraphQL.Document {
        .init(text: "query HeroStory { hero { name secretBackstory } }")
    }
}

/// What there is to tell, or why there is nothing. `all` turns data that came with errors into a failure.
func story(_ client: Client, all: Bool = false) async -> String {
    do throws(Failure) {
        let options = client.graphQLOptions.changing { $0.failsOnPartialData = all }
        let result = try await client.fetch(HeroStory(), options: options)
        let hero = result.data.hero
        let reason = result.error(at: "hero.secretBackstory")?.code ?? "there is none"
        return hero.secretBackstory ?? "\(hero.name) tells nothing: \(reason)"
    } catch {
        let codes = error.graphQLErrors.compactMap(\.code).joined(separator: ", ")
        return switch error.graphQL?.kind {
        case .errors?: "errors and no data: \(codes)"
        case .partialData?: "errors beside \(error.graphQL?.data(of: HeroStory.self)?.hero.name ?? "nobody"): \(codes)"
        case .decodingError?: "data of another shape: \(error.message.text)"
        case .encodingError?: "variables that cannot be sent"
        case .invalidData?, .missingData?: "not a GraphQL response"
        default: "no answer: \(error.code)"
        }
    }
}
