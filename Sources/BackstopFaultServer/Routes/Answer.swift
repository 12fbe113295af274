#if Demo
    /// What a route does with a request.
    enum Answer: Sendable {
        /// A well-formed answer, sent at once.
        case response(ServerResponse)
        /// An answer that takes its time or misbehaves. It is cancelled when the client leaves.
        case script(@Sendable (ResponseWriter) async throws -> Ending)
    }

    /// What becomes of the connection after an answer.
    enum Ending: Sendable {
        /// The next request is read.
        case next
        /// It is closed in order (FIN).
        case close
        /// It is reset (RST).
        case reset
    }
#endif
