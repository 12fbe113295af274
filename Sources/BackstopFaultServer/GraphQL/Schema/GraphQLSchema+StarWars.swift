#if Demo
    extension GraphQLSchema {
        /// The schema that the examples of the field use:
        /// ```graphql
        /// type Query {
        ///   hero(episode: Episode): Character
        ///   reviews(episode: Episode!): [Review]
        ///   search(text: String): [SearchResult]
        ///   character(id: ID!): Character
        ///   human(id: ID!): Human
        ///   droid(id: ID!): Droid
        ///   starship(id: ID!): Starship
        /// }
        /// type Mutation { createReview(episode: Episode, review: ReviewInput!): Review }
        /// type Subscription { reviewAdded(episode: Episode): Review }
        /// interface Character {
        ///   id: ID!  name: String!  friends: [Character]  appearsIn: [Episode]!  secretBackstory: String
        ///   friendsConnection(first: Int, after: ID): FriendsConnection!
        /// }
        /// type Human implements Character {
        ///   homePlanet: String  height(unit: LengthUnit = METER): Float  mass: Float  starships: [Starship]
        /// }
        /// type Droid implements Character { primaryFunction: String }
        /// type Starship { id: ID!  name: String!  length(unit: LengthUnit = METER): Float  coordinates: [[Float!]!] }
        /// type Review { episode: Episode  stars: Int!  commentary: String }
        /// input ReviewInput { stars: Int!  commentary: String  favoriteColor: ColorInput }
        /// input ColorInput { red: Int!  green: Int!  blue: Int! }
        /// union SearchResult = Human | Droid | Starship
        /// enum Episode { NEWHOPE EMPIRE JEDI }
        /// enum LengthUnit { METER FOOT }
        /// ```
        static let starWars = GraphQLSchema(leaves + inputs + roots + characters + others)

        private static let leaves = [
            GraphQLTypeDefinition("Int", .scalar), GraphQLTypeDefinition("Float", .scalar),
            GraphQLTypeDefinition("String", .scalar), GraphQLTypeDefinition("Boolean", .scalar),
            GraphQLTypeDefinition("ID", .scalar),
            GraphQLTypeDefinition("Episode", .enumeration(StarWarsData.episodes)),
            GraphQLTypeDefinition("LengthUnit", .enumeration(["METER", "FOOT"])),
        ]

        private static let inputs = [
            GraphQLTypeDefinition(
                "ReviewInput",
                .input([
                    GraphQLInput("stars", "Int!"), GraphQLInput("commentary", "String"),
                    GraphQLInput("favoriteColor", "ColorInput"),
                ])),
            GraphQLTypeDefinition(
                "ColorInput",
                .input([GraphQLInput("red", "Int!"), GraphQLInput("green", "Int!"), GraphQLInput("blue", "Int!")])),
        ]

        private static let roots = [
            GraphQLTypeDefinition("Query", .object, fields: StarWarsRoot.queries),
            GraphQLTypeDefinition("Mutation", .object, fields: StarWarsRoot.mutations),
        ]

        private static let characters = [
            GraphQLTypeDefinition("Character", .abstract(["Human", "Droid"]), fields: StarWarsFields.character),
            GraphQLTypeDefinition("Human", .object, fields: StarWarsFields.character + StarWarsFields.human),
            GraphQLTypeDefinition("Droid", .object, fields: StarWarsFields.character + StarWarsFields.droid),
            GraphQLTypeDefinition("SearchResult", .abstract(["Human", "Droid", "Starship"])),
        ]

        private static let others = [
            GraphQLTypeDefinition("Starship", .object, fields: StarWarsFields.starship),
            GraphQLTypeDefinition("Review", .object, fields: StarWarsFields.review),
            GraphQLTypeDefinition("FriendsConnection", .object, fields: StarWarsFields.connection),
            GraphQLTypeDefinition("FriendsEdge", .object, fields: StarWarsFields.edge),
            GraphQLTypeDefinition("PageInfo", .object, fields: StarWarsFields.pageInfo),
        ]
    }
#endif
