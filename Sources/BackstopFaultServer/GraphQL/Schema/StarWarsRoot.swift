#if Demo
    /// Where documents begin.
    enum StarWarsRoot {
        static let queries = [
            GraphQLField("hero", "Character", [episode]) { _, arguments, _ throws(GraphQLFieldProblem) in
                try character(arguments["episode"]?.text == "EMPIRE" ? "1000" : "2001")
            },
            GraphQLField("reviews", "[Review]", [GraphQLInput("episode", "Episode!")]) { _, arguments, store in
                let reviews = store.reviews(of: arguments["episode"]?.text ?? "")
                return .list(reviews.map { .object(.review($0)) })
            },
            GraphQLField("search", "[SearchResult]", [GraphQLInput("text", "String")]) { _, arguments, _ in
                .list(search(arguments["text"]?.text ?? ""))
            },
            GraphQLField("character", "Character", [id]) { _, arguments, _ throws(GraphQLFieldProblem) in
                try character(arguments["id"]?.text)
            },
            GraphQLField("human", "Human", [id]) { _, arguments, _ throws(GraphQLFieldProblem) in
                try character(arguments["id"]?.text, isHuman: true)
            },
            GraphQLField("droid", "Droid", [id]) { _, arguments, _ throws(GraphQLFieldProblem) in
                try character(arguments["id"]?.text, isHuman: false)
            },
            GraphQLField("starship", "Starship", [id]) { _, arguments, _ in
                StarWarsData.starship(arguments["id"]?.text ?? "").map { .object(.starship($0)) } ?? .null
            },
        ]

        static let mutations = [
            GraphQLField("createReview", "Review", [episode, GraphQLInput("review", "ReviewInput!")]) {
                _, arguments, store throws(GraphQLFieldProblem) in
                .object(.review(try createReview(arguments, store)))
            }
        ]

        private static let id = GraphQLInput("id", "ID!")
        private static let episode = GraphQLInput("episode", "Episode")
        /// How long a commentary may be: reviews are kept until the server stops.
        private static let longestCommentary = 10_000

        /// - Parameter isHuman: whether it must be a human or a droid; nil for both.
        private static func character(
            _ id: String?, isHuman: Bool? = nil
        ) throws(GraphQLFieldProblem) -> GraphQLResult {
            guard let character = try StarWarsData.character(id ?? "") else { return .null }
            guard isHuman == nil || isHuman == character.isHuman else { return .null }
            return .object(.character(character))
        }

        /// Everything whose name contains the text, in the same case; the characters that fail are not found.
        private static func search(_ text: String) -> [GraphQLResult] {
            let characters = StarWarsData.characters.filter { character in
                character.id < "4000" && character.name.map { $0.contains(text) } ?? false
            }
            return characters.map { .object(.character($0)) }
                + StarWarsData.starships.filter { $0.name.contains(text) }.map { .object(.starship($0)) }
        }

        private static func createReview(
            _ arguments: GraphQLArguments, _ store: GraphQLStore
        ) throws(GraphQLFieldProblem) -> EpisodeReview {
            guard case .int(let stars) = arguments["review"]?["stars"], (0...5).contains(stars) else {
                throw GraphQLFieldProblem(message: "stars must be from 0 to 5.", code: "BAD_USER_INPUT")
            }
            let commentary = arguments["review"]?["commentary"]?.text
            guard commentary.map({ $0.utf8.count <= longestCommentary }) ?? true else {
                throw GraphQLFieldProblem(
                    message: "The commentary is longer than \(longestCommentary) bytes.", code: "BAD_USER_INPUT")
            }
            let review = EpisodeReview(episode: arguments["episode"]?.text, stars: stars, commentary: commentary)
            store.add(review)
            return review
        }
    }
#endif
