import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopTransfers

@Suite("A transfer", .limited)
struct TransferTests {
    private static let hanging = Stub<HTTP.Request, HTTP.Response>.stream(
        [.bytes("0123"), .wait(.seconds(5)), .bytes("4567")], headers: ["Content-Length": "8", "ETag": "\"v1\""])

    @Test("goes on while somebody reads its updates, and holds nothing else")
    func updates() async throws {
        try await DownloadTests.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let clock = ManualClock()
            let client = try DownloadTests.client(ScriptedTransport(Self.hanging), clock)
            let reading = Task {
                var last: TransferStatus?
                for await now in client.download("map", to: file).updates { last = now }
                return last
            }
            await clock.waitForSleeper(remaining: .seconds(5))
            await clock.advance(by: .seconds(5))
            #expect(await reading.value == TransferStatus(bytes: 8, expected: 8, legs: 1))
            #expect(try String(contentsOf: file, encoding: .utf8) == "01234567")
        }
    }

    @Test("goes on while somebody holds its progress, which can cancel it")
    func progress() async throws {
        for cancels in [false, true] {
            try await DownloadTests.inFolder { folder in
                let file = folder.appendingPathComponent("map")
                let clock = ManualClock()
                let client = try DownloadTests.client(ScriptedTransport(Self.hanging), clock)
                var updates: AsyncStream<TransferStatus>?
                let progress: Progress
                do {
                    let transfer = client.download("map", to: file)
                    progress = transfer.progress
                    updates = transfer.updates
                }
                await clock.waitForSleeper(remaining: .seconds(5))
                if cancels {
                    progress.cancel()
                }
                await clock.advance(by: .seconds(5))
                for await _ in try #require(updates) {}
                updates = nil
                #expect(FileManager.default.fileExists(atPath: file.path) != cancels)
                #expect(progress.isFinished != cancels)
            }
        }
    }

    @Test(
        "ends when neither it nor its updates nor its progress are held", arguments: ["nothing", "updates", "progress"])
    func dropped(_ held: String) async throws {
        let clock = ManualClock()
        let ended = OneShot<Void, Void>()
        let hanging = Stub<HTTP.Request, HTTP.Response>.respond { _, context in
            do {
                try await context.clock.sleep(for: .seconds(60))
            } catch {
                ended.end(with: .success(()))
                throw error
            }
            return HTTP.Response(status: 200)
        }
        let client = try EventTests.client(ScriptedTransport(hanging.repeated()), clock)
        var upload: Transfer<HTTP.Response>? = client.upload(.put("films/1", body: .text("film")))
        var updates = held == "updates" ? upload?.updates : nil
        var progress = held == "progress" ? upload?.progress : nil
        await clock.waitForSleepers(1)
        upload = nil
        if held != "nothing" {
            #expect(clock.sleepers.count == 1)
        }
        withExtendedLifetime((updates, progress)) {}
        (updates, progress) = (nil, nil)
        try await ended.value({}, onCancel: {})
    }

    @Test("is finished in its progress when it has ended well, whatever was known of its length")
    func finished() async throws {
        for (text, length) in [("0123", nil), ("", nil), ("", 0), ("0123", 4)] as [(String, Int?)] {
            try await DownloadTests.inFolder { folder in
                let headers: HTTP.Headers = length.map { ["Content-Length": "\($0)"] } ?? [:]
                let transport = ScriptedTransport(.stream([.bytes(text)], headers: headers))
                let transfer = try DownloadTests.client(transport).download(
                    "map", to: folder.appendingPathComponent("map"))
                let progress = transfer.progress
                _ = try await transfer.value
                #expect(progress.isFinished)
                #expect(progress.fractionCompleted == 1)
                #expect(transfer.progress.isFinished)
                #expect(transfer.status.fraction == 1)
            }
        }
    }

    @Test("that fails is not finished in its progress")
    func failed() async throws {
        try await DownloadTests.inFolder { folder in
            let transport = ScriptedTransport(.stream([.bytes("0123"), .lost]).repeated())
            let transfer = try DownloadTests.client(transport).download("map", to: folder.appendingPathComponent("map"))
            let progress = transfer.progress
            await #expect(throws: Failure.self) { _ = try await transfer.value }
            #expect(!progress.isFinished)
        }
    }
}
