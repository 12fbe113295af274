#if Demo
    /// What a route does with a request.
    enum Answer: Sendable {
        /// A well-formed answer, sent at once.
        case response(ServerResponse)
        /// An answer that takes its time or misbehaves. It is cancelled when the client leaves.
        case script(@Sendable (ResponseWriter) async throws -> Ending)
        /// The connection becomes a WebSocket, with these header fields; what has come behind the request belongs to it.
        /// The ending is nil when the client left.
        case webSocket(
            headers: [(name: String, value: String)],
            serve: @Sendable (_ connection: Connection, _ rest: [UInt8]) async -> Ending?)
    }

    /// What becomes of the connection after an answer.
    package enum Ending: Sendable {
        /// The next request is read.
        case next
        /// It is closed in order (FIN).
        case close
        /// It is reset (RST).
        case reset
    }
#endif
