#if Demo
    import Backstop
    import BackstopGraphQLSocket
    import BackstopSubscriptions
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("GraphQL by a stream of events that operations share, of the fault server", .sockets)
    struct LiveStreamTests {
        /// A stream that is open, and what is sent about it.
        private struct RawStream {
            let url: URL
            let token: String
            let client: RawClient

            init(_ url: URL, _ switches: String = "") async throws {
                self.url = url
                let reservation = try await url.reply(to: "/graphql/stream", method: "PUT")
                #expect(reservation.status == 201)
                token = reservation.body
                client = try await RawClient(url)
                try await client.request("/graphql/stream?\(switches)&token=\(token)")
            }

            func begin(
                _ id: String, _ switches: String = "", query: String = "subscription { counter }"
            ) async throws -> Reply {
                try await url.reply(
                    to: "/graphql/stream?\(switches)", method: "POST",
                    headers: "Content-Type: application/json\r\nX-GraphQL-Event-Stream-Token: \(token)\r\n",
                    body: "{\"query\":\"\(query)\",\"extensions\":{\"operationId\":\"\(id)\"}}")
            }

            func end(_ query: String) async throws -> Int {
                try await url.reply(to: "/graphql/stream?token=\(token)&\(query)", method: "DELETE").status
            }
        }

        private static func next(_ number: Int, id: String = "1") -> String {
            "event: next\ndata: {\"id\":\"\(id)\",\"payload\":{\"data\":{\"counter\":\(number)}}}\n\n"
        }

        private static func complete(_ id: String = "1") -> String {
            "event: complete\ndata: {\"id\":\"\(id)\"}\n\n"
        }

        @Test("brings each result of an operation, and its end; several run at once")
        func results() async throws {
            try await withServer { server in
                let stream = try await RawStream(server.url)
                let head = try await stream.client.read(until: ":\n\n")
                #expect(head.contains("Content-Type: text/event-stream"))
                #expect(try await stream.begin("a", "ms=600000").status == 202)
                #expect(try await stream.client.read(until: Self.next(1, id: "a")).contains(Self.next(1, id: "a")))
                #expect(try await stream.begin("b", "count=2").status == 202)
                let text = try await stream.client.read(until: Self.complete("b"))
                #expect(text.contains(Self.next(1, id: "b")) && text.contains(Self.next(2, id: "b")))
                await stream.client.close()
            }
        }

        @Test("stops an operation that the client ends, whose id may then be used again")
        func ending() async throws {
            try await withServer { server in
                let stream = try await RawStream(server.url)
                _ = try await stream.client.read(until: ":\n\n")
                #expect(try await stream.begin("1", "ms=600000").status == 202)
                #expect(try await stream.begin("1").status == 409)
                #expect(try await stream.end("operationId=1") == 200)
                while try await stream.begin("1", "count=3").status != 202 {}
                #expect(try await stream.client.read(until: Self.complete()).contains(Self.next(3)))
                #expect(try await stream.end("operationId=1") == 200)
                #expect(try await stream.end("") == 400)
                await stream.client.close()
            }
        }

        @Test("opens once for a token, which goes with it")
        func token() async throws {
            try await withServer { server in
                let stream = try await RawStream(server.url)
                _ = try await stream.client.read(until: ":\n\n")
                let target = "/graphql/stream?token=\(stream.token)"
                #expect(try await server.url.reply(to: target).status == 409)
                await stream.client.close()
                #expect(await server.waitForDisconnection(of: "/graphql/stream"))
                #expect(try await server.url.reply(to: target).status == 404)
                #expect(try await stream.begin("1").status == 404)
                #expect(try await stream.end("operationId=1") == 404)
            }
        }

        @Test(
            "refuses an operation that it cannot begin",
            arguments: [
                ("1", "", "query { villain }", LiveRoutes.Results.offer),
                ("1", "fault=refused", "subscription { counter }", LiveRoutes.Results.offer),
                (String(repeating: "a", count: Limits.operationID + 1), "", "subscription { counter }", "operationId"),
            ])
        func refusals(id: String, switches: String, query: String, error: String) async throws {
            try await withServer { server in
                let stream = try await RawStream(server.url)
                _ = try await stream.client.read(until: ":\n\n")
                let reply = try await stream.begin(id, switches, query: query)
                #expect(reply.status == 400)
                #expect(reply.body.contains(error))
                await stream.client.close()
            }
        }

        @Test("takes so many operations at once and no more")
        func operations() async throws {
            try await withServer { server in
                let stream = try await RawStream(server.url)
                _ = try await stream.client.read(until: ":\n\n")
                for number in 1...Limits.operations {
                    #expect(try await stream.begin("\(number)", "ms=600000").status == 202)
                }
                #expect(try await stream.begin("more").status == 503)
                await stream.client.close()
            }
        }

        @Test("says which methods there are to another one")
        func methods() async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: "/graphql/stream", method: "PATCH")
                #expect(reply.status == 405)
                #expect(reply.headers["allow"] == "PUT, GET, POST, DELETE")
            }
        }

        // MARK: As a client sees it

        private struct Counter: GraphQL.Operation {
            struct Data: Decodable, Sendable { var counter: Int }
            var document = GraphQL.Document(text: "subscription Counter { counter }")
        }

        private static func subscribe(
            _ server: FaultServer, _ switches: String, attempts: Int = 1,
            sameAs: (@Sendable (Counter.Data) -> String?)? = nil
        ) async throws -> (numbers: [Int], code: String?) {
            // Its own transport is not used.
            let client = try Client(baseURL: server.url.absoluteString, transport: ScriptedTransport()) {
                Retry(try RetryPolicy(attempts: attempts, backoff: .none))
                Decoding()
                StatusValidation()
                AttemptTimeout(.seconds(600))
            }
            let socket = try GraphQL.Socket(
                events: "\(server.url.absoluteString)/graphql/stream?\(switches)",
                over: URLSessionTransport(idleTimeout: .seconds(600)), silence: nil, acknowledge: .seconds(600))
            var numbers: [Int] = []
            do throws(Failure) {
                let results = try await client.subscribe(Counter(), by: .events(over: socket), sameAs: sameAs)
                for try await result in results { numbers.append(result.data.counter) }
            } catch {
                return (numbers, error.code)
            }
            return (numbers, nil)
        }

        @Test(
            "gives its results, and then the failure that belongs to the fault",
            arguments: [
                ("count=3", [1, 2, 3], nil), ("count=0", [], nil), ("count=2&fault=heartbeats", [], nil),
                ("count=2&fault=late", [1, 2], nil), ("count=2&fault=twice", [1, 1, 2, 2], nil),
                ("count=2&fault=unfinished", [1, 2], "transport.lost"),
                ("fault=fatal", [1, 2], "service.graphQL.errors"),
                ("fault=null", [1], "service.graphQL.errors"), ("fault=refused", [], "status.400"),
                ("cut=150", [1, 2], "transport.lost"), ("cut=150&how=reset", nil, "transport.lost"),
            ] as [(String, [Int]?, String?)])
        func faults(switches: String, numbers: [Int]?, code: String?) async throws {
            try await withServer { server in
                let seen = try await Self.subscribe(server, switches)
                // A reset may overtake the results.
                #expect(seen.numbers == numbers ?? seen.numbers)
                #expect(seen.code == code)
            }
        }

        @Test("goes on after each cut, with each result once")
        func cuts() async throws {
            try await withServer { server in
                let seen = try await Self.subscribe(
                    server, "count=9&again=2&cut=200&times=3&id=a", attempts: 3
                ) { "\($0.counter)" }
                #expect(seen.numbers == Array(1...9))
                #expect(seen.code == nil)
                let opened = await server.requests(to: "/graphql/stream").count { $0.method == "GET" }
                #expect(opened == 4)
            }
        }
    }
#endif
