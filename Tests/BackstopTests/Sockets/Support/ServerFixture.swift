#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation

    extension FaultServer {
        /// The standard client for this server: it writes no log, waits for nothing between attempts, and has no limit
        /// that a busy machine could reach.
        func client(
            transport: URLSessionTransport? = nil, retry: RetryPolicy = .never,
            attemptTimeout: Duration = .seconds(3600), options: CallOptions = CallOptions(),
            handling: FailureHandling = .silent
        ) throws -> Client {
            try Client.standard(
                baseURL: url.absoluteString, apiError: SignUpError.self,
                transport: transport ?? URLSessionTransport(idleTimeout: .seconds(3600)),
                retry: retry, attemptTimeout: attemptTimeout, logging: nil, options: options, handling: handling)
        }
    }

    /// An endpoint whose whole response is the content.
    struct WholeResponse: Endpoint {
        var method: HTTP.Method = .get
        let target: String
        var headers: HTTP.Headers = [:]
        var body: HTTP.Body = .none

        func makeRequest() throws -> HTTP.Request {
            try HTTP.Request(method, target, headers: headers, body: body)
        }

        func content(from response: HTTP.Response) throws -> HTTP.Response {
            response
        }
    }
#endif
