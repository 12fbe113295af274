extension TransportConformance.KnownLimits {
    /// What `URLSessionTransport` cannot do on this system.
    ///
    /// ```swift
    /// func checkURLSession() async throws {
    ///     try await TransportConformance.check(knownLimits: .urlSession) { options in
    ///         try URLSessionTransport(responseLimit: options.responseLimit)
    ///     }
    /// }
    /// ```
    /// On Linux these are limits of Foundation and libcurl (Swift 6.3.1), which no code above them can lift; the guide
    /// to transports lists them. Elsewhere there are none that are known.
    public static var urlSession: TransportConformance.KnownLimits {
        #if canImport(FoundationNetworking)
            urlSessionOnLinux
        #else
            [:]
        #endif
    }

    #if canImport(FoundationNetworking)
        private static let urlSessionOnLinux: TransportConformance.KnownLimits = [
            "limits.redirect": .endsProcess(
                "the body of a redirect is kept and copied without a limit: a large one stops all calls of the process"),
            "locations.encodedHost": .endsProcess(
                "a target without a scheme whose host has an encoded delimiter, as `//a%2fb/x`, crashes Foundation"),
            "heads.noReason": "refuses `HTTP/1.1 200` without a space after it",
            "heads.reasonBytes": "refuses a head that is not UTF-8",
            "heads.versionCase": "accepts `http/1.1`",
            "heads.versionForm": "accepts `HTTP/+1.1`",
            "fields.order": "sorts the fields of a response by name",
            "fields.latin1": "refuses a head that is not UTF-8",
            "fields.noSpace": "refuses `Name:value` without a space after the colon",
            "fields.blank": "refuses a value of spaces and tabs only",
            "lengths.largest": .endsProcess("a `Content-Length` near 2^63 crashes Foundation"),
            "trailers.ignored": .endsProcess("trailers crash Foundation"),
            "trailers.framing": .endsProcess("trailers crash Foundation"),
            "trailers.endless": .endsProcess("trailers without end stop all calls of the process for good"),
            "cuts.head.end": .endsProcess("a connection that ends within a head crashes Foundation"),
            "cuts.status": .endsProcess("a connection that ends within a head crashes Foundation"),
            "progress.waiting": "does not report when the request has been sent",
            "progress.connecting": "does not report whether there is a connection",
            "codings.truncated": "returns what could be decoded, as if it were everything",
            "redirects.notFollowed": "drops the body of a 305 and 306",
            "redirects.noLocation": "drops the body of a redirect without a target",
            "redirects.cut": .endsProcess("a connection that ends within a head crashes Foundation"),
            "locations.ipv6": "cannot connect to an IPv6 address",
            "locations.twice": "joins two `Location` fields into one target",
            "requests.headerOrder": "sends fields in an order of its own",
            "targets.ipv6": "cannot connect to an IPv6 address",
            "connections.surplusLate": "takes bytes that arrive on an idle connection for the next response",
            "streams.cut.gzip": "takes what could be decoded for everything",
            "streams.pressure": "reads on, so the stream fails with `transport.overrun` at 16 MiB unread",
            "memory.tinyChunks": .intermittent(
                "needs about 350 bytes for each chunk, and reads nothing else while they come"),
        ]
    #endif
}
