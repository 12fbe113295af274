import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The recipe for a multipart upload", .limited)
struct MultipartUploadTests {
    @Test("the body has a part for each field, and an end (RFC 7578)") func body() throws {
        var form = MultipartForm(boundary: "b")
        form.add("title", "Sea")
        form.add("photo", file: Data([0xFF, 0xD8]), named: "a.jpg", contentType: "image/jpeg")

        let request = try form.request(.post, "photos")

        #expect(request.headers[.contentType] == "multipart/form-data; boundary=b")
        var expected = Data(
            """
            --b\r
            Content-Disposition: form-data; name="title"\r
            \r
            Sea\r
            --b\r
            Content-Disposition: form-data; name="photo"; filename="a.jpg"\r
            Content-Type: image/jpeg\r
            \r

            """.utf8)
        expected += [0xFF, 0xD8]
        expected += Data("\r\n--b--\r\n".utf8)
        #expect(request.body.data == expected)
    }

    @Test("names cannot break out of their quotes or their line") func escaping() throws {
        var form = MultipartForm(boundary: "b")
        form.add("a\"; x=\"", file: Data(), named: "b\r\nX-Evil: 1", contentType: "text/plain\r\nX-Evil: 1")

        let text = String(decoding: try #require(try form.request(.post, "photos").body.data), as: UTF8.self)

        #expect(text.contains(#"name="a%22; x=%22"; filename="b%0D%0AX-Evil: 1""#))
        #expect(!text.contains("\nX-Evil"))
    }

    @Test("an upload is retried with the same body and the same key") func retried() async throws {
        let transport = ScriptedTransport(.failure(TransportError(.lost)), .status(201))
        let client = try Client.standard(
            baseURL: "https://api.example.com/v1", transport: transport, logging: nil
        ).withOptions { $0.clock = RecordingClock() }

        try await client.send(AddPhoto(title: "Sea", jpeg: Data([1, 2]), key: "k1"))

        #expect(transport.requests.map { $0.headers[.idempotencyKey] } == ["k1", "k1"])
        #expect(transport.requests[0].body.data == transport.requests[1].body.data)
        let boundary = try #require(transport.requests[0].headers[.contentType]?.split(separator: "=").last)
        #expect(transport.requests[0].body.data?.starts(with: Data("--\(boundary)\r\n".utf8)) == true)
    }

    @Test("a person who tries again sends the same body with the same key") func triedAgain() async throws {
        let transport = ScriptedTransport(.failure(TransportError(.lost)).repeated(2), .status(201))
        let client = try Client.standard(
            baseURL: "https://api.example.com/v1", transport: transport, retry: .never, logging: nil
        ).withOptions { $0.clock = RecordingClock() }

        let outcome = await client.perform(AddPhoto(title: "Sea", jpeg: Data([1, 2]))) {
            On(.transient) { _ in .retry(after: .zero) }
        }

        #expect(outcome.value != nil)
        #expect(transport.requests.count == 3)
        #expect(Set(transport.requests.map { $0.headers[.idempotencyKey] }).count == 1)
        #expect(Set(transport.requests.map { $0.body.data }).count == 1)
        #expect(Set(transport.requests.map { $0.headers[.contentType] }).count == 1)
    }

    @Test("two uploads have boundaries and keys of their own") func ownBoundaries() throws {
        let uploads = [AddPhoto(title: "Sea", jpeg: Data()), AddPhoto(title: "Sea", jpeg: Data())]

        #expect(Set(uploads.map(\.boundary) + uploads.map(\.key)).count == 4)
    }
}
