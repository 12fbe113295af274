public import Backstop
public import BackstopCore
internal import BackstopStreams

extension GraphQL.Socket {
    /// Makes a socket of HTTP requests: one stream of server-sent events for all operations (graphql-sse, single
    /// connection mode). It connects with its first operation.
    ///
    /// ```swift
    /// func makeSocket() throws(ConfigurationError) -> GraphQL.Socket {
    ///     try GraphQL.Socket(events: "https://api.example.com/graphql/stream", over: URLSessionTransport())
    /// }
    /// ```
    /// Use it for many subscriptions at once where a server, or a proxy before it, speaks HTTP/1.1 only: with
    /// `.events` each of them takes a connection, of which a proxy allows few.
    /// Otherwise `.events` is simpler, and the right choice over HTTP/2. Pass the socket with
    /// ``BackstopGraphQL/GraphQL/Delivery/events(over:)``.
    ///
    /// A reservation (PUT) gives a token for the stream (GET), an operation begins with a POST and ends with its last event,
    /// or a DELETE. The header fields of a request that a WebSocket would be opened with go with all four, on the same
    /// conditions; there is no payload of `connection_init`. An operation is sent as its text, if it has one. A refused
    /// reservation or stream is the response of each operation that waits for it, and a refused POST that of its
    /// operation, so that tokens are renewed and attempts repeated as over HTTP. An operation whose POST was lost, or
    /// answered with 408 or 5xx, may run, so the server is told to end it; a query or a subscription is repeated, a
    /// mutation is not.
    ///
    /// There are no pings: the server has to send something, such as the comments of graphql-sse every 12 s, or the
    /// connection is lost after the time of `silence`. Whether the server still knows the operations of an open stream
    /// is not noticed. The server keeps what belongs to a token in memory: if it has several instances, all requests of a
    /// client must reach the same one.
    ///
    /// - Parameters:
    ///   - url: The whole URL, with the scheme `https` or `http`.
    ///   - transport: What sends the requests; it must give a response while that arrives, as those of this package do.
    ///   - idle: See ``idle``. Default: 10 s.
    ///   - silence: How long nothing may come over the stream, not even a comment; nil for any time. Default: 60 s, as
    ///     for other streams. Range: more than 0.
    ///   - acknowledge: See ``acknowledge``: for the reservation and the head of the stream. Default: 10 s.
    ///   - longest: See ``longest``, of an event. Default: 1 MiB.
    /// - Throws: `ConfigurationError` for a URL that is none, or a value out of its range.
    public convenience init(
        events url: String, over transport: any HTTP.Transport, idle: Duration = .seconds(10),
        silence: Duration? = .seconds(60), acknowledge: Duration = .seconds(10), longest: Int = 1 << 20
    ) throws(ConfigurationError) {
        try self.init(
            events: url, over: transport, silence: silence,
            options: SocketOptions(idle: idle, ping: nil, acknowledge: acknowledge, longest: longest),
            clock: SystemClock())
    }

    convenience init(
        events url: String, over transport: any HTTP.Transport, silence: Duration?, options: SocketOptions,
        clock: any CallClock
    ) throws(ConfigurationError) {
        let reading = try StreamOptions(silence: silence)
        var options = options
        // Requests may wait in the transport, and have limits of their own.
        options.unwritten = .max
        try self.init(
            url, .http, options: options, clock: clock, initialize: { _ in [:] }
        ) { EventConnection($0, over: transport, clock: clock, options: reading) }
    }
}
