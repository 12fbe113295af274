#if Demo
    /// A human or a droid.
    struct StarWarsCharacter: Sendable {
        let id: String
        /// Nil only for the one whose missing name is an error.
        let name: String?
        let isHuman: Bool
        let friends: [String]
        var appearsIn = ["NEWHOPE", "EMPIRE", "JEDI"]
        var homePlanet: String?
        var height: Double?
        var mass: Double?
        var starships: [String] = []
        var primaryFunction: String?
    }

    /// A ship.
    struct Starship: Sendable {
        let id: String
        let name: String
        /// In metres.
        let length: Double
    }

    /// What someone thinks of an episode.
    struct EpisodeReview: Sendable {
        /// Nil when the review names none.
        let episode: String?
        /// From 0 to 5.
        let stars: Int
        let commentary: String?
    }

    /// The usual examples of the field, and three that fail.
    enum StarWarsData {
        static let episodes = ["NEWHOPE", "EMPIRE", "JEDI"]
        /// The id whose record cannot be read.
        static let unreadable = "4002"

        static let characters = [
            StarWarsCharacter(
                id: "1000", name: "Luke Skywalker", isHuman: true, friends: ["1002", "1003", "2000", "2001"],
                homePlanet: "Tatooine", height: 1.72, mass: 77, starships: ["3001", "3003"]),
            StarWarsCharacter(
                id: "1001", name: "Darth Vader", isHuman: true, friends: ["1004"], homePlanet: "Tatooine", height: 2.02,
                mass: 136, starships: ["3002"]),
            StarWarsCharacter(
                id: "1002", name: "Han Solo", isHuman: true, friends: ["1000", "1003", "2001"], height: 1.8, mass: 80,
                starships: ["3000", "3003"]),
            StarWarsCharacter(
                id: "1003", name: "Leia Organa", isHuman: true, friends: ["1000", "1002", "2000", "2001"],
                homePlanet: "Alderaan", height: 1.5, mass: 49),
            StarWarsCharacter(
                id: "1004", name: "Wilhuff Tarkin", isHuman: true, friends: ["1001"], appearsIn: ["NEWHOPE"],
                height: 1.8),
            StarWarsCharacter(
                id: "2000", name: "C-3PO", isHuman: false, friends: ["1000", "1002", "1003", "2001"],
                primaryFunction: "Protocol"),
            StarWarsCharacter(
                id: "2001", name: "R2-D2", isHuman: false, friends: ["1000", "1002", "1003"],
                primaryFunction: "Astromech"),
            StarWarsCharacter(
                id: "4000", name: "Biggs Darklighter", isHuman: true, friends: ["1000", "4001", unreadable, "2001"],
                appearsIn: ["NEWHOPE"], homePlanet: "Tatooine"),
            StarWarsCharacter(id: "4001", name: nil, isHuman: true, friends: ["4000"]),
        ]

        static let starships = [
            Starship(id: "3000", name: "Millenium Falcon", length: 34.37),
            Starship(id: "3001", name: "X-Wing", length: 12.5),
            Starship(id: "3002", name: "TIE Advanced x1", length: 9.2),
            Starship(id: "3003", name: "Imperial shuttle", length: 20),
        ]

        /// What a new server knows.
        static let reviews = [
            EpisodeReview(episode: "NEWHOPE", stars: 4, commentary: "A film that starts in the middle."),
            EpisodeReview(episode: "JEDI", stars: 5, commentary: "This is a great movie!"),
            EpisodeReview(episode: "JEDI", stars: 3, commentary: nil),
        ]

        static func character(_ id: String) throws(GraphQLFieldProblem) -> StarWarsCharacter? {
            guard id != unreadable else {
                throw GraphQLFieldProblem(
                    message: "The record \(unreadable) cannot be read.", code: "INTERNAL_SERVER_ERROR")
            }
            return characters.first { $0.id == id }
        }

        static func starship(_ id: String) -> Starship? {
            starships.first { $0.id == id }
        }
    }
#endif
