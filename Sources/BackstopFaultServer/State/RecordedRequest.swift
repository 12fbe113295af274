#if Demo
    public import Foundation

    /// A request as it has arrived at the server.
    ///
    /// Use it in tests, to see what a client really sent:
    /// ```swift
    /// let server = try await FaultServer.start()
    /// let sent = await server.requests(to: "/echo")
    /// #expect(sent.first?.values(of: "Authorization") == [])
    /// ```
    public struct RecordedRequest: Sendable, Hashable {
        /// The method as sent, for example `GET`.
        public var method: String
        /// The request target as sent, for example `/status/503?retryAfter=2`.
        public var target: String
        /// The path of the target, without the query, for example `/status/503`.
        public var path: String
        /// The header fields: names in lower case, values in the order in which they came.
        public var headers: [String: [String]]
        /// The body, without the framing of chunks; empty when there was none.
        public var body: Data
        /// Whether it arrived at `FaultServer.otherOrigin`.
        public var isOtherOrigin: Bool

        /// The values of a header field; the name may be in any case. Empty when the field was not sent.
        public func values(of name: String) -> [String] {
            headers[name.lowercased()] ?? []
        }
    }
#endif
