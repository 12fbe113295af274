#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("GraphQL over a WebSocket of the fault server", .sockets)
    struct LiveSocketTests {
        private static let initialization = "{\"type\":\"connection_init\"}"

        private static func counter(_ number: Int, id: String = "1") -> String {
            "{\"id\":\"\(id)\",\"type\":\"next\",\"payload\":{\"data\":{\"counter\":\(number)}}}"
        }

        private static func end(_ id: String = "1") -> String {
            "{\"id\":\"\(id)\",\"type\":\"complete\"}"
        }

        @Test("sends each result of an operation, and its end; several run at once")
        func results() async throws {
            try await withServer { server in
                var socket = try await RawWebSocket.acknowledged(server.url, "count=2")
                try await socket.subscribe("a")
                try await socket.subscribe("b", "subscription { message { text } }")
                var messages: [String] = []
                while messages.count < 6, let message = try await socket.next() { messages.append(message) }
                #expect(
                    messages.filter { $0.contains("\"id\":\"a\"") }
                        == [Self.counter(1, id: "a"), Self.counter(2, id: "a"), Self.end("a")])
                #expect(messages.contains { $0.contains("\"text\":\"Message 2\"") })
                #expect(messages.contains(Self.end("b")))
                await socket.client.close()
            }
        }

        @Test("stops an operation that the client ends, whose id may then be used again")
        func completing() async throws {
            try await withServer { server in
                var socket = try await RawWebSocket.acknowledged(server.url, "count=1000000000")
                try await socket.subscribe()
                #expect(try await socket.next() == Self.counter(1))
                try await socket.send(Self.end())
                try await socket.send("{\"type\":\"ping\"}")
                while let message = try await socket.next(), message != "{\"type\":\"pong\"}" {}
                try await socket.send("{\"type\":\"ping\"}")
                #expect(try await socket.next() == "{\"type\":\"pong\"}")
                try await socket.subscribe()
                #expect(try await socket.next() == Self.counter(1))
                await socket.client.close()
            }
        }

        @Test(
            "is closed for what breaks the rules of the subprotocol",
            arguments: [
                (["{}"], 4400), (["[]"], 4400), (["{\"type\":"], 4400), (["{\"type\":\"start\"}"], 4400),
                ([end(), initialization, "{\"type\":\"subscribe\",\"id\":\"1\"}"], 4400),
                (["{\"type\":\"subscribe\",\"id\":\"1\",\"payload\":{}}"], 4401),
                ([initialization, initialization], 4429),
            ])
        func violations(messages: [String], code: Int) async throws {
            try await withServer { server in
                var socket = try await RawWebSocket(server.url)
                for message in messages { try await socket.send(message) }
                #expect(try await socket.rest().last == "close \(code)")
                await socket.client.close()
            }
        }

        @Test(
            "is closed for an id that is in use, and for too many operations",
            arguments: [(["a", "a"], 4409), (nil, 1008)])
        func operations(ids: [String]?, code: Int) async throws {
            try await withServer { server in
                var socket = try await RawWebSocket.acknowledged(server.url, "ms=600000")
                for id in ids ?? (0...Limits.operations).map(String.init) { try await socket.subscribe(id) }
                #expect(try await socket.rest().last == "close \(code)")
                await socket.client.close()
            }
        }

        @Test(
            "answers what it does not know with errors, and what has no text as a hash that it does not know",
            arguments: [("query { villain }", LiveRoutes.Results.offer), ("", "PersistedQueryNotFound")])
        func unknown(query: String, error: String) async throws {
            try await withServer { server in
                var socket = try await RawWebSocket.acknowledged(server.url)
                try await socket.subscribe("1", query)
                #expect(
                    try await socket.next()
                        == "{\"id\":\"1\",\"type\":\"error\",\"payload\":[{\"message\":\"\(error)\"}]}")
                await socket.client.close()
            }
        }

        @Test("takes ids up to a limit, and is closed for a longer one")
        func longIDs() async throws {
            try await withServer { server in
                let id = String(repeating: "a", count: Limits.operationID)
                var socket = try await RawWebSocket.acknowledged(server.url, "count=0")
                try await socket.subscribe(id)
                #expect(try await socket.next() == Self.end(id))
                try await socket.subscribe(id + "a")
                #expect(try await socket.rest() == ["close 4400"])
                await socket.client.close()
            }
        }

        @Test("answers pings of both kinds, unless it is to be silent", arguments: [false, true])
        func pings(isSilent: Bool) async throws {
            try await withServer { server in
                var socket = try await RawWebSocket(server.url, isSilent ? "silent=1" : "")
                try await socket.send(RawWebSocket.frame(0x89, [0x68, 0x69]))
                try await socket.send("{\"type\":\"ping\"}")
                try await socket.send(Self.initialization)
                if !isSilent {
                    #expect(try await socket.next() == "pong hi")
                    #expect(try await socket.next() == "{\"type\":\"pong\"}")
                }
                #expect(try await socket.next() == "{\"type\":\"connection_ack\"}")
                await socket.client.close()
            }
        }

        @Test("acknowledges never, or late, and takes no operation before", arguments: ["never", "600000"])
        func acknowledgement(ack: String) async throws {
            try await withServer { server in
                var socket = try await RawWebSocket(server.url, "ack=\(ack)")
                try await socket.send(Self.initialization)
                try await socket.send(RawWebSocket.frame(0x89, []))
                #expect(try await socket.next() == "pong ")
                try await socket.subscribe()
                #expect(try await socket.rest() == ["close 4401"])
                await socket.client.close()
            }
        }

        @Test("closes with the code that is asked for, at the beginning or after some results, only the first times")
        func closes() async throws {
            try await withServer { server in
                for frames in [["close 4403"], ["{\"type\":\"connection_ack\"}"]] {
                    var socket = try await RawWebSocket(server.url, "close=4403&times=1&id=a")
                    try await socket.send(Self.initialization)
                    #expect(try await socket.next() == frames.first)
                    await socket.client.close()
                }
                var socket = try await RawWebSocket.acknowledged(server.url, "close=1012&after=2")
                try await socket.subscribe()
                #expect(try await socket.rest() == [Self.counter(1), Self.counter(2), "close 1012"])
                await socket.client.close()
            }
        }

        @Test("has the faults that only a raw client can see")
        func faults() async throws {
            try await withServer { server in
                var late = try await RawWebSocket.acknowledged(server.url, "count=1&fault=late")
                try await late.subscribe()
                #expect(try await late.next() == Self.counter(1))
                #expect(try await late.next() == Self.end())
                #expect(try await late.next()?.contains("\"late\":true") == true)
                await late.client.close()
                var live = try await RawWebSocket.acknowledged(server.url, "count=1&fault=heartbeats")
                try await live.subscribe()
                #expect(try await live.next() == "{\"type\":\"ping\"}")
                #expect(try await live.next() == Self.end())
                await live.client.close()
                // The acknowledgement has 27 bytes with its frame.
                let cut = try await RawWebSocket.acknowledged(server.url, "cut=30")
                try await cut.subscribe()
                #expect(try await cut.client.readToEnd().text.count == 3)
                await cut.client.close()
            }
        }
    }
#endif
