#if Demo
    /// Finds the document that a request means: the one that was sent, or one that is known by its id.
    struct GraphQLDocumentFinder {
        let switches: GraphQLSwitches
        let store: GraphQLStore

        /// The text of the document; one that came with its hash is known from now on.
        /// - Throws: why there is none to execute.
        func document(for request: GraphQLRequest) throws(GraphQLFault) -> String {
            let noQuery = GraphQLFault.badRequest("The query must be a string.")
            switch switches.apq {
            case .off, .unknown:
                if let query = request.query { return query }
                guard switches.apq == .off else {
                    throw GraphQLFault("Internal Server Error", code: "INTERNAL_SERVER_ERROR", status: 500)
                }
                throw .badRequest(noQuery.message, status: switches.refusalStatus)
            case .unsupported where request.extensions["persistedQuery"] != nil:
                throw told(
                    "PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED", else: "Send the document itself.")
            case .on, .unsupported:
                break
            }
            let hash = try persistedHash(request.extensions)
            if switches.isSafelisted {
                guard let id = request.documentId ?? hash else {
                    throw GraphQLFault(
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
                guard let hash else { throw noQuery }
                return try known(hash)
            }
            guard let hash else { return query }
            guard !switches.missesAlways else { throw miss }
            guard GraphQLStore.hash(of: query) == hash else { throw .badRequest("provided sha does not match query") }
            store.keep(.init(id: hash, text: query), in: switches.registry, isRegistered: false)
            return query
        }

        private func known(_ id: String) throws(GraphQLFault) -> String {
            let known = store.document(id, in: switches.registry, onlyRegistered: switches.isSafelisted)
            guard !switches.missesAlways, let known else { throw miss }
            return known
        }

        /// The hash in `extensions.persistedQuery`; nil when there is no such extension.
        private func persistedHash(_ extensions: [String: Any]) throws(GraphQLFault) -> String? {
            guard let persisted = extensions["persistedQuery"] as? [String: Any] else { return nil }
            guard persisted["version"] as? Int == 1 else { throw .badRequest("Unsupported persisted query version") }
            guard let hash = persisted["sha256Hash"] as? String, !hash.isEmpty else {
                throw .badRequest("persistedQuery.sha256Hash must be a string.")
            }
            return hash
        }

        // MARK: How a refusal is told

        private var miss: GraphQLFault {
            told("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND", else: "The document is not known.")
        }

        /// - Parameter text: the message when only the code tells.
        private func told(_ message: String, _ code: String, else text: String) -> GraphQLFault {
            let message = switches.hasOddCase ? "p" + message.dropFirst().uppercased() : message
            var fault =
                switch switches.miss {
                case .message: GraphQLFault(message, code: nil)
                case .code: GraphQLFault(text, code: code)
                case .both: GraphQLFault(message, code: code)
                }
            fault.status = switches.missStatus
            fault.hasNullData = switches.missHasData
            return fault
        }
    }
#endif
