import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Calls grouped by origin", .limited)
struct CallGroupingTests {
    @Test("share a circuit with calls to the same scheme, host and port, and with no others")
    func origins() async throws {
        // given
        let breaker = CircuitBreaker<HTTP.Request, HTTP.Response>(
            try CircuitBreakerPolicy(window: .calls(2)), grouping: .origin, log: nil)
        let transport = ScriptedTransport(.status(503).repeated(2), .status(200).repeated())
        let client = try Client(baseURL: "https://api.example.com/v1", transport: transport) {
            breaker
            StatusValidation()
        }
        func code(_ target: String) async -> String {
            do throws(Failure) {
                return "\(try await client.get(target).status)"
            } catch {
                return error.code
            }
        }
        // when
        _ = await code("books")
        _ = await code("https://API.example.com:443/other")
        // then
        #expect(await code("books/2") == "rejected.breakerOpen")
        #expect(await code("https://api.example.com:8443/books") == "200")
        #expect(await code("http://api.example.com/books") == "200")
        #expect(await code("https://cdn.example.com/books") == "200")
        #expect(breaker.state(of: "https://api.example.com:443").description == "open")
        #expect(breaker.states.count == 4)
    }
}
