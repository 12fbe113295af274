import Backstop
import BackstopGraphQL
import BackstopTestSupport
import Foundation
import Testing

@Suite("The defaults that the guide gives reasons for")
struct DefaultsTests {
    /// A row of the table in `Docs/Interceptors.md`, and whether the code agrees.
    private static let rows: [(row: String, holds: @Sendable () throws -> Bool)] = [
        ("`Retry`: 3 attempts", { RetryPolicy.standard.attempts == 3 }),
        (
            "`Backoff`: 0.5 s, doubled each time",
            { Backoff.standard.baseDelay == .milliseconds(500) && Backoff.standard.growth == .exponential }
        ),
        ("`Backoff`: 20 s at most", { Backoff.standard.maximumDelay == .seconds(20) }),
        ("`Retry-After`: 60 s at most", { RetryPolicy.standard.maximumRetryAfter == .seconds(60) }),
        (
            "`Retry`: no rejections",
            {
                let retry = InterceptorProfile(role: .retry, settings: Retry<HTTP.Request, HTTP.Response>().settings)
                return retry.retries(RejectionError(.breakerOpen, "open")) == false
            }
        ),
        ("`AttemptTimeout`: 30 s", { attemptTimeout.limit == .seconds(30) }),
        (
            "`attemptTimeout` of `Client.standard`: half of the deadline, if that is less",
            {
                let chain = try Client.standard(baseURL: "https://api.example.com", deadline: .seconds(20)).chain
                return chain.interceptors.contains {
                    ($0 as? AttemptTimeout<HTTP.Request, HTTP.Response>)?.limit == .seconds(10)
                }
            }
        ),
        ("`Hedging`: 2 attempts", { try hedging.attempts == 2 }),
        (
            "`Hedging`: 20 times known",
            { try hedging.delay == .percentile(0.95, minimumSamples: 20, initially: nil) }
        ),
        ("`Deadline`: none", { CallOptions().deadline == nil }),
        ("handlers' `.retry`: 3 times", { FailureHandling().maximumHandlerRetries == 3 }),
        ("`idleTimeout`: 60 s", { URLSessionTransport().idleTimeout == .seconds(60) }),
        ("`connectionsPerHost`: 6", { URLSessionTransport().connectionsPerHost == 6 }),
        ("`maximumRedirects`: 20", { URLSessionTransport().maximumRedirects == 20 }),
        ("`responseLimit`: 64 MiB", { URLSessionTransport().responseLimit == 64 << 20 }),
        ("`failureBodyLimit`: 64 KiB", { CallOptions().failureBodyLimit == 64 << 10 }),
        ("JSON: 64 levels", { DecodingFailure.depthLimit == 64 }),
        ("`bodyLimit` of the log: 0", { RequestLogging(.call).bodyLimit == 0 }),
        ("`allowsInsecureRedirects`: false", { !URLSessionTransport().allowsInsecureRedirects }),
        ("`tracesInterceptors`: false", { !CallOptions().tracesInterceptors }),
        ("`successLevel`: `.debug`", { RequestLogging(.call).successLevel == .debug }),
        ("`failureLevel`: `.warning`", { RequestLogging(.call).failureLevel == .warning }),
        ("`storesPartialData`: false", { try !ResponseCache().storesPartialData }),
    ]

    private static var hedging: Hedging<HTTP.Request, HTTP.Response> {
        get throws { try Hedging(afterPercentile: 0.95) }
    }

    private static var attemptTimeout: AttemptTimeout<HTTP.Request, HTTP.Response> { AttemptTimeout() }

    @Test("each is what the code has", arguments: rows.indices) func row(index: Int) throws {
        let (row, holds) = Self.rows[index]

        #expect(try Guide("Docs/Interceptors.md").text.contains("| \(row) |"))
        #expect(try holds(), "\(row)")
    }
}
