import BackstopAuthentication
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopTransfers

@Suite("The report of several calls", .limited)
struct SeriesReportTests {
    @Test("of a download is there when the last of them fails before its head")
    func lastWithoutHead() async throws {
        let answers = [DownloadTests.cut("0123"), .status(401)]
        let (result, _, _) = try await DownloadPartTests.download(answers)
        #expect(result.failure?.code == "status.401")
        #expect(result.failure?.transfer == TransferReport(bytes: 4, expected: 16, legs: 2))
    }

    @Test("of a download counts what an earlier one has left, before any head")
    func earlier() async throws {
        try await DownloadTests.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let client = try DownloadTests.client(
                ScriptedTransport(DownloadTests.cut("0123"), .status(401)), retry: .never)
            await #expect(throws: Failure.self) { _ = try await client.download("map", to: file).value }
            let failure = await #expect(throws: Failure.self) { _ = try await client.download("map", to: file).value }
            #expect(failure?.transfer == TransferReport(bytes: 4, expected: 16, legs: 1))
        }
    }

    @Test("is there when the wait between two is cancelled")
    func cancelledWait() async throws {
        try await DownloadTests.inFolder { folder in
            let clock = ManualClock()
            let client = try DownloadTests.client(
                ScriptedTransport(DownloadTests.cut("0123").repeated()), clock)
            let transfer = client.download("map", to: folder.appendingPathComponent("map"))
            await clock.waitForSleepers(1)
            transfer.cancel()
            let failure = await #expect(throws: Failure.self) { _ = try await transfer.value }
            #expect(failure?.isCancelled == true)
            #expect(failure?.transfer == TransferReport(bytes: 4, expected: 16, legs: 1))
        }
    }

    @Test("names the deadline of all, not the rest that the last had of it")
    func deadline() async throws {
        try await DownloadTests.inFolder { folder in
            let clock = ManualClock()
            var options = CallOptions()
            (options.clock, options.deadline) = (clock, .seconds(10))
            let slow: [StreamPiece] = [.bytes("0123"), .wait(.seconds(4)), .lost]
            let headers: HTTP.Headers = ["Content-Length": "16", "ETag": "\"v1\""]
            let transport = ScriptedTransport(
                .stream(slow, headers: headers),
                .stream(
                    [.wait(.seconds(60))], status: 206, headers: ["ETag": "\"v1\"", "Content-Range": "bytes 4-15/16"]))
            let policy = try RetryPolicy(backoff: .none)
            let client = try Client(baseURL: "https://api.example.com", transport: transport, options: options) {
                Deadline()
                Retry(policy)
                StatusValidation()
            }
            let transfer = client.download("map", to: folder.appendingPathComponent("map"))
            await clock.waitForSleeper(remaining: .seconds(4))
            await clock.advance(by: .seconds(4))
            await clock.waitForSleeper(remaining: .seconds(60))
            await clock.advance(by: .seconds(6))
            let failure = await #expect(throws: Failure.self) { _ = try await transfer.value }
            #expect(failure?.code == "timeout.deadline")
            #expect(failure?.explanation.contains("10 s") == true)
            #expect(failure?.stopReason == .deadline(wait: nil))
            #expect(failure?.nextStep?.contains("Raise the deadline of this call") == true)
        }
    }

    @Test("of a download names the limit of its own options when the server is silent")
    func silence() async throws {
        try await DownloadTests.inFolder { folder in
            let clock = ManualClock()
            let silent = Stub<HTTP.Request, HTTP.Response>.stream([.bytes("0123"), .wait(.seconds(300))])
            let client = try DownloadTests.client(ScriptedTransport(silent), clock, retry: .never)
            let transfer = client.download("map", to: folder.appendingPathComponent("map"))
            await clock.waitForSleeper(remaining: .seconds(300))
            await clock.advance(by: .seconds(61))
            let failure = await #expect(throws: Failure.self) { _ = try await transfer.value }
            #expect(failure?.code == "timeout.attempt")
            #expect(failure?.explanation.contains(", which is the limit of DownloadOptions.silence.") == true)
            #expect(failure?.nextStep?.contains("raise DownloadOptions.silence") == true)
        }
    }

    @Test("of a download that does more than read does not ask for the key that it has")
    func keyed() async throws {
        try await DownloadTests.inFolder { folder in
            let client = try DownloadTests.client(ScriptedTransport(DownloadTests.cut("0123").repeated()))
            let call = HTTP.Call<HTTP.Response>.post("exports", headers: ["Idempotency-Key": "\"k1\""])
            let failure = await #expect(throws: Failure.self) {
                _ = try await client.download(call, to: folder.appendingPathComponent("map")).value
            }
            #expect(failure?.stopReason == .begun)
        }
    }

    @Test("says how much there was of a file that is too large, and how much is announced")
    func tooLarge() async throws {
        let (result, _, _) = try await DownloadPartTests.download(
            [DownloadTests.whole(DownloadTests.text)], options: DownloadOptions(limit: 1)
        )
        #expect(result.failure?.code == "transport.tooLarge")
        #expect(result.failure?.transfer == TransferReport(bytes: 0, expected: 16))
        #expect(result.failure?.explanation.contains("the 1 byte accepted") == true)
        #expect(result.failure?.report.contains("Raise DownloadOptions.limit") == true)
    }

    @Test("of events has the totals of all calls")
    func events() async throws {
        let text = "id: 1\ndata: a\n\n"
        let transport = ScriptedTransport(
            EventTests.stream(.bytes(text)), EventTests.stream(.bytes(text), .lost), .status(204))
        let client = try EventTests.client(transport)
        let stream = try await client.stream("prices", as: .events)
        for try await _ in stream {}
        #expect(stream.report == TransferReport(bytes: Int64(2 * text.utf8.count), elements: 2, legs: 3))
        let failing = ScriptedTransport(EventTests.stream(.bytes(text)), .status(404))
        let (_, failure) = await EventTests.read(try EventTests.client(failing))
        #expect(failure?.transfer == TransferReport(bytes: Int64(text.utf8.count), elements: 1, legs: 1))
    }
}
