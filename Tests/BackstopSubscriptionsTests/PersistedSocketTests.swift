import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopSubscriptions
@testable import BackstopTesting

#if AsyncHTTPClient
    import BackstopAsyncHTTPClient
#endif

@Suite("A hash that is missed in a stream over sockets", .sockets)
struct PersistedSocketTests {
    private static var transports: [any HTTP.Transport] {
        #if AsyncHTTPClient
            [URLSessionTransport(), AsyncHTTPClientTransport()]
        #else
            [URLSessionTransport()]
        #endif
    }

    @Test("is followed by the text, whether the server ends its answer or not", arguments: [true, false])
    func missed(ends: Bool) async throws {
        for transport in Self.transports {
            let server = try WireServer { connection in
                while true {
                    let body = String(decoding: try connection.readRequest().body, as: UTF8.self)
                    let isMiss = !body.contains("subscription Counter")
                    let events =
                        isMiss
                        ? "event: next\ndata: {\"errors\":[{\"message\":\"PersistedQueryNotFound\"}]}\n\n"
                        : "event: next\ndata: {\"data\":{\"number\":1}}\n\nevent: complete\n\n"
                    try connection.send(
                        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + String(events.utf8.count, radix: 16) + "\r\n\(events)\r\n")
                    guard ends || !isMiss else {
                        return connection.waitForEnd()
                    }
                    try connection.send("0\r\n\r\n")
                }
            }
            defer { server.stop() }
            var handling = FailureHandling()
            handling.log = RecordingLog()
            let client = try Client(baseURL: server.origin, transport: transport, handling: handling) {
                Decoding()
                StatusValidation()
                PersistedQueries()
            }
            let (results, failure) = await SubscriptionTests.read(
                client, SubscriptionTests.Counter(), by: .events)
            #expect(failure == nil)
            #expect(results.map(\.data.number) == [1])
        }
    }
}
