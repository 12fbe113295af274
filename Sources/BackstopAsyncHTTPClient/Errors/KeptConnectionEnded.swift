#if AsyncHTTPClient
    /// A kept connection ended before it brought a byte of the next response.
    struct KeptConnectionEnded: Error {
        /// Whether any of the request was sent.
        let isSent: Bool
    }
#endif
