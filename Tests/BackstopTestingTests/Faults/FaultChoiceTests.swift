import Backstop
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopTesting

@Suite("A fault that people choose", .limited)
struct FaultChoiceTests {
    private struct Book: Decodable, Sendable {
        let id: Int
        let name: String
    }

    @Test("fails a call as its name says, and the next call goes on")
    func codes() async throws {
        let faults = FaultInjection(to: RecordingLog())
        let clock = ManualClock()
        let client = try Client(
            baseURL: "https://api.example.com",
            transport: ScriptedTransport(.json(200, #"{"id": 7, "name": "Dune"}"#).repeated()),
            options: .with(clock)
        ) {
            Decoding()
            AttemptTimeout(.seconds(10))
            StatusValidation()
            faults
        }
        var codes: [String: String] = [:]
        for choice in FaultChoice.all {
            faults.next = choice.fault
            let call = Task { () -> String in
                do throws(Failure) {
                    _ = try await client.get("books/7", as: Book.self)
                    return "ok"
                } catch {
                    #expect(error.report.contains("injected by FaultInjection"))
                    return error.code
                }
            }
            if ["No answer", "3 s slower"].contains(choice.name) {
                let wait = Duration.seconds(choice.name == "No answer" ? 10 : 3)
                while faults.next != nil {
                    await Task.yield()
                }
                await clock.waitForSleeper(remaining: wait)
                await clock.advance(by: wait)
            }
            codes[choice.name] = await call.value
            #expect(try await client.get("books/7", as: Book.self).name == "Dune")
        }
        #expect(
            codes == [
                "Offline": "transport.offline", "Connection lost": "transport.lost",
                "Connection refused": "transport.refused", "Certificate not trusted": "transport.certificate",
                "No answer": "timeout.attempt", "3 s slower": "ok", "400 with problem details": "status.400",
                "401": "status.401", "403": "status.403", "404": "status.404", "429, Retry-After 30 s": "status.429",
                "500": "status.500", "503, Retry-After 30 s": "status.503",
                "A page in the place of JSON": "decoding", "Cut JSON": "decoding",
            ])
    }
}
