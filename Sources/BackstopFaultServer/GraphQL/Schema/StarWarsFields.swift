#if Demo
    /// The fields of everything below the roots.
    enum StarWarsFields {
        static let character = [
            ofCharacter.field("id", "ID!") { .leaf(.string($0.id)) },
            ofCharacter.field("name", "String!") { text($0.name) },
            ofCharacter.field("appearsIn", "[Episode]!") { .list($0.appearsIn.map { .leaf(.string($0)) }) },
            ofCharacter.field("friends", "[Character]") { .list($0.friends.map(friend)) },
            ofCharacter.field("friendsConnection", "FriendsConnection!", paging, resolve: connection),
            ofCharacter.field("secretBackstory", "String") { _ in
                .problem(GraphQLFieldProblem(message: "secretBackstory is secret.", code: "FORBIDDEN"))
            },
        ]

        static let human = [
            ofCharacter.field("homePlanet", "String") { text($0.homePlanet) },
            ofCharacter.field("height", "Float", unit) { length($0.height, $1) },
            ofCharacter.field("mass", "Float") { $0.mass.map { .leaf(.double($0)) } ?? .null },
            ofCharacter.field("starships", "[Starship]") {
                .list($0.starships.compactMap(StarWarsData.starship).map { .object(.starship($0)) })
            },
        ]

        static let droid = [ofCharacter.field("primaryFunction", "String") { text($0.primaryFunction) }]

        static let starship = [
            ofStarship.field("id", "ID!") { .leaf(.string($0.id)) },
            ofStarship.field("name", "String!") { .leaf(.string($0.name)) },
            ofStarship.field("length", "Float", unit) { length($0.length, $1) },
            ofStarship.field("coordinates", "[[Float!]!]") { _ in
                .list([point(1, 2), point(3, 4)])
            },
        ]

        static let review = [
            ofReview.field("episode", "Episode") { text($0.episode) },
            ofReview.field("stars", "Int!") { .leaf(.int($0.stars)) },
            ofReview.field("commentary", "String") { text($0.commentary) },
        ]

        static let connection = [
            ofConnection.field("totalCount", "Int") { .leaf(.int($0.totalCount)) },
            ofConnection.field("edges", "[FriendsEdge]") { .list($0.edges.map { .object(.edge($0)) }) },
            ofConnection.field("friends", "[Character]") { .list($0.edges.map { friend($0.id) }) },
            ofConnection.field("pageInfo", "PageInfo!") { .object(.pageInfo($0)) },
        ]

        static let edge = [
            ofEdge.field("cursor", "ID!") { .leaf(.string($0.cursor)) },
            ofEdge.field("node", "Character") { friend($0.id) },
        ]

        static let pageInfo = [
            ofPageInfo.field("startCursor", "ID") { text($0.edges.first?.cursor) },
            ofPageInfo.field("endCursor", "ID") { text($0.edges.last?.cursor) },
            ofPageInfo.field("hasNextPage", "Boolean!") { .leaf(.bool($0.hasNextPage)) },
        ]

        // MARK: What the fields are asked of

        private static let ofCharacter = StarWarsFieldMaker<StarWarsCharacter> {
            if case .character(let character) = $0 { character } else { nil }
        }
        private static let ofStarship = StarWarsFieldMaker<Starship> {
            if case .starship(let starship) = $0 { starship } else { nil }
        }
        private static let ofReview = StarWarsFieldMaker<EpisodeReview> {
            if case .review(let review) = $0 { review } else { nil }
        }
        private static let ofConnection = StarWarsFieldMaker<FriendsConnection> {
            if case .connection(let connection) = $0 { connection } else { nil }
        }
        private static let ofEdge = StarWarsFieldMaker<FriendsConnection.Edge> {
            if case .edge(let edge) = $0 { edge } else { nil }
        }
        private static let ofPageInfo = StarWarsFieldMaker<FriendsConnection> {
            if case .pageInfo(let connection) = $0 { connection } else { nil }
        }

        // MARK: Values

        private static let unit = [GraphQLInput("unit", "LengthUnit", default: .string("METER"))]
        private static let paging = [GraphQLInput("first", "Int"), GraphQLInput("after", "ID")]
        private static let feetPerMetre = 3.28084

        private static func text(_ text: String?) -> GraphQLResult {
            text.map { .leaf(.string($0)) } ?? .null
        }

        private static func length(_ metres: Double?, _ arguments: GraphQLArguments) -> GraphQLResult {
            guard let metres else { return .null }
            return .leaf(.double(arguments["unit"]?.text == "FOOT" ? metres * feetPerMetre : metres))
        }

        private static func point(_ x: Double, _ y: Double) -> GraphQLResult {
            .list([.leaf(.double(x)), .leaf(.double(y))])
        }

        private static func friend(_ id: String) -> GraphQLResult {
            do throws(GraphQLFieldProblem) {
                return try StarWarsData.character(id).map { .object(.character($0)) } ?? .null
            } catch {
                return .problem(error)
            }
        }

        private static func connection(
            of character: StarWarsCharacter, _ arguments: GraphQLArguments
        ) throws(GraphQLFieldProblem) -> GraphQLResult {
            var first: Int?
            if case .int(let number) = arguments["first"] { first = number }
            return .object(
                .connection(
                    try FriendsConnection(
                        friends: character.friends, first: first, after: arguments["after"]?.text)))
        }
    }

    /// Makes fields of one kind of object.
    struct StarWarsFieldMaker<Payload>: Sendable {
        /// What the object carries; nil when it is of another kind.
        let payload: @Sendable (StarWarsObject) -> Payload?

        init(payload: @escaping @Sendable (StarWarsObject) -> Payload?) {
            self.payload = payload
        }

        /// A field without arguments.
        func field(
            _ name: String, _ type: String, resolve: @escaping @Sendable (Payload) -> GraphQLResult
        ) -> GraphQLField {
            field(name, type, []) { payload, _ in resolve(payload) }
        }

        /// A field with arguments.
        func field(
            _ name: String, _ type: String, _ arguments: [GraphQLInput],
            resolve: @escaping @Sendable (Payload, GraphQLArguments) throws(GraphQLFieldProblem) -> GraphQLResult
        ) -> GraphQLField {
            GraphQLField(name, type, arguments) { object, arguments, _ throws(GraphQLFieldProblem) in
                guard let payload = payload(object) else { return .null }
                return try resolve(payload, arguments)
            }
        }
    }
#endif
