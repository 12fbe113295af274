import Backstop
import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A rate limit of a response", .limited)
struct RateLimitTests {
    /// 2013-07-01 17:47:53 UTC, as in the documents of GitHub.
    private static let now = Duration.seconds(1_372_700_873)

    private func reset(_ headers: HTTP.Headers) -> Duration? {
        HTTP.Response(status: 429, headers: headers).rateLimitReset(now: Self.now)
    }

    private static let usedUp: [(HTTP.Headers, Duration)] = [
        // The draft, as it is and as it was.
        (["RateLimit": "\"default\";r=0;t=30"], .seconds(30)),
        (["RateLimit": " \"hour\" ; r=0 ; t=3600 "], .seconds(3600)),
        (["ratelimit": "default;t=7;r=0;pk=:cHJveHk=:"], .seconds(7)),
        (["RateLimit": "\"a;r=9,b\\\"\";r=0;t=5"], .seconds(5)),
        (["RateLimit": "\"burst\";r=0;t=2, \"day\";r=0;t=50, \"month\";r=9;t=99999"], .seconds(50)),
        (["RateLimit": "limit=100, remaining=0, reset=30"], .seconds(30)),
        (["RateLimit": "limit=100;w=60, Remaining=0;x=1, reset=30;y"], .seconds(30)),
        (["RateLimit-Limit": "100", "RateLimit-Remaining": "0", "RateLimit-Reset": "30"], .seconds(30)),
        (["RateLimit-Remaining": "0", "RateLimit-Reset": "0"], .zero),
        // A moment, a wait, and a moment in milliseconds.
        (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1372700933"], .seconds(60)),
        (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1372700933000"], .seconds(60)),
        (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "60"], .seconds(60)),
        (["x-rate-limit-remaining": "0", "x-rate-limit-reset": "1372700933"], .seconds(60)),
        (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1372700000"], .zero),
        (
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1372700999", "X-RateLimit-Reset-After": "1.5"],
            .milliseconds(1500)
        ),
        (["X-RateLimit-Remaining": "0.0", "X-RateLimit-Reset": "12"], .seconds(12)),
    ]

    @Test("that is used up says how long", arguments: usedUp)
    func exhausted(headers: HTTP.Headers, wanted: Duration) {
        #expect(reset(headers) == wanted)
    }

    @Test(
        "and when to come back are told by the server's clock where this one is wrong",
        arguments: [
            (["Date": "Mon, 01 Jul 2013 17:47:53 GMT"], -300, 60), (["Date": "Mon, 01 Jul 2013 17:47:53 GMT"], 300, 60),
            (["Date": "Mon, 01 Jul 2013 17:47:53 GMT"], -31, 60), (["Date": "Mon, 01 Jul 2013 17:47:53 GMT"], 31, 60),
            (["Date": "Mon, 01 Jul 2013 17:47:53 GMT"], 30, 60), (["Date": "Mon, 01 Jul 2013 17:47:53 GMT"], -30, 60),
            // A cache had the response for 20 s.
            (["Date": " Mon, 01 Jul 2013 17:46:53 GMT ", "Age": "20"], 0, 100),
            (["Date": "Mon, 01 Jul 2013 17:46:53 GMT", "Age": "-20"], 0, 120),
            (["Age": "20"], 0, 60), (["Date": "noon"], -300, 360),
            (["Date": "Mon, 01 Jul 2013 17:47:53 GMT", "Age": "99999999999999999999"], 0, 0),
        ] as [(HTTP.Headers, Int, Int)])
    func serverTime(headers: HTTP.Headers, deviceOffset: Int, wanted: Int) {
        let now = Self.now + .seconds(deviceOffset)
        var headers = headers
        headers["X-RateLimit-Remaining"] = "0"
        headers["X-RateLimit-Reset"] = "1372700933"
        headers["Retry-After"] = "Mon, 01 Jul 2013 17:48:53 GMT"
        let response = HTTP.Response(status: 429, headers: headers)
        #expect(response.rateLimitReset(now: now)?.seconds.rounded() == Double(wanted))
        #expect(response.retryAfter(now: now) == .seconds(wanted))
        headers["Retry-After"] = "7"
        #expect(HTTP.Response(status: 429, headers: headers).retryAfter(now: now) == .seconds(7))
    }

    private static let unsaid: [HTTP.Headers] = [
        [:], ["RateLimit": "\"default\";r=5;t=30"], ["RateLimit": "\"default\";r=0"], ["RateLimit": "\"default\";t=30"],
        ["RateLimit": "limit=100, remaining=1, reset=30"], ["RateLimit": "limit=100, reset=30"],
        ["RateLimit-Remaining": "1", "RateLimit-Reset": "30"], ["RateLimit-Reset": "30"], ["RateLimit-Remaining": "0"],
        ["X-RateLimit-Remaining": "10", "X-RateLimit-Reset": "1372700933"], ["X-RateLimit-Limit": "0"],
        ["RateLimit-Policy": "\"default\";q=0;w=60"],
    ]

    @Test("that has requests left, or is not said, is no hint", arguments: unsaid)
    func silent(headers: HTTP.Headers) {
        #expect(reset(headers) == nil)
    }

    @Test(
        "that is malformed is no hint",
        arguments: [
            "", " ", "-1", "+5", "1e9", "0x10", "soon", "1_5", "1.", ".5", "1.2.3", "NaN", "inf", "١٢", "5 s",
        ])
    func malformed(value: String) {
        #expect(reset(["RateLimit-Remaining": "0", "RateLimit-Reset": "\(value)"]) == nil)
        #expect(reset(["RateLimit": "\"default\";r=0;t=\(value)"]) == nil)
        #expect(reset(["RateLimit-Remaining": "\(value)", "RateLimit-Reset": "30"]) == nil)
    }

    @Test(
        "is clamped where nobody can count it, as Retry-After is, however many digits there are",
        arguments: [
            "2147483648", "99999999999999999999", "123456789012345678901", String(repeating: "9", count: 100_000),
        ])
    func clamped(value: String) {
        #expect(
            HTTP.Response(status: 429, headers: ["Retry-After": "\(value)"]).retryAfter(now: Self.now)
                == .seconds(2_147_483_648 as Int64))
        #expect(reset(["RateLimit": "\"default\";r=0;t=\(value)"]) == .seconds(2_147_483_648 as Int64))
        #expect(reset(["RateLimit-Remaining": "0", "RateLimit-Reset": "\(value)"]) == .seconds(2_147_483_648 as Int64))
        #expect(
            HTTP.Response(status: 429, headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9999999999"])
                .rateLimitReset(now: .seconds(Int64.min)) == .seconds(2_147_483_648 as Int64))
        #expect(
            HTTP.Response(status: 429, headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9999999999"])
                .rateLimitReset(now: .seconds(Int64.max)) == .zero)
    }

    @Test("is never read beyond a thousand bytes, whatever the server sends", arguments: Seed.ofRun)
    func hostile(seed: Seed) {
        // given: bytes that mean something, in any order
        var random = seed.numbers
        let alphabet = Array("\"\\;,=rt0159. remaining")
        for _ in 0..<300 {
            let text = String((0..<random.below(3000)).map { _ in alphabet[random.below(alphabet.count)] })
            var headers: HTTP.Headers = [:]
            headers.addReceived(text, for: "RateLimit")
            // then
            if let reset = reset(headers) {
                #expect(reset >= .zero && reset <= .seconds(2_147_483_648 as Int64))
            }
        }
        var headers: HTTP.Headers = [:]
        headers.addReceived(String(repeating: "x", count: 1000) + ", \"default\";r=0;t=30", for: "RateLimit")
        #expect(reset(headers) == nil)
    }

    /// Calls once; the server answers with a status and headers, and then well.
    private func call(
        _ status: Int, _ headers: HTTP.Headers, change: (inout CallOptions) -> Void = { _ in }
    ) async throws -> (result: Result<HTTP.Response, Failure>, sleeps: [Duration]) {
        let clock = RecordingClock(date: Self.now)
        var options = CallOptions()
        options.clock = clock
        options.random = FixedRandom(units: 0.5)
        change(&options)
        let transport = ScriptedTransport(.response(HTTP.Response(status: status, headers: headers)), .status(200))
        let client = try Client.standard(
            baseURL: "https://api.example.com", transport: transport, logging: nil, options: options)
        return (await client.result(of: .get("books")), clock.sleeps)
    }

    @Test("that is used up is waited for, and a little longer", arguments: [429, 503])
    func waits(status: Int) async throws {
        let (result, sleeps) = try await call(
            status, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1372700893"])
        #expect(try result.get().status == 200)
        #expect(sleeps == [.milliseconds(20_250)])
    }

    @Test("is overruled by Retry-After", arguments: [429, 503])
    func retryAfter(status: Int) async throws {
        let (result, sleeps) = try await call(
            status, ["RateLimit": "\"default\";r=0;t=3600", "Retry-After": "2"])
        #expect(try result.get().status == 200)
        #expect(sleeps == [.seconds(2)])
    }

    @Test("that is renewed too late ends the call, and the failure says so")
    func tooLate() async throws {
        let (result, sleeps) = try await call(429, ["RateLimit-Remaining": "0", "RateLimit-Reset": "2400"])
        guard case .failure(let failure) = result else {
            Issue.record("It was to fail.")
            return
        }
        #expect(failure.stopReason == .rateLimit(reset: .seconds(2400), accepted: .seconds(60)))
        #expect(failure.code == "status.429")
        #expect(sleeps.isEmpty)
    }

    @Test("has no say where the call is not to be retried")
    func override() async throws {
        let (result, sleeps) = try await call(429, ["RateLimit": "\"default\";r=0;t=1"]) { $0.retry = .never }
        guard case .failure(let failure) = result else {
            Issue.record("It was to fail.")
            return
        }
        #expect(failure.stopReason == .attemptsUsed(1))
        #expect(sleeps.isEmpty)
    }
}
