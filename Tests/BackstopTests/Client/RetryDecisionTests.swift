import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("What a retry and a handler get to know", .limited)
struct RetryDecisionTests {
    private struct Signing: HTTP.Interceptor {
        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            var request = request
            request.headers["X-Region"] = "north"
            return try await next(request)
        }
    }

    private struct Refusal: APIError {
        static let identifyingKeys = ["reason"]
        let reason: String
    }

    @Test(
        "the decision sees the request as it was sent, with what interceptors further inside add",
        arguments: [true, false])
    func sentRequest(signs: Bool) async throws {
        // given
        let rig = Rig(.status(500), .status(200))
        let policy = try RetryPolicy { $0.request?.headers["X-Region"] == "north" && $0.response?.status == 500 }
        let client = try rig.client {
            Retry(policy)
            if signs {
                Signing()
            }
            StatusValidation()
        }
        // when
        _ = try? await client.get("books")
        // then
        #expect(rig.transport.requests.count == (signs ? 2 : 1))
    }

    @Test("the decision finds the system's error in the transport's")
    func systemError() async throws {
        // given
        let lost = TransportError(.lost, underlying: URLError(.networkConnectionLost))
        let rig = Rig(.failure(lost), .status(200))
        let policy = try RetryPolicy { candidate in
            candidate.error(as: URLError.self)?.code == .networkConnectionLost
                && candidate.error(as: TransportError.self) != nil && candidate.error(as: StatusError.self) == nil
        }
        let client = try rig.client {
            Retry(policy)
            StatusValidation()
        }
        // when
        _ = try await client.get("books") as HTTP.Response
        // then
        #expect(rig.transport.requests.count == 2)
    }

    @Test(
        "a 403 is repeated where it says that calls came too often, after the wait that it names",
        arguments: [
            (["Retry-After": "2"], true), (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2"], true),
            ([:], false), (["Retry-After": "0"], false),
            (["X-RateLimit-Remaining": "5", "X-RateLimit-Reset": "2"], false),
            (["Retry-After": "Mon, 30 Nov 2020 00:00:00 GMT"], false),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1600000000"], false),
        ] as [(HTTP.Headers, Bool)])
    func limit(headers: HTTP.Headers, isRepeated: Bool) async throws {
        // given
        for body in ["", #"{"reason":"slow down"}"#] {
            let rig = Rig(.json(403, body, headers: headers), .status(200))
            // 2023-11-14.
            rig.clock.date = .seconds(1_700_000_000)
            let client = try rig.client {
                Retry()
                StatusValidation()
                APIErrorDecoding(Refusal.self)
            }
            // when
            let response = try? await client.get("books") as HTTP.Response
            // then
            #expect(rig.transport.requests.count == (isRepeated ? 2 : 1))
            #expect(isRepeated == (rig.clock.sleeps.first.map { $0 >= .seconds(2) } ?? false))
            #expect((response != nil) == isRepeated)
        }
        // Also where there is no request to judge, as in a test.
        let made = Failure(StatusError(403, response: HTTP.Response(status: 403, headers: headers)), request: nil)
        #expect(made.isTransient == isRepeated)
    }

    @Test("a Retry-After that is a date counts from the moment of the failure, and never backwards")
    func dates() async throws {
        // given: 1994-11-06 08:49:37 UTC is 784,111,777 s after 1970
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let rig = Rig(
            .status(404, headers: ["Retry-After": date]), .status(404, headers: ["Retry-After": date]))
        let client = try rig.client { StatusValidation() }
        // when
        rig.clock.date = .seconds(784_111_777 - 90)
        let early = await #expect(throws: Failure.self) { try await client.get("books") as HTTP.Response }
        rig.clock.date = .seconds(784_111_777 + 90)
        let late = await #expect(throws: Failure.self) { try await client.get("books") as HTTP.Response }
        // then
        #expect(early?.retryAfter == .seconds(90))
        #expect(late?.retryAfter == .zero)
    }
}
