#if Observability
    internal import BackstopCore

    /// The objects of one metric, one for each set of labels, each looked up in the backend once.
    ///
    /// A server has at most `limit` sets; what is beyond is counted in one set whose labels are all `_OTHER`. So a server
    /// that chooses labels, for example by its error codes, fills only its own share.
    final class Series<Handle: AnyObject & Sendable>: Sendable {
        private let limit: Int
        private let names: [String]
        private let make: @Sendable ([(String, String)]) -> Handle
        /// The objects by the server's number and the values of the labels, guarded by the lock. The backend never runs
        /// under it.
        private let handles = Lock<[Int: [[String]: Handle]]>([:])

        /// Makes an empty series.
        ///
        /// - Parameters:
        ///   - names: The names of the labels that come before those of the server.
        ///   - limit: How many sets of labels a server has.
        ///   - make: Looks an object up in the backend.
        init(_ names: [String], limit: Int, make: @escaping @Sendable ([(String, String)]) -> Handle) {
            self.names = names
            self.limit = limit
            self.make = make
        }

        /// The object for a server and the values of the labels.
        func of(_ server: ServerLabels, _ values: [String] = []) -> Handle {
            let (found, isFull) = handles.withLock { handles -> (Handle?, Bool) in
                let own = handles[server.number]
                return (own?[values], own?.count ?? 0 >= limit)
            }
            if let found {
                return found
            }
            let rest = names.map { _ in Label.other }
            guard !isFull || values == rest else {
                return of(server, rest)
            }
            let new = make(Array(zip(names, values)) + server.labels)
            let kept = handles.withLock { handles -> Handle? in
                if let first = handles[server.number]?[values] {
                    return first
                }
                // Others may have filled it meanwhile.
                guard handles[server.number]?.count ?? 0 < limit || values == rest else {
                    return nil
                }
                handles[server.number, default: [:]][values] = new
                return new
            }
            return kept ?? of(server, rest)
        }
    }
#endif
