#if Demo
    /// Finds the document that a request means: the one that was sent, or one that is known by its id.
    struct GraphQLDocumentFinder {
        let switches: GraphQLSwitches
        let store: GraphQLStore

        /// The text of the document; one that came with its hash is known from now on.
        /// - Throws: why there is none to execute.
        func document(for request: GraphQLRequest) throws(GraphQLRequestFault) -> String {
            switch switches.apq {
            case .off:
                guard let query = request.query else {
                    throw .badRequest("The query must be a string.", status: switches.refusalStatus)
                }
                return query
            case .unknown:
                guard let query = request.query else {
                    throw GraphQLRequestFault("Internal Server Error", code: "INTERNAL_SERVER_ERROR", status: 500)
                }
                return query
            case .unsupported where request.extensions["persistedQuery"] != nil:
                throw notSupported
            case .on, .unsupported:
                break
            }
            let hash = try persistedHash(request.extensions)
            if switches.isSafelisted {
                guard let id = request.documentId ?? hash else {
                    throw GraphQLRequestFault(
                        "Only registered documents are executed: send a hash or a documentId.",
                        code: "PERSISTED_QUERY_ID_REQUIRED")
                }
                return try known(id)
            }
            if let id = request.documentId {
                guard request.query == nil else { throw .badRequest("Send a query or a documentId, not both.") }
                return try known(id)
            }
            guard let query = request.query else {
                guard let hash else { throw .badRequest("The query must be a string.") }
                return try known(hash)
            }
            guard let hash else { return query }
            guard !switches.missesAlways else { throw miss }
            guard GraphQLRegistry.hash(of: query) == hash else {
                throw .badRequest("provided sha does not match query")
            }
            store.change(switches.registry) { $0.learn(query, hash: hash) }
            return query
        }

        private func known(_ id: String) throws(GraphQLRequestFault) -> String {
            let registry = store.registry(switches.registry)
            guard !switches.missesAlways,
                let document = registry.document(id, onlyRegistered: switches.isSafelisted)
            else { throw miss }
            return document
        }

        /// The hash in `extensions.persistedQuery`; nil when there is no such extension.
        private func persistedHash(_ extensions: GraphQLObject) throws(GraphQLRequestFault) -> String? {
            guard let extensions = extensions["persistedQuery"], extensions != .null else { return nil }
            guard extensions["version"] == .int(1) else {
                throw .badRequest("Unsupported persisted query version")
            }
            guard let hash = extensions["sha256Hash"]?.text, !hash.isEmpty else {
                throw .badRequest("persistedQuery.sha256Hash must be a string.")
            }
            return hash
        }

        // MARK: How a refusal is told

        private var miss: GraphQLRequestFault {
            told("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND", else: "The document is not known.")
        }

        private var notSupported: GraphQLRequestFault {
            told("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED", else: "Send the document itself.")
        }

        /// - Parameter text: the message when only the code tells.
        private func told(_ message: String, _ code: String, else text: String) -> GraphQLRequestFault {
            let message = switches.hasOddCase ? "p" + message.dropFirst().uppercased() : message
            var fault =
                switch switches.miss {
                case .message: GraphQLRequestFault(message)
                case .code: GraphQLRequestFault(text, code: code)
                case .both: GraphQLRequestFault(message, code: code)
                }
            fault.status = switches.missStatus
            fault.hasNullData = switches.missHasData
            return fault
        }
    }
#endif
