#if Hummingbird && AsyncHTTPClient && Demo
    import BackstopCore
    import BackstopFaultServer
    import BackstopHummingbird
    import BackstopTestSupport
    import Foundation
    import HTTPTypes
    import Hummingbird
    import HummingbirdTesting
    import InMemoryLogging
    import Logging
    import NIOCore
    import NIOHTTP1
    import Testing

    @Suite("FailureMiddleware, with a server of Hummingbird")
    struct FailureMiddlewareTests {
        private func run(
            _ middleware: FailureMiddleware<BasicRequestContext> = FailureMiddleware(),
            mounting mounts: [FaultServer.Mount] = [],
            routes: (Router<BasicRequestContext>, Client) -> Void = { _, _ in },
            test: @Sendable (Servers) async throws -> Void
        ) async throws {
            try await Servers.run(mounting: mounts) { router, shop in
                router.add(middleware: middleware)
                router.addCall(shop)
                routes(router, shop)
            } test: {
                try await test($0)
            }
        }

        @Test("a handler that fails for its service is answered with problem details, and logged once")
        func failures() async throws {
            try await run { servers in
                let cases: [(target: String, status: Int, code: String, wait: String?)] = [
                    ("/status/500", 502, "status.500", nil), ("/status/404", 502, "status.404", nil),
                    ("/status/429?retryAfter=7", 503, "status.429", "7"),
                    ("/status/503?retryAfter=99999", 503, "status.503", "3600"),
                    ("/status/504", 504, "status.504", nil), ("/reset", 502, "transport.lost", nil),
                    ("/broken-json", 502, "decoding", nil), ("/problem?status=409", 502, "service", nil),
                ]
                for (number, row) in cases.enumerated() {
                    let answer = try await servers.call(row.target)
                    let problem = try answer.problem()
                    #expect(answer.status == row.status, "\(row.target)")
                    #expect(problem.title == StatusError.reasonPhrase(of: row.status))
                    #expect(problem.detail != nil)
                    #expect(problem.instance == "/call")
                    #expect(problem.extensions == ["code": .string(row.code)])
                    #expect(answer.headers["Retry-After"] == row.wait)
                    #expect(servers.lines.count == number + 1)
                    #expect(servers.lines.last?.level == .warning)
                }
                try await servers.call("/books", expecting: 200)
                #expect(servers.lines.count == cases.count)
            }
        }

        @Test("a status that the app passes on stays what it is, without what the service wrote")
        func passed() async throws {
            try await run(FailureMiddleware(passing: [404, 429])) { servers in
                let missing = try await servers.call("/problem?status=404")
                #expect(missing.status == 404)
                let problem = try missing.problem()
                #expect(problem.title == "Not Found")
                #expect(problem.detail == nil)
                #expect(problem.extensions == ["code": "service"])
                #expect(servers.lines.last?.level == .debug)
                let busy = try await servers.call("/status/429?retryAfter=7")
                #expect(busy.status == 429)
                #expect(busy.headers["Retry-After"] == "7")
                try await servers.call("/status/403", expecting: 502)
            }
        }

        @Test("the app's own answer to a failure takes the place of the table's")
        func mapped() async throws {
            let middleware = FailureMiddleware<BasicRequestContext> { failure in
                guard failure.statusCode == 409 else { return nil }
                return HTTPError(.conflict, headers: [.retryAfter: "5"], message: "Somebody was faster.")
            }
            try await run(middleware) { servers in
                let answer = try await servers.call("/problem?status=409")
                #expect(answer.status == 409)
                #expect(try answer.problem().detail == "Somebody was faster.")
                #expect(answer.headers["Retry-After"] == "5")
                try await servers.call("/status/500", expecting: 502)
            }
        }

        @Test("an answer of the app's own that is no error is not taken")
        func mappedToSuccess() async throws {
            try await run(FailureMiddleware { _ in HTTPError(.noContent) }) { servers in
                try await servers.call("/status/500", expecting: 502)
            }
        }

        @Test("nothing of a service reaches the caller, and no secret the log")
        func secrets() async throws {
            let leak = FaultServer.Mount("/internal/") { _ in
                FaultServer.Mount.Response(
                    status: 500, headers: [("X-Stack", "frames"), ("Set-Cookie", "session=hunter2")],
                    body: .data(Data(#"{"password":"hunter3","error":"table users"}"#.utf8)))
            }
            try await run(mounting: [leak]) { router, shop in
                router.get("account/:token") { _, _ in
                    _ = try await shop.get("internal/users?token=hunter4", headers: ["Authorization": "Bearer hunter5"])
                    return "ok"
                }
            } test: { servers in
                let answer = try await servers.send(.get, "/account/hunter6")
                #expect(answer.status == 502)
                let origin = servers.upstream.url.absoluteString.replacingOccurrences(of: "http://", with: "")
                for word in ["internal", "users", "frames", "hunter2", "hunter3", "hunter4", "hunter5", origin] {
                    #expect(!answer.whole.contains(word), "\(word)")
                }
                let line = try #require(servers.lines.first)
                let written = line.message.description + "\(line.metadata)"
                #expect(written.contains("account"))
                #expect(written.contains("status.500"))
                for number in 2...6 {
                    #expect(!written.contains("hunter\(number)"), "\(number)")
                }
            }
        }

        @Test("an HTTPError keeps its status, headers and message")
        func httpError() async throws {
            try await run { router, _ in
                router.get("teapot") { _, _ -> String in
                    throw HTTPError(
                        .unauthorized, headers: [.wwwAuthenticate: "Bearer", .contentLength: "3"],
                        message: "Say \"please\".")
                }
                router.get("moved") { _, _ -> String in throw HTTPError(.found, headers: [.location: "/books"]) }
            } test: { servers in
                let answer = try await servers.send(.get, "/teapot")
                #expect(answer.status == 401)
                #expect(answer.headers["WWW-Authenticate"] == "Bearer")
                let problem = try answer.problem()
                #expect(problem.detail == "Say \"please\".")
                #expect(problem.extensions.isEmpty)
                #expect(servers.lines.map(\.level) == [.debug])
                let missing = try await servers.send(.get, "/nowhere")
                #expect(try missing.problem().title == "Not Found")
                // No error: it leads on.
                let moved = try await servers.send(.get, "/moved")
                #expect(moved.status == 302)
                #expect(servers.lines.count == 2)
            }
        }

        @Test("an error that Hummingbird answers without a body gets problem details, and another keeps its own")
        func responseErrors() async throws {
            try await run { router, _ in
                router.post("small") { request, _ in
                    _ = try await request.body.collect(upTo: 2)
                    return "ok"
                }
                router.get("own") { _, _ -> String in throw Own() }
            } test: { servers in
                let large = try await servers.send(.post, "/small", body: .data(Data("much more".utf8)))
                #expect(large.status == 413)
                #expect(try large.problem().title == "Content Too Large")
                let own = try await servers.send(.get, "/own")
                #expect(own.status == 418)
                #expect(String(decoding: own.body, as: UTF8.self) == "short and stout")
                #expect(servers.lines.map(\.level) == [.debug, .debug])
            }
        }

        @Test("an error of another library that carries the failure of a call is answered and logged as that")
        func carried() async throws {
            struct Carrying: FailureCarrier {
                let carriedFailure: Failure?
            }
            try await run { router, _ in
                router.get("carried") { _, _ -> String in
                    throw Carrying(carriedFailure: Failure(TransportError(.refused)))
                }
            } test: { servers in
                let answer = try await servers.send(.get, "/carried")
                #expect(answer.status == 502)
                #expect(try answer.problem().extensions == ["code": "transport.refused"])
                #expect(servers.lines.map(\.level) == [.warning])
            }
        }

        @Test("an error that a failure would be made of is answered and logged as that failure")
        func meaning() async throws {
            let cases: [(error: any Error, status: Int, code: String, level: Logger.Level)] = [
                (TransportError(.refused), 502, "transport.refused", .warning),
                (StatusError(503), 503, "status.503", .warning),
                (TimeoutError(.attempt), 504, "timeout.attempt", .warning),
                (RequestError(.encoding, "hunter2"), 500, "request.encoding", .error),
            ]
            try await run { router, _ in
                router.get("meaning/:number") { _, context -> String in
                    throw cases[try context.parameters.require("number", as: Int.self)].error
                }
            } test: { servers in
                for (number, row) in cases.enumerated() {
                    let answer = try await servers.send(.get, "/meaning/\(number)")
                    #expect(answer.status == row.status)
                    #expect(try answer.problem().extensions == ["code": .string(row.code)])
                    #expect(!answer.whole.contains("hunter2"))
                }
                #expect(servers.lines.map(\.level) == cases.map(\.level))
            }
        }

        @Test("an error that a failure would be made of keeps an answer of its own")
        func meaningWithAnswer() async throws {
            try await run { router, _ in
                router.get("own") { _, _ -> String in throw OwnMeaning() }
            } test: { servers in
                let answer = try await servers.send(.get, "/own")
                #expect(answer.status == 418)
                #expect(String(decoding: answer.body, as: UTF8.self) == "short and stout")
            }
        }

        @Test("an unknown error is a 500 that says nothing of it, and is logged once, as an error")
        func unknown() async throws {
            try await run { router, _ in
                router.get("broken") { _, _ -> String in throw Broken(table: "users") }
            } test: { servers in
                let answer = try await servers.send(.get, "/broken")
                #expect(answer.status == 500)
                let problem = try answer.problem()
                #expect(problem.detail == nil)
                #expect(problem.extensions.isEmpty)
                #expect(!answer.whole.contains("users"))
                #expect(servers.lines.map(\.level) == [.error])
                #expect(servers.lines.first?.message.description.contains("users") == true)
            }
        }

        @Test("a malformed request is left to Hummingbird, which ends its connection")
        func malformed() async throws {
            try await run { router, _ in
                router.get("malformed") { _, _ -> String in throw HTTPParserError.invalidChunkSize }
            } test: { servers in
                let answer = try await servers.send(.get, "/malformed")
                #expect(answer.status == 400)
                #expect(answer.headers["Connection"] == "close")
                #expect(servers.lines.isEmpty)
            }
        }

        @Test("the answer to HEAD has no body")
        func head() async throws {
            try await run { servers in
                let answer = try await servers.call("/status/500", method: .head)
                #expect(answer.status == 502)
                #expect(answer.mediaType == "application/problem+json")
                #expect(answer.body.isEmpty)
                try await servers.call("/books", expecting: 200)
            }
            // Clients read no body after a HEAD, so the router itself is asked.
            let router = Router()
            router.add(middleware: FailureMiddleware())
            try await Application(router: router).test(.router) { client in
                let answer = try await client.execute(uri: "/nowhere", method: .head)
                #expect(answer.status == .notFound)
                #expect(answer.body.readableBytes == 0)
            }
        }

        @Test("two of them answer and log once, and what is further out sees the status")
        func further() async throws {
            let seen = Notes<Int>()
            try await Servers.run { router, shop in
                router.add(middleware: CORSMiddleware(allowOrigin: .all))
                router.add(middleware: Watching(seen: seen))
                router.add(middleware: FailureMiddleware())
                router.add(middleware: FailureMiddleware())
                router.addCall(shop)
            } test: { servers in
                let answer = try await servers.call("/status/503", headers: ["Origin": "https://example.com"])
                #expect(answer.status == 503)
                #expect(answer.headers["Access-Control-Allow-Origin"] == "*")
                #expect(try answer.problem().extensions == ["code": "status.503"])
                #expect(servers.lines.count == 1)
                _ = try await servers.call("/status/503", method: .head)
                #expect(servers.lines.count == 2)
                #expect(seen.all == [503, 503])
            }
        }

        @Test("a caller that leaves ends the service's call, and is no error in the log")
        func left() async throws {
            try await run { router, shop in
                router.get("wait") { request, _ in
                    try await request.body.consumeWithCancellationOnInboundClose { _ in
                        _ = try await shop.get("hang")
                        return "ok"
                    }
                }
            } test: { servers in
                let caller = Task { try await servers.send(.get, "/wait") }
                await servers.upstream.waitForRequest(to: "/hang")
                caller.cancel()
                await servers.upstream.waitForDisconnection(of: "/hang")
                while servers.lines.isEmpty {
                    await Task.yield()
                }
                #expect(servers.lines.map(\.level) == [.debug])
                #expect(servers.lines.first?.message.description.contains("499") == true)
                _ = await caller.result
            }
        }

        @Test("a failure after the head is logged, and ends the connection")
        func streamed() async throws {
            try await run { router, shop in
                router.get("stream") { _, _ in
                    Response(
                        status: .ok,
                        body: ResponseBody { writer in
                            try await writer.write(ByteBuffer(string: "first"))
                            _ = try await shop.get("status/500")
                            try await writer.finish(nil)
                        })
                }
            } test: { servers in
                await #expect(throws: (any Error).self) { try await servers.send(.get, "/stream") }
                #expect(servers.lines.map(\.level) == [.warning])
                #expect(servers.lines.first?.message.description.contains("failed after its head") == true)
            }
        }

        @Test("two of them log a failure after the head once, also one that is still to be made of an error")
        func streamedThroughTwo() async throws {
            @Sendable func body(_ end: @escaping @Sendable () async throws -> Void) -> Response {
                Response(
                    status: .ok,
                    body: ResponseBody { writer in
                        try await writer.write(ByteBuffer(string: "first"))
                        try await end()
                        try await writer.finish(nil)
                    })
            }
            try await run { router, shop in
                router.add(middleware: FailureMiddleware())
                router.get("failing") { _, _ in body { _ = try await shop.get("status/500") } }
                router.get("broken") { _, _ in body { throw TransportError(.lost) } }
                // One between them reads the body itself, and so comes before the head.
                let inner = router.group().add(middleware: Reading()).add(middleware: FailureMiddleware())
                inner.get("read") { _, _ in body { throw TransportError(.lost) } }
            } test: { servers in
                for (number, path) in ["/failing", "/broken"].enumerated() {
                    await #expect(throws: (any Error).self) { try await servers.send(.get, path) }
                    #expect(servers.lines.count == number + 1)
                    #expect(servers.lines.last?.level == .warning)
                }
                let read = try await servers.send(.get, "/read")
                #expect(read.status == 502)
                #expect(servers.lines.count == 3)
            }
        }
    }

    private struct OwnMeaning: HTTPResponseError, FailureReasonConvertible {
        var classifiedReason: Failure.Reason { .transport(TransportError(.refused)) }
        var status: HTTPResponse.Status { HTTPResponse.Status(code: 418) }
        func response(from request: Request, context: some RequestContext) throws -> Response {
            try Own().response(from: request, context: context)
        }
    }

    private struct Broken: Error {
        let table: String
    }

    private struct Own: HTTPResponseError {
        var status: HTTPResponse.Status { HTTPResponse.Status(code: 418) }
        func response(from request: Request, context: some RequestContext) throws -> Response {
            Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: "short and stout")))
        }
    }

    /// Notes the status of errors, as `TracingMiddleware` does.
    private struct Watching<Context: RequestContext>: RouterMiddleware {
        let seen: Notes<Int>

        func handle(
            _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
        ) async throws -> Response {
            do {
                return try await next(request, context)
            } catch {
                seen.add((error as? any HTTPResponseError)?.status.code ?? 0)
                throw error
            }
        }
    }
#endif
