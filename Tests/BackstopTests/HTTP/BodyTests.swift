import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A body", .limited)
struct BodyTests {
    private static func stream(isReplayable: Bool) -> HTTP.Body {
        isReplayable
            ? .stream(length: 3) { pieces(of: Data("abc".utf8)) }
            : .stream(once: pieces(of: Data("abc".utf8)), length: 3)
    }

    @Test("can be sent again unless it is a stream that is read once")
    func replayable() {
        #expect(HTTP.Body.none.isReplayable)
        #expect(HTTP.Body.text("a").isReplayable)
        #expect(HTTP.Body.file(URL(fileURLWithPath: "a.txt")).isReplayable)
        #expect(Self.stream(isReplayable: true).isReplayable)
        #expect(!Self.stream(isReplayable: false).isReplayable)
    }

    @Test("gives its bytes where they are in memory")
    func data() {
        #expect(HTTP.Body.none.data == Data())
        #expect(HTTP.Body.text("å").data == Data([0xC3, 0xA5]))
        #expect(HTTP.Body.data(Data([0])).data == Data([0]))
        #expect(HTTP.Body.file(URL(fileURLWithPath: "a.txt")).data == nil)
        #expect(Self.stream(isReplayable: true).data == nil)
    }

    @Test("knows its length, unless it is a file or a stream of unknown length")
    func length() {
        #expect(HTTP.Body.none.length == 0)
        #expect(HTTP.Body.text("å").length == 2)
        #expect(HTTP.Body.file(URL(fileURLWithPath: "a.txt")).length == nil)
        #expect(Self.stream(isReplayable: true).length == 3)
        #expect(Self.stream(isReplayable: false).length == 3)
        #expect(HTTP.Body.stream { pieces(of: Data("abc".utf8)) }.length == nil)
    }

    @Test("prints no content")
    func printing() {
        let bodies: [(HTTP.Body, String)] = [
            (.none, "no body"), (.text("hunter2"), "7 bytes"),
            (.file(URL(fileURLWithPath: "/home/ann/photo.jpg")), "the file photo.jpg"),
            (.file(URL(fileURLWithPath: "/a.pdf\nstatus.200\u{202E}")), "the file a.pdf status.200"),
            (.stream(length: 7) { pieces(of: Data("hunter2".utf8)) }, "a stream of 7 bytes"),
            (.stream(once: pieces(of: Data("hunter2".utf8))), "a stream of unknown length"),
        ]
        for (body, text) in bodies {
            #expect("\(body)" == text)
            var dumped = ""
            dump(body, to: &dumped)
            #expect(dumped == "▿ \(text)\n  - description: \"\(text)\"\n")
        }
    }

    @Test("knows whether there is one at all")
    func none() {
        #expect(HTTP.Body.none.isNone)
        #expect(!HTTP.Body.data(Data()).isNone)
    }

    @Test("that cannot be sent again is sent once, and the failure says why")
    func sentOnce() async throws {
        // given
        let rig = Rig(.status(503))
        let client = try rig.standard()
        let body = Self.stream(isReplayable: false)
        // when
        let failure = try #require(
            await #expect(throws: Failure.self) {
                try await client.send(RawEndpoint { try HTTP.Request(.put, "photo", body: body) })
            })
        // then
        #expect(failure.stopReason == .notReplayable)
        #expect(failure.isRetryable == false)
        try rig.transport.checkFinished()
    }

    @Test("that can be sent again is sent again")
    func sentAgain() async throws {
        // given
        let rig = Rig(.status(503), .status(204))
        let client = try rig.standard()
        let body = Self.stream(isReplayable: true)
        // when
        let response = try await client.send(RawEndpoint { try HTTP.Request(.put, "photo", body: body) })
        // then
        #expect(response.status == 204)
        try rig.transport.checkFinished()
    }
}
