#if Demo
    /// What one server remembers of GraphQL calls.
    final class GraphQLStore: Sendable {
        private struct Contents {
            var reviews = StarWarsData.reviews
            var registries: [String: GraphQLRegistry] = [:]
        }

        /// How many reviews are kept; the oldest go first.
        private static let reviewCapacity = 1000
        /// How many registries are kept; beyond it, all are forgotten.
        private static let registryCapacity = 1000
        /// How many bytes of documents are kept in all registries; beyond it, all are forgotten.
        private static let documentCapacity = 64 * 1024 * 1024

        /// Guards the reviews and the documents.
        private let contents = Locked(Contents())

        /// The reviews of an episode, the oldest first.
        func reviews(of episode: String) -> [EpisodeReview] {
            contents.withLock { $0.reviews.filter { $0.episode == episode } }
        }

        func add(_ review: EpisodeReview) {
            contents.withLock { contents in
                contents.reviews.append(review)
                if contents.reviews.count > Self.reviewCapacity { contents.reviews.removeFirst() }
            }
        }

        /// What a registry knows; an empty one when the name is new.
        func registry(_ name: String) -> GraphQLRegistry {
            contents.withLock { $0.registries[name] ?? GraphQLRegistry() }
        }

        /// Changes a registry, and makes it when the name is new.
        func change(_ name: String, _ change: (inout GraphQLRegistry) -> Void) {
            contents.withLock { contents in
                if contents.registries[name] == nil, contents.registries.count >= Self.registryCapacity {
                    contents.registries.removeAll()
                }
                change(&contents.registries[name, default: GraphQLRegistry()])
                let bytes = contents.registries.values.reduce(0) { $0 + $1.bytes }
                if bytes > Self.documentCapacity { contents.registries.removeAll() }
            }
        }
    }
#endif
