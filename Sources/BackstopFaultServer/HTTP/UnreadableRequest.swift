#if Demo
    /// Why a request cannot be read: the answer that says so. The connection is of no use afterwards.
    struct UnreadableRequest: Error {
        let status: Int
        let reason: String

        static func malformed(_ reason: String) -> Self { Self(status: 400, reason: reason) }

        static let headTooLong = Self(status: 431, reason: "The header is longer than \(Limits.requestHead) bytes")
        static let bodyTooLong = Self(status: 413, reason: "The body is longer than \(Limits.requestBody) bytes")
    }
#endif
