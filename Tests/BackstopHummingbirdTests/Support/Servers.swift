#if Hummingbird && AsyncHTTPClient && Demo
    import BackstopAsyncHTTPClient
    import BackstopFaultServer
    import BackstopHummingbird
    import BackstopTestSupport
    import Foundation
    import HTTPTypes
    import Hummingbird
    import HummingbirdTesting
    import InMemoryLogging
    import Logging
    import Testing

    /// A server of Hummingbird, whose handlers call a fault server.
    struct Servers: Sendable {
        /// The service that handlers call.
        let upstream: FaultServer
        /// The origin of the server.
        let url: String
        /// What the server wrote.
        let log: InMemoryLogHandler

        /// The lines about failed requests.
        var lines: [InMemoryLogHandler.Entry] {
            log.entries.filter {
                $0.message.description.contains(" was answered with ")
                    || $0.message.description.contains(" failed after ")
            }
        }

        /// Sends a request to the server, and returns whatever it answers.
        func send(
            _ method: HTTP.Method = .get, _ path: String = "/call", headers: HTTP.Headers = [:],
            body: HTTP.Body = .none
        ) async throws -> HTTP.Response {
            try await Self.transport.get().send(
                HTTP.Request(method, url + path, headers: headers, body: body), context: CallContext())
        }

        /// Has the handler of `/call` get something from the service.
        func call(_ target: String, headers: HTTP.Headers = [:], method: HTTP.Method = .get) async throws
            -> HTTP.Response
        {
            var headers = headers
            headers["X-Target"] = target
            return try await send(method, headers: headers)
        }

        /// The same, where only the status counts.
        func call(
            _ target: String, expecting status: Int, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let answer = try await call(target)
            #expect(answer.status == status, sourceLocation: sourceLocation)
        }

        /// Posts something to the server, which it takes.
        func post(
            _ path: String, headers: HTTP.Headers, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let answer = try await send(.post, path, headers: headers)
            #expect(answer.status == 200, sourceLocation: sourceLocation)
        }

        /// One for all tests, with no limit that a busy machine could reach.
        static let transport = Result { try AsyncHTTPClientTransport(maximumRedirects: 0, idleTimeout: .seconds(3600)) }

        /// Runs a test against both, and stops them.
        ///
        /// - Parameters:
        ///   - mounts: Routes of the service.
        ///   - options: The options of the handlers' calls.
        ///   - routes: Adds what is tested. The client neither retries nor writes, and calls the service.
        static func run(
            mounting mounts: [FaultServer.Mount] = [], options: CallOptions = CallOptions(),
            routes: (Router<BasicRequestContext>, Client) throws -> Void,
            test: @Sendable (Servers) async throws -> Void
        ) async throws {
            try await withServer(mounting: mounts) { upstream in
                let shop = try Client.standard(
                    baseURL: upstream.url.absoluteString, transport: transport.get(), retry: .never,
                    attemptTimeout: .seconds(3600), logging: nil, options: options)
                let router = Router(options: .autoGenerateHeadEndpoints)
                try routes(router, shop)
                var log = InMemoryLogHandler()
                log.logLevel = .debug
                let application = Application(router: router, logger: Logger(label: "test") { [log] _ in log })
                try await application.test(.ahc(.http)) { [log] client in
                    let port = try #require(client.port)
                    try await test(Servers(upstream: upstream, url: "http://localhost:\(port)", log: log))
                }
            }
        }
    }

    extension Router<BasicRequestContext> {
        /// Adds the route `/call`, which gets what the request asks for.
        func addCall(_ shop: Client) {
            get("call") { request, _ in
                let target = request.headers[try #require(HTTPField.Name("X-Target"))] ?? "/books"
                _ = try await shop.get(target, as: JSONValue.self)
                return "ok"
            }
        }
    }

    /// Reads the body of a response before it is sent.
    struct Reading<Context: RequestContext>: RouterMiddleware {
        private struct Writer: ResponseBodyWriter {
            mutating func write(_ buffer: ByteBuffer) async throws {}
            consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
        }

        func handle(
            _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
        ) async throws -> Response {
            let response = try await next(request, context)
            try await response.body.write(Writer())
            return response
        }
    }

    extension HTTP.Response {
        /// The problem details; the test fails where it has none.
        func problem() throws -> ProblemDetails {
            #expect(ProblemDetails.isCarried(by: self))
            let problem = try JSONDecoder().decode(ProblemDetails.self, from: body)
            #expect(problem.status == status)
            #expect(problem.type == "about:blank")
            return problem
        }

        /// Everything that was sent.
        var whole: String {
            headers.map { "\($0.name): \($0.value)\n" }.joined() + String(decoding: body, as: UTF8.self)
        }
    }
#endif
