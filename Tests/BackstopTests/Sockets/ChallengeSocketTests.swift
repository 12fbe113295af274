#if Demo
    import Backstop
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("A 401 that asks for credentials", .sockets)
    struct ChallengeSocketTests {
        // URLSession looks for credentials of its own before it hands such an answer over, and may wait for them forever.
        @Test(
            "is a response like any other, in whatever scheme it asks",
            arguments: [
                #"Basic realm="shop""#, #"Bearer realm="shop", error="invalid_token""#,
                #"Digest realm="shop", nonce="7f", qop="auth""#, "Unknown",
            ], [false, true])
        func challenge(scheme: String, hasCredentials: Bool) async throws {
            // given
            let body = #"{"message":"Sign in."}"#
            let server = try RawServer.start(
                sending:
                    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(scheme)\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            let client = try Client.standard(baseURL: server.origin, logging: nil, handling: .silent)
            // when
            let failure = try await failed {
                try await client.get("/cart", headers: hasCredentials ? ["Authorization": "Basic YTpi"] : [:])
            }
            // then
            #expect(failure.code == "status.401")
            #expect(failure.response?.headers["WWW-Authenticate"] == scheme)
            #expect(failure.response?.body == Data(body.utf8))
            #expect(failure.attempts.count == 1)
        }
    }
#endif
