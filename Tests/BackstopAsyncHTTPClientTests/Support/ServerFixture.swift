#if AsyncHTTPClient && Demo
    import BackstopAsyncHTTPClient
    import BackstopFaultServer
    import Foundation
    import Testing

    extension FaultServer {
        /// The whole URL of a target, such as `/status/503?retryAfter=2`.
        func target(_ target: String) -> String {
            url.absoluteString + target
        }

        /// The standard client for this server: it writes no log, waits for nothing between attempts, and has no limit
        /// that a busy machine could reach.
        func client(
            transport: AsyncHTTPClientTransport? = nil, retry: RetryPolicy = .never,
            attemptTimeout: Duration = .seconds(3600), options: CallOptions = CallOptions()
        ) throws -> Client {
            try Client.standard(
                baseURL: url.absoluteString, transport: transport ?? Self.patient.get(), retry: retry,
                attemptTimeout: attemptTimeout,
                logging: nil, options: options, handling: .silent)
        }

        private static let patient = Result { try AsyncHTTPClientTransport(idleTimeout: .seconds(3600)) }

        /// The only request to a path; the test fails when there is none, or more than one.
        func onlyRequest(to path: String) async throws -> RecordedRequest {
            let requests = await requests(to: path)
            #expect(requests.count == 1)
            return try #require(requests.first)
        }
    }

    extension RetryPolicy {
        /// Three attempts without waits, for servers on this machine.
        static func quick(attempts: Int = 3) throws -> RetryPolicy {
            try RetryPolicy(attempts: attempts, backoff: .none)
        }
    }

    extension FailureHandling {
        /// Handling that writes nothing: the failures in these tests are wanted.
        static var silent: FailureHandling {
            var handling = FailureHandling()
            handling.log = SilentLog()
            return handling
        }
    }

    private struct SilentLog: LogSink {
        func isEnabled(_ level: LogLevel) -> Bool { false }
        func write(_ entry: LogEntry) {}
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

    /// The failure that a call ends with; the test fails when there is none.
    func failed<Value>(_ call: () async throws -> Value) async throws -> Failure {
        do {
            _ = try await call()
        } catch let failure as Failure {
            return failure
        }
        throw MissingFailure()
    }

    /// A text as the value of a query item.
    func percentEncoded(_ text: String) throws -> String {
        try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }

    private struct MissingFailure: Error, CustomStringConvertible {
        let description = "The call gave a value where a failure was expected."
    }
#endif
