#if Demo
    /// What the examples of the field have: characters with friends, and reviews.
    enum StarWars {
        /// A field of a type.
        struct Field: Sendable {
            /// As a schema writes it, for example `[Character]`; elements may be null.
            let type: String
            /// The types of the arguments, by name.
            let arguments: [String: String]

            init(_ type: String, _ arguments: [String: String] = [:]) {
                self.type = type
                self.arguments = arguments
            }

            var typeName: String { type.filter(\.isLetter) }
            var isList: Bool { type.hasPrefix("[") }
            var isNonNull: Bool { type.hasSuffix("!") }
        }

        /// An object.
        struct Record: Sendable {
            /// What `__typename` says.
            let type: String
            /// What its plain fields give, as JSON; those that are absent are null.
            var values: [String: String] = [:]
            /// The ids of its friends.
            var friends: [String] = []
            /// Why it cannot be read; nil when it can.
            var problem: GraphQLFault?
        }

        /// What a field gives.
        enum Result {
            case json(String)
            /// All of a list; at most one for a field that is none.
            case records([Record])
        }

        /// The fields of each type.
        static let types: [String: [String: Field]] = [
            "Query": [
                "hero": Field("Character", ["episode": "Episode"]), "human": Field("Human", ["id": "ID!"]),
                "droid": Field("Droid", ["id": "ID!"]), "reviews": Field("[Review]", ["episode": "Episode!"]),
            ],
            "Mutation": ["createReview": Field("Review", ["episode": "Episode", "review": "ReviewInput!"])],
            "Character": character, "Human": character, "Droid": character,
            "Review": ["episode": Field("Episode"), "stars": Field("Int!"), "commentary": Field("String")],
        ]
        static let inputs = ["ReviewInput": ["stars": "Int!", "commentary": "String"]]
        static let episodes = ["NEWHOPE", "EMPIRE", "JEDI"]
        private static let character = [
            "id": Field("ID!"), "name": Field("String!"), "appearsIn": Field("[Episode]!"),
            "friends": Field("[Character]"), "secretBackstory": Field("String"),
        ]

        /// The usual characters, and three that fail: 4001 has no name, 4002 cannot be read, 4000 has both as friends.
        private static let characters = [
            character("1000", "Luke Skywalker", friends: ["1002", "1003", "2000", "2001"]),
            character("1001", "Darth Vader", friends: ["1004"]),
            character("1002", "Han Solo", friends: ["1000", "1003", "2001"]),
            character("1003", "Leia Organa", friends: ["1000", "1002", "2000", "2001"]),
            character("1004", "Wilhuff Tarkin", friends: ["1001"], in: ["NEWHOPE"]),
            character("2000", "C-3PO", friends: ["1000", "1002", "1003", "2001"], type: "Droid"),
            character("2001", "R2-D2", friends: ["1000", "1002", "1003"], type: "Droid"),
            character("4000", "Biggs Darklighter", friends: ["1000", "4001", "4002", "2001"], in: ["NEWHOPE"]),
            character("4001", nil, friends: ["4000"]),
            Record(
                type: "Human", values: ["id": "\"4002\""],
                problem: GraphQLFault("The record 4002 cannot be read.", code: "INTERNAL_SERVER_ERROR")),
        ]

        /// The reviews that a new server knows.
        static let reviews = [
            review("NEWHOPE", 4, "A film that starts in the middle."), review("JEDI", 5, "This is a great movie!"),
            review("JEDI", 3, nil),
        ]

        /// Whether objects of a type are of another one, too.
        static func isType(_ type: String, _ other: String) -> Bool {
            type == other || (other == "Character" && ["Human", "Droid"].contains(type))
        }

        /// What a field of an object gives.
        /// - Parameter reviews: all there are; a mutation adds its own.
        /// - Throws: why it gives nothing.
        static func result(
            of field: String, of record: Record, _ arguments: [String: Any], _ reviews: inout [Record]
        ) throws(GraphQLFault) -> Result {
            let episode = arguments["episode"] as? String
            switch field {
            case "hero":
                return .records(found(episode == "EMPIRE" ? "1000" : "2001"))
            case "human", "droid":
                return .records(found(arguments["id"] as? String ?? "").filter { $0.type.lowercased() == field })
            case "friends":
                return .records(record.friends.flatMap(found))
            case "secretBackstory":
                throw GraphQLFault("secretBackstory is secret.", code: "FORBIDDEN")
            case "reviews":
                return .records(reviews.filter { $0.values["episode"] == episode.map(LiteralJSON.string) })
            case "createReview":
                let input = arguments["review"] as? [String: Any] ?? [:]
                let (stars, commentary) = (input["stars"] as? Int ?? 0, input["commentary"] as? String)
                guard (0...5).contains(stars) else { throw .badInput("stars must be from 0 to 5.") }
                // Reviews are kept until the server stops.
                guard (commentary ?? "").utf8.count <= 10_000 else { throw .badInput("The commentary is too long.") }
                reviews.append(review(episode, stars, commentary))
                return .records(reviews.suffix(1))
            default:
                return .json(record.values[field] ?? "null")
            }
        }

        private static func found(_ id: String) -> [Record] {
            characters.filter { $0.values["id"] == LiteralJSON.string(id) }
        }

        private static func character(
            _ id: String, _ name: String?, friends: [String], in episodes: [String] = episodes, type: String = "Human"
        ) -> Record {
            var values = ["id": LiteralJSON.string(id), "appearsIn": LiteralJSON.strings(episodes)]
            values["name"] = name.map(LiteralJSON.string)
            return Record(type: type, values: values, friends: friends)
        }

        private static func review(_ episode: String?, _ stars: Int, _ commentary: String?) -> Record {
            var values = ["stars": "\(stars)"]
            values["episode"] = episode.map(LiteralJSON.string)
            values["commentary"] = commentary.map(LiteralJSON.string)
            return Record(type: "Review", values: values)
        }
    }
#endif
