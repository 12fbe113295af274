#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("The sign-up service through the standard client", .sockets)
    struct SignUpSocketTests {
        struct Availability: Decodable, Equatable, Sendable {
            let isAvailable: Bool
            let userName: String
        }

        struct AvailabilityCall: JSONEndpoint {
            typealias Content = Availability
            let query: [URLQueryItem]

            func makeRequest() throws -> HTTP.Request {
                try HTTP.Request(.get, "isUserNameAvailable", queryItems: query)
            }
        }

        struct Refusal: Sendable {
            let query: [URLQueryItem]
            let status: Int
            let reason: String
            /// 500 may pass by itself, 400 does not.
            let attempts: Int

            init(_ name: String?, _ status: Int, _ reason: String, attempts: Int = 1) {
                query = name.map { [URLQueryItem(name: "userName", value: $0)] } ?? []
                self.status = status
                self.reason = reason
                self.attempts = attempts
            }
        }

        static let refusals = [
            Refusal(nil, 400, "Username parameter missing"),
            Refusal("", 400, "Username must not be empty"),
            Refusal("abc", 400, "Username is too short."),
            Refusal("å1€", 400, "Username is too short."),
            Refusal("admin", 400, "Username is not valid: admin."),
            Refusal("superuser", 400, "Username is not valid: superuser."),
            Refusal("servererror", 500, "The database is corrupted", attempts: 3),
            Refusal("maintenance!", 500, "Temporarily unavailable for maintenance", attempts: 3),
        ]

        @Test("refuses a name with its own reason, after as many attempts as are useful", arguments: refusals)
        func refused(_ refusal: Refusal) async throws {
            try await withServer(.init(retryAfter: 0)) { server in
                let client = try server.client(retry: .quick())
                let failure = try await failed { try await client.send(AvailabilityCall(query: refusal.query)) }
                #expect(failure.code == "service.SignUpError")
                #expect(failure.error(as: SignUpError.self)?.reason == refusal.reason)
                #expect(failure.message.text == refusal.reason)
                #expect(failure.statusCode == refusal.status)
                #expect(failure.attempts.count == refusal.attempts)
                #expect(server.requestCount(of: "/isUserNameAvailable") == refusal.attempts)
            }
        }

        @Test(
            "says whether a name is free",
            arguments: [
                ("peterfriese", false), ("johnnyappleseed", false), ("page", false), ("johndoe", false),
                ("ada.lovelace", true), ("Åsa & Örjan +1", true),
            ])
        func answered(_ name: String, isAvailable: Bool) async throws {
            try await withServer { server in
                let call = AvailabilityCall(query: [URLQueryItem(name: "userName", value: name)])
                let answer = try await server.client(retry: .quick()).send(call)
                #expect(answer == Availability(isAvailable: isAvailable, userName: name))
                #expect(server.requestCount(of: "/isUserNameAvailable") == 1)
            }
        }

        @Test("gets through maintenance with the third attempt")
        func maintenance() async throws {
            try await withServer(.init(retryAfter: 0)) { server in
                let call = AvailabilityCall(query: [URLQueryItem(name: "userName", value: "maintenance")])
                let answer = try await server.client(retry: .quick()).send(call)
                #expect(answer.isAvailable)
                #expect(server.requestCount(of: "/isUserNameAvailable") == 3)
            }
        }

        @Test("does not wait when maintenance takes longer than is accepted, and says so")
        func longMaintenance() async throws {
            try await withServer(.init(retryAfter: 17)) { server in
                let retry = try RetryPolicy(backoff: .none, maximumRetryAfter: .seconds(1))
                let call = AvailabilityCall(query: [URLQueryItem(name: "userName", value: "maintenance")])
                let client = try server.client(retry: retry)
                let failure = try await failed { try await client.send(call) }
                #expect(failure.stopReason == .retryAfterTooLong(asked: .seconds(17), accepted: .seconds(1)))
                #expect(server.requestCount(of: "/isUserNameAvailable") == 1)
            }
        }

        @Test("names the key that an illegal response lacks")
        func illegalResponse() async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let call = AvailabilityCall(query: [URLQueryItem(name: "userName", value: "illegalresponse")])
                let failure = try await failed { try await client.send(call) }
                guard case .decoding(let decoding) = failure.reason else {
                    Issue.record(failure)
                    return
                }
                #expect(decoding.kind == .missingKey)
                #expect(decoding.expected.contains("\"userName\""))
                #expect(failure.attempts.count == 1)
            }
        }
    }
#endif
