#if AsyncHTTPClient && Demo
    import BackstopAsyncHTTPClient
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    extension FaultServer {
        /// The standard client for this server: it writes no log, waits for nothing between attempts, and has no limit
        /// that a busy machine could reach.
        func client(
            transport: AsyncHTTPClientTransport? = nil, retry: RetryPolicy = .never,
            attemptTimeout: Duration = .seconds(3600), options: CallOptions = CallOptions()
        ) throws -> Client {
            try Client.standard(
                baseURL: url.absoluteString, transport: transport ?? Self.patient.get(), retry: retry,
                attemptTimeout: attemptTimeout, logging: nil, options: options, handling: .silent)
        }

        private static let patient = Result { try AsyncHTTPClientTransport(idleTimeout: .seconds(3600)) }
    }

    /// Sends one request with a transport.
    func fetch(
        _ target: String, method: HTTP.Method = .get, headers: HTTP.Headers = [:], body: HTTP.Body = .none,
        by transport: AsyncHTTPClientTransport = .asyncHTTPClient, context: CallContext = CallContext()
    ) async throws -> HTTP.Response {
        try await transport.send(
            HTTP.Request(method, target, headers: headers, body: body), context: context)
    }

    extension CallContext {
        /// What the transport measured, a line for each request.
        var networkNotes: [String] {
            trace.events.filter { $0.name == "network" }.map(\.text)
        }
    }

    /// A text as the value of a query item.
    func percentEncoded(_ text: String) throws -> String {
        try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }
#endif
