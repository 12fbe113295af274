#if Demo
    /// How much one request may ask for, so that no client can exhaust the memory.
    enum Limits {
        /// The longest request line and header fields, in bytes.
        static let requestHead = 64 * 1024
        /// The longest body of a request, in bytes.
        static let requestBody = 16 * 1024 * 1024
        /// The longest body of a request that is collected where a longer one is read while it is used, in bytes.
        static let collected = 1024 * 1024
        /// The longest generated document, in bytes.
        static let document = 64 * 1024 * 1024
        /// The longest generated header field, in bytes.
        static let responseHeader = 16 * 1024 * 1024
        /// The longest stream, in bytes: 1 TiB, since it is never held in memory.
        static let stream = 1 << 40
        /// The longest pause, in milliseconds: ten minutes.
        static let pause = 600_000
        /// How many bytes a client may send ahead while it waits for an answer.
        static let sentAhead = 1024 * 1024
        /// How many streams may be open or reserved at once.
        static let streams = 100
        /// How many operations may run on one of them, or on a WebSocket, at once.
        static let operations = 100
        /// How many bytes the id of one may have: it is repeated in each message about it.
        static let operationID = 128
        /// In how many frames a message of a WebSocket may come; they may be empty.
        static let parts = 1024
    }
#endif
