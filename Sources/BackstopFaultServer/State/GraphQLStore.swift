#if Demo
    import BackstopHash

    /// What one server remembers of GraphQL calls: reviews, and the documents that are known by a hash or another id.
    final class GraphQLStore: Sendable {
        private struct Contents {
            var reviews = StarWars.reviews
            /// What was registered, and what was learned from clients, by registry and id.
            var registered: [String: [String: Document]] = [:]
            var learned: [String: [String: Document]] = [:]
            var size = 0
        }

        /// A document with the id by which it is known.
        struct Document {
            let id: String
            let text: String
            /// What it counts for: its place takes memory, too.
            var size: Int { id.utf8.count + text.utf8.count + 1024 }
        }

        /// How many reviews are kept; the oldest go first.
        private static let reviewCapacity = 1000
        /// How many bytes of documents are kept; beyond it, all are forgotten.
        static let documentCapacity = 64 * 1024 * 1024

        /// Guards the reviews and the documents.
        private let contents = Locked(Contents())

        /// The reviews, the oldest first.
        var reviews: [StarWars.Record] { contents.withLock { $0.reviews } }

        func add(_ reviews: some Collection<StarWars.Record>) {
            contents.withLock { $0.reviews = ($0.reviews + reviews).suffix(Self.reviewCapacity) }
        }

        /// The document with this id; nil when it is not known.
        /// - Parameters:
        ///   - id: A hash, one behind `sha256:`, or any other id.
        ///   - onlyRegistered: Whether what was learned from clients does not count.
        func document(_ id: String, in registry: String, onlyRegistered: Bool) -> String? {
            let hash = id.hasPrefix("sha256:") ? String(id.dropFirst("sha256:".count)) : id
            let (registered, learned) = contents.withLock { ($0.registered[registry], $0.learned[registry]) }
            let known = registered?[id] ?? registered?[hash] ?? (onlyRegistered ? nil : learned?[hash])
            return known?.text
        }

        /// Keeps a document: one that a client has sent, or one that was registered.
        func keep(_ document: Document, in registry: String, isRegistered: Bool) {
            let documents: WritableKeyPath<Contents, [String: [String: Document]]> =
                isRegistered ? \.registered : \.learned
            contents.withLock { contents in
                contents.size += document.size
                if contents.size > Self.documentCapacity {
                    (contents.registered, contents.learned, contents.size) = ([:], [:], document.size)
                }
                let old = contents[keyPath: documents][registry, default: [:]]
                    .updateValue(document, forKey: document.id)
                contents.size -= old?.size ?? 0
            }
        }

        /// Forgets what was learned from clients.
        func forgetLearned(in registry: String) {
            contents.withLock { contents in
                let forgotten = contents.learned.removeValue(forKey: registry) ?? [:]
                contents.size -= forgotten.values.reduce(0) { $0 + $1.size }
            }
        }

        /// The hash of a document: SHA-256 of its UTF-8 text, in lower-case hexadecimal digits.
        static func hash(of document: String) -> String {
            SHA256.hexDigest(of: document)
        }
    }
#endif
