#if Demo
    import BackstopHash

    /// Documents that are known by a hash or another id.
    struct GraphQLRegistry: Sendable {
        /// How many documents are learned from clients; the oldest go first.
        static let capacity = 1000
        /// How many documents can be registered.
        static let registeredCapacity = 10_000

        /// What clients have sent together with its hash.
        private var learned: [String: String] = [:]
        /// The hashes of what was learned, the oldest first.
        private var order: [String] = []
        /// What was registered before any client asked.
        private var registered: [String: String] = [:]
        /// The bytes of all documents and ids.
        private(set) var bytes = 0

        /// The document with this id; nil when it is not known.
        /// - Parameters:
        ///   - id: A hash, one behind `sha256:`, or any other id.
        ///   - onlyRegistered: Whether what was learned from clients does not count.
        func document(_ id: String, onlyRegistered: Bool) -> String? {
            let hash = id.hasPrefix("sha256:") ? String(id.dropFirst("sha256:".count)) : id
            return registered[id] ?? registered[hash] ?? (onlyRegistered ? nil : learned[hash])
        }

        /// Keeps a document under its hash.
        mutating func learn(_ document: String, hash: String) {
            guard learned.updateValue(document, forKey: hash) == nil else { return }
            order.append(hash)
            bytes += document.utf8.count + hash.utf8.count
            guard order.count > Self.capacity else { return }
            let oldest = order.removeFirst()
            bytes -= (learned.removeValue(forKey: oldest)?.utf8.count ?? 0) + oldest.utf8.count
        }

        /// Keeps a document under an id until the server stops. Returns false when there is no more room.
        mutating func register(_ document: String, id: String) -> Bool {
            guard registered[id] != nil || registered.count < Self.registeredCapacity else { return false }
            if let old = registered.updateValue(document, forKey: id) {
                bytes -= old.utf8.count
            } else {
                bytes += id.utf8.count
            }
            bytes += document.utf8.count
            return true
        }

        /// Forgets what was learned from clients.
        mutating func forget() {
            bytes -= learned.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
            learned.removeAll()
            order.removeAll()
        }

        /// The hash of a document: SHA-256 of its UTF-8 text, in lower-case hexadecimal digits.
        static func hash(of document: String) -> String {
            SHA256.hexDigest(of: document)
        }
    }
#endif
