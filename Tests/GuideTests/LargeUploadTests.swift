import Backstop
import BackstopTestSupport
import Foundation
import Testing

@Suite("The recipe for an upload of a large file", .limited)
struct LargeUploadTests {
    @Test("the body is the form with the file in its part, each time it is read, and its length is announced")
    func body() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jpg")
        try Data([0xFF, 0xD8]).write(to: file)
        defer {
            try? FileManager.default.removeItem(at: file)
        }
        var form = MultipartForm(boundary: "b")
        form.add("title", "Sea")

        let request = try form.request(
            .post, "photos", adding: "photo", file: file, size: 2, contentType: "image/jpeg")

        var expected = Data(
            """
            --b\r
            Content-Disposition: form-data; name="title"\r
            \r
            Sea\r
            --b\r
            Content-Disposition: form-data; name="photo"; filename="\(file.lastPathComponent)"\r
            Content-Type: image/jpeg\r
            \r

            """.utf8)
        expected += [0xFF, 0xD8]
        expected += Data("\r\n--b--\r\n".utf8)
        #expect(request.headers[.contentType] == "multipart/form-data; boundary=b")
        #expect(request.body.length == Int64(expected.count))
        #expect(request.body.isReplayable)
        for _ in 1...2 {
            #expect(try await bytes(of: request.body) == expected)
        }
    }

    @Test("a file that has changed in size is not sent as if it were whole", arguments: [1, 3])
    func changed(size: Int64) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data([0xFF, 0xD8]).write(to: file)
        defer {
            try? FileManager.default.removeItem(at: file)
        }
        let request = try MultipartForm(boundary: "b").request(
            .post, "photos", adding: "photo", file: file, size: size, contentType: "image/jpeg")

        let error = await #expect(throws: RequestError.self) { try await bytes(of: request.body) }
        #expect(error?.code == .bodyLength)
    }

    private func bytes(of body: HTTP.Body) async throws -> Data {
        var bytes = Data()
        for try await chunk in try await body.open() {
            bytes += chunk
        }
        return bytes
    }
}
