import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopTransfers

@Suite("The end of a download", .limited)
struct DownloadEndTests {
    /// The SHA-256 of the text, as a header has it.
    static let base64 = Data(
        stride(from: 0, to: 64, by: 2).compactMap { UInt8(DownloadTests.digest.dropFirst($0).prefix(2), radix: 16) }
    ).base64EncodedString()

    @Test(
        "is known only if the server has marked it",
        arguments: [
            (["Content-Length": "16"], true), ([:], false), (["Connection": "close"], false),
            (["Connection": "foo, close"], false), (["Transfer-Encoding": "identity"], false),
            (["Transfer-Encoding": "chunked"], true), (["Transfer-Encoding": "gzip, Chunked"], true),
            (["Transfer-Encoding": "chunked, gzip"], false), (["Content-Encoding": "gzip"], false),
            (["Content-Encoding": "gzip", "Content-Length": "11"], true),
            (["Repr-Digest": "sha-256=:\(base64):"], true), (["Content-Length": "x"], false),
        ] as [(HTTP.Headers, Bool)])
    func marks(_ headers: HTTP.Headers, _ isKnown: Bool) async throws {
        let (result, _, _) = try await DownloadPartTests.download([
            .stream([.bytes(DownloadTests.text)], headers: headers)
        ])
        #expect(try result.get().isComplete == isKnown)
    }

    @Test("is that of the chunks, whatever length is announced beside them", arguments: [2, 30])
    func chunksBesideLength(_ length: Int) async throws {
        let (result, transport, text) = try await DownloadPartTests.download([
            .stream(
                [.bytes(DownloadTests.text)],
                headers: ["ETag": "\"v1\"", "Content-Length": "\(length)", "Transfer-Encoding": "chunked"])
        ])
        #expect(try result.get().isComplete)
        #expect(text == DownloadTests.text)
        #expect(transport.requests.count == 1)
    }

    @Test("is known over HTTP/2, which ends each stream", arguments: [("1.0", false), ("2", true), ("3", true)])
    func version(_ version: String, _ isKnown: Bool) async throws {
        let answer = Stub<HTTP.Request, HTTP.Response>.respond { _, _ in
            var response = HTTP.Response(status: 200, body: Data("file".utf8))
            response.httpVersion = version
            return response
        }
        let (result, _, _) = try await DownloadPartTests.download([answer])
        #expect(try result.get().isComplete == isKnown)
    }

    @Test(
        "has the checksum that is announced, however that is written",
        arguments: [
            ["Repr-Digest": "sha-256=:\(base64):"], ["Repr-Digest": "sha-512=:AAAA:,  sha-256=:\(base64):;x=1"],
            ["Repr-Digest": "sha-512=:AAAA:", "repr-digest": "sha-256=:\(base64):"],
            ["Repr-Digest": "sha-256=:AAAA:, sha-256=:\(base64):"],
        ] as [HTTP.Headers])
    func digest(_ headers: HTTP.Headers) async throws {
        for (text, code) in [(DownloadTests.text, nil), ("other", "storage.checksum")] {
            let (result, _, text) = try await DownloadPartTests.download(
                [.stream([.bytes(text)], headers: headers).repeated()])
            #expect(result.failure?.code == code)
            #expect((text != nil) == (code == nil))
        }
    }

    @Test("has no checksum that is of something else, or cannot be read")
    func noDigest() {
        for headers in [
            ["Repr-Digest": "sha-512=:\(Self.base64):"], ["Repr-Digest": "sha-256=:AAAA:"],
            ["Repr-Digest": "sha-256=\(Self.base64)"], ["Repr-Digest": "sha-256=:"],
            ["Repr-Digest": "sha-256=:\(Self.base64):", "Content-Encoding": "gzip"],
        ] as [HTTP.Headers] {
            #expect(HTTP.Response(status: 200, headers: headers).sha256 == nil)
        }
    }

    @Test("may be a loss if nothing says where it is, so that the rest is asked for before a checksum is wrong")
    func cutWithoutLength() async throws {
        let options = try DownloadOptions(sha256: DownloadTests.digest)
        let beginning = Stub<HTTP.Request, HTTP.Response>.stream([.bytes("0123")], headers: DownloadTests.tag)
        do {
            let (result, transport, text) = try await DownloadPartTests.download(
                [beginning, DownloadTests.rest("456789abcdef", from: 4)], options: options
            )
            #expect(try result.get().isComplete)
            #expect(text == DownloadTests.text)
            #expect(DownloadPartTests.ranges(transport) == [nil, "bytes=4-"])
        }
        do {
            let (result, _, _) = try await DownloadPartTests.download(
                [beginning, .status(416, headers: ["Content-Range": "bytes */4"])], options: options
            )
            #expect(result.failure?.code == "storage.checksum")
        }
        do {
            let (result, _, _) = try await DownloadPartTests.download([beginning], retry: .never, options: options)
            #expect(result.failure?.code == "storage.checksum")
            // What has come is there for the next download, and so is what the call was.
            #expect(result.failure?.report.contains("deleted") == false)
            #expect(result.failure?.transfer?.bytes == 4)
            #expect(result.failure?.attempts.count == 1)
            #expect(result.failure?.request?.url.path == "/map")
            #expect(result.failure?.stopReason == .attemptsUsed(1))
        }
    }

    @Test(
        "may be a loss, so that the file is asked for again where nothing names its version, or nothing has come",
        arguments: [("0123", [:]), ("", [:]), ("", DownloadTests.tag)] as [(String, HTTP.Headers)])
    func cutWithoutVersion(beginning: String, headers: HTTP.Headers) async throws {
        let cut = Stub<HTTP.Request, HTTP.Response>.stream([.bytes(beginning)], headers: headers)
        let options = try DownloadOptions(sha256: DownloadTests.digest)
        do {
            let (result, transport, text) = try await DownloadPartTests.download(
                [cut, .stream([.bytes(DownloadTests.text)], headers: headers)], options: options)
            #expect(try result.get().isComplete)
            #expect(text == DownloadTests.text)
            #expect(DownloadPartTests.ranges(transport) == [nil, nil])
        }
        do {
            let (result, transport, _) = try await DownloadPartTests.download([cut.repeated()], options: options)
            #expect(result.failure?.code == "storage.checksum")
            #expect(transport.requests.count == 3)
            #expect(result.failure?.attempts.count == 3)
        }
        try await DownloadTests.inFolder { folder in
            let transport = ScriptedTransport(cut.repeated())
            let failure = await #expect(throws: Failure.self) {
                _ = try await DownloadTests.client(transport).download(
                    .post("map", json: ["of": "7"]), to: folder.appendingPathComponent("map"),
                    options: options
                ).value
            }
            #expect(failure?.code == "storage.checksum")
            #expect(transport.requests.count == 1)
            let names = try DownloadTests.names(in: folder)
            #expect(names.isEmpty)
        }
    }

    @Test("is not that of a file in a compression that nobody asked for")
    func unknownCoding() async throws {
        let answer = Stub<HTTP.Request, HTTP.Response>.stream([.bytes("??")], headers: ["Content-Encoding": "br"])
        let (result, _, _) = try await DownloadPartTests.download([answer.repeated()])
        #expect(result.failure?.code == "transport.badResponse")
        #expect(result.failure?.explanation.contains("br") == true)
        try await DownloadTests.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let client = try DownloadTests.client(ScriptedTransport(answer))
            _ = try await client.download("map", to: file, headers: ["Accept-Encoding": "br"]).value
            #expect(try String(contentsOf: file, encoding: .utf8) == "??")
        }
    }

    @Test("does not come to a HEAD, which has no content")
    func head() async throws {
        try await DownloadTests.inFolder { folder in
            let transport = ScriptedTransport(DownloadTests.whole(DownloadTests.text).repeated())
            let failure = await #expect(throws: Failure.self) {
                _ = try await DownloadTests.client(transport).download(
                    .head("map"), to: folder.appendingPathComponent("map")
                ).value
            }
            #expect(failure?.code == "request.invalid")
            #expect(transport.requests.isEmpty)
        }
    }
}
