import Backstop
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Fallback and the method of a request", .limited)
struct FallbackMethodTests {
    typealias HTTPFallback = Fallback<HTTP.Request, HTTP.Response>

    /// A request, and whether it only reads.
    struct Sample: Sendable, CustomTestStringConvertible {
        var method: String
        var isRepeatable: Bool?
        var key: String?
        var reads: Bool

        var testDescription: String {
            method + (isRepeatable.map { ", isRepeatable \($0)" } ?? "") + (key == nil ? "" : ", with a key")
        }

        func request() throws -> HTTP.Request {
            var request = try HTTP.Request(HTTP.Method(method), "https://api.example.com/books")
            request.isRepeatable = isRepeatable
            request.headers[.idempotencyKey] = key
            return request
        }
    }

    static let samples = [
        Sample(method: "GET", reads: true), Sample(method: "HEAD", reads: true),
        Sample(method: "OPTIONS", reads: true), Sample(method: "TRACE", reads: true),
        Sample(method: "POST", reads: false), Sample(method: "PUT", reads: false),
        Sample(method: "DELETE", reads: false), Sample(method: "PATCH", reads: false),
        Sample(method: "PURGE", reads: false), Sample(method: "get", reads: false),
        Sample(method: "POST", key: "k", reads: false), Sample(method: "GET", key: "k", reads: true),
        Sample(method: "POST", isRepeatable: true, reads: true),
        Sample(method: "REPORT", isRepeatable: true, reads: true),
        Sample(method: "POST", isRepeatable: false, reads: false),
        Sample(method: "GET", isRepeatable: false, reads: false),
        Sample(method: "PUT", isRepeatable: true, reads: false),
        Sample(method: "DELETE", isRepeatable: true, reads: false),
        Sample(method: "PATCH", isRepeatable: true, reads: false),
    ]

    /// A kind of fallback.
    enum Kind: CaseIterable {
        case value, response, request, host

        func fallback() throws -> HTTPFallback {
            switch self {
            case .value: return HTTPFallback(value: HTTP.Response(status: 200), log: nil)
            case .response: return HTTPFallback(log: nil) { _, _ in HTTP.Response(status: 200) }
            case .request:
                let other = try HTTP.Request(.get, "https://other.example.com")
                return HTTPFallback(log: nil) { _ in other }
            case .host: return HTTPFallback(host: "backup.example.com", log: nil)
            }
        }
    }

    /// How the first request ends.
    enum End: CaseIterable {
        case answered, lost, unsent, refused

        var stub: Stub<HTTP.Request, HTTP.Response> {
            switch self {
            case .answered: .status(503)
            case .lost: .failure(TransportError(.lost))
            case .unsent: .failure(TimeoutError(.connection, after: .seconds(1)))
            case .refused: .failure(RejectionError(.breakerOpen, "open"))
            }
        }
    }

    @Test(
        "it stands in for requests that only read, whatever it answers with, sent or not", arguments: samples,
        End.allCases)
    func methods(sample: Sample, end: End) async throws {
        for kind in Kind.allCases {
            // given
            let transport = ScriptedTransport(end.stub, .status(200))
            let fallback = try kind.fallback()
            let chain = try HTTP.Chain(transport: transport) {
                fallback
                StatusValidation()
            }
            // when
            let response = try? await chain.call(sample.request())
            // then
            #expect((response?.status == 200) == sample.reads, "\(kind)")
            let sends = kind == .request || kind == .host
            #expect(transport.requests.count == (sends && sample.reads ? 2 : 1), "\(kind)")
        }
    }

    @Test("a POST that a redirect made a GET was a POST")
    func redirected() async throws {
        // given
        let transport = ScriptedTransport(
            .respond { _, context in
                context.recordHop(try HTTP.Request(.get, "https://api.example.com/done"))
                throw TransportError(.lost)
            })
        let chain = try HTTP.Chain(transport: transport) {
            HTTPFallback(value: HTTP.Response(status: 200), log: nil)
        }
        // then
        let failure = await #expect(throws: Failure.self) {
            try await chain.call(HTTP.Request(.post, "https://api.example.com/orders"))
        }
        #expect(failure?.code == "transport.lost")
    }
}
