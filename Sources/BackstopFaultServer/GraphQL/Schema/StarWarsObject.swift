#if Demo
    import Foundation

    /// What a field is asked of: an object of the schema.
    enum StarWarsObject: Sendable {
        case query
        case mutation
        case character(StarWarsCharacter)
        case starship(Starship)
        case review(EpisodeReview)
        case connection(FriendsConnection)
        case edge(FriendsConnection.Edge)
        case pageInfo(FriendsConnection)

        /// What `__typename` says.
        var typeName: String {
            switch self {
            case .query: "Query"
            case .mutation: "Mutation"
            case .character(let character): character.isHuman ? "Human" : "Droid"
            case .starship: "Starship"
            case .review: "Review"
            case .connection: "FriendsConnection"
            case .edge: "FriendsEdge"
            case .pageInfo: "PageInfo"
            }
        }
    }

    /// Some of the friends of a character, in pages.
    struct FriendsConnection: Sendable {
        /// A friend and the place in the list.
        struct Edge: Sendable {
            let id: String
            let cursor: String
        }

        let totalCount: Int
        let edges: [Edge]
        let hasNextPage: Bool

        /// - Parameters:
        ///   - first: How many at most; nil for all.
        ///   - after: The cursor of the edge before; nil for the beginning.
        init(friends: [String], first: Int?, after: String?) throws(GraphQLFieldProblem) {
            guard first.map({ $0 >= 0 }) ?? true else {
                throw GraphQLFieldProblem(message: "first must not be below 0.", code: "BAD_USER_INPUT")
            }
            let all = friends.enumerated().map { Edge(id: $0.element, cursor: Self.cursor($0.offset + 1)) }
            var rest = all[...]
            if let after {
                guard let index = all.firstIndex(where: { $0.cursor == after }) else {
                    throw GraphQLFieldProblem(message: "after is no cursor of this list.", code: "BAD_USER_INPUT")
                }
                rest = all[(index + 1)...]
            }
            edges = Array(rest.prefix(first ?? rest.count))
            totalCount = friends.count
            hasNextPage = edges.count < rest.count
        }

        private static func cursor(_ number: Int) -> String {
            Data("cursor\(number)".utf8).base64EncodedString()
        }
    }
#endif
