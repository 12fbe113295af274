import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopTransfers

@Suite("A form with files", .limited)
struct FormTests {
    private static func bytes(_ body: HTTP.Body) async throws -> Data {
        var all = Data()
        for try await chunk in try await body.open() { all += chunk }
        return all
    }

    @Test("is written as RFC 7578 and browsers have it, with its length")
    func written() async throws {
        try await DownloadTests.inFolder { folder in
            let photo = folder.appendingPathComponent("lake.jpg")
            try Data("JPEG".utf8).write(to: photo)
            let form = HTTP.Form([
                .text("title", "Lake Zürich"), .file("photo", photo, type: "image/jpeg"),
                .body("raw", .data(Data([0, 13, 10]))),
            ])
            let boundary = form.boundary
            let expected = """
                --\(boundary)\r
                Content-Disposition: form-data; name="title"\r
                \r
                Lake Zürich\r
                --\(boundary)\r
                Content-Disposition: form-data; name="photo"; filename="lake.jpg"\r
                Content-Type: image/jpeg\r
                \r
                JPEG\r
                --\(boundary)\r
                Content-Disposition: form-data; name="raw"\r
                \r
                \u{0}\r\n\r
                --\(boundary)--\r

                """
            let body = HTTP.Body.form(form)
            #expect(try await Self.bytes(body) == Data(expected.utf8))
            #expect(try await body.open().length == Int64(expected.utf8.count))
            let request = try HTTP.Request(.post, "photos", body: body)
            #expect(request.headers[.contentType] == "multipart/form-data; boundary=\(boundary)")
            #expect(request.body.isReplayable)
        }
    }

    @Test(
        "escapes names as WHATWG HTML, 4.10.22.8 has it, so that none ends early",
        arguments: [
            ("a\"b", "a%22b"), ("a\r\nX: 1", "a%0D%0AX: 1"), ("a\nb", "a%0Ab"), ("ä\\%22", "ä\\%22"), ("", ""),
        ])
    func escaped(_ name: String, _ written: String) async throws {
        let body = HTTP.Body.form(HTTP.Form([.body(name, .none, filename: name, type: "text/plain\r\nX: 1")]))
        let text = String(decoding: try await Self.bytes(body), as: UTF8.self)
        #expect(text.contains("; name=\"\(written)\"; filename=\"\(written)\"\r\nContent-Type: text/plainX: 1\r\n\r\n"))
    }

    @Test("is the same form when a handler repeats its call, which keeps its key", arguments: [1, 1 << 20])
    func repeated(size: Int) async throws {
        struct Report: EmptyEndpoint {
            let text: String
            func makeRequest() throws -> HTTP.Request {
                try HTTP.Request(.post, "reports", body: .form(HTTP.Form([.text("title", text)])))
            }
        }
        let keys = ClosureInterceptor { request, _, next in
            var request = request
            if request.headers[.idempotencyKey] == nil {
                request.headers[.idempotencyKey] = UUID().uuidString
            }
            return try await next(request)
        }
        let transport = ScriptedTransport(.failure(TransportError(.lost, phase: .waiting)), .status(200))
        let client = try EventTests.client(transport, retry: nil, [keys])
        let report = Report(text: String(repeating: "x", count: size))
        let outcome = await client.perform(report) { On(.code("transport.lost")) { _ in .retry() } }
        #expect(outcome.failure == nil)
        #expect(transport.requests.count == 2)
        #expect(Set(transport.requests.compactMap { $0.headers[.idempotencyKey] }).count == 1)
    }

    @Test("has a boundary of its own each time, of 128 random bits")
    func boundary() {
        let all = Set((0..<1000).map { _ in HTTP.Form([]).boundary })
        #expect(all.count == 1000)
        #expect(all.allSatisfy { $0.utf8.count <= 70 && $0.utf8.count >= 20 })
    }

    @Test("fails before anything is sent when a file is missing, and cannot be sent again when a part cannot")
    func parts() async throws {
        let transport = ScriptedTransport(
            .respond { request, _ in
                for try await _ in try await request.body.open() {}
                return HTTP.Response(status: 200)
            })
        let client = try EventTests.client(transport)
        let missing = HTTP.Form([.text("a", "b"), .file("photo", URL(fileURLWithPath: "/nowhere/photo"))])
        let failure = await #expect(throws: Failure.self) {
            _ = try await client.post("photos", body: .form(missing))
        }
        #expect(failure?.code == "request.bodyUnreadable")
        let once = HTTP.Form([.body("live", .stream(once: AsyncStream<Data> { $0.finish() }))])
        #expect(!HTTP.Body.form(once).isReplayable)
        #expect(try await HTTP.Body.form(once).open().length == nil)
    }

    @Test(
        "has no length where that of its parts is more than a number holds",
        arguments: [Int64.max, Int64.max / 2 + 1])
    func tooLong(_ length: Int64) async throws {
        let endless = HTTP.Body.stream(length: length) { AsyncStream<Data> { $0.finish() } }
        let form = HTTP.Form([.body("a", endless), .body("b", endless)])
        #expect(try await HTTP.Body.form(form).open().length == nil)
    }

    @Test("has few of its files open at once, however many it has")
    func manyFiles() async throws {
        try await DownloadTests.inFolder { folder in
            let file = folder.appendingPathComponent("photo")
            try Data("JPEG".utf8).write(to: file)
            let form = HTTP.Form((0..<500).map { .file("photo\($0)", file) })
            let body = try await HTTP.Body.form(form).open()
            var count: Int64 = 0
            for try await chunk in body {
                count += Int64(chunk.count)
                #if os(Linux)
                    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                    try #require(open.count < 400)
                #endif
            }
            #expect(count == body.length)
        }
    }

    @Test("whose file has grown, shrunk or gone before its turn names it", arguments: ["JPEGJPEG", "J", nil])
    func changedFile(_ text: String?) async throws {
        try await DownloadTests.inFolder { folder in
            let file = folder.appendingPathComponent("lake.jpg")
            try Data("JPEG".utf8).write(to: file)
            let body = try await HTTP.Body.form(HTTP.Form([.file("photo", file)])).open()
            try FileManager.default.removeItem(at: file)
            try text.map { try Data($0.utf8).write(to: file) }
            let error = await #expect(throws: RequestError.self) { for try await _ in body {} }
            #expect(error?.code == (text == nil ? .bodyUnreadable : .bodyLength))
            #expect(error?.detail.contains("lake.jpg") == true)
        }
    }

    @Test("of any size is sent in pieces")
    func pieces() async throws {
        let form = HTTP.Form([.body("film", .data(Data(count: 1 << 20)), filename: "film.mp4")])
        var sizes: [Int] = []
        for try await chunk in try await HTTP.Body.form(form).open() { sizes.append(chunk.count) }
        #expect(sizes.count > 16)
        #expect(sizes.allSatisfy { $0 <= 65_536 })
    }
}

@Suite("An upload", .limited)
struct UploadTests {
    /// Answers as the statuses say, after the whole body was read.
    private static func transport(_ statuses: Int...) -> ScriptedTransport {
        ScriptedTransport(
            statuses.map { status in
                .respond { request, _ in
                    var count = 0
                    for try await chunk in try await request.body.open() { count += chunk.count }
                    return HTTP.Response(status: status, body: Data("\(count)".utf8))
                }
            })
    }

    @Test("tells how much was sent, and has the content of its endpoint")
    func whole() async throws {
        let transport = Self.transport(200)
        let body = HTTP.Body.data(Data(count: 200_000))
        let upload = try EventTests.client(transport).upload(.put("films/1", body: body, as: Int.self))
        var last = TransferStatus(bytes: 0, expected: nil, legs: 0)
        for await now in upload.updates { last = now }
        #expect(try await upload.value == 200_000)
        #expect(last == TransferStatus(bytes: 200_000, expected: 200_000, legs: 1))
        #expect(last.fraction == 1)
        #expect(transport.requests.first?.impliedContentType == "application/octet-stream")
    }

    @Test("begins again when it is sent again, and says so")
    func again() async throws {
        let transport = Self.transport(503, 200)
        let upload = try EventTests.client(transport).upload(.put("films/1", body: .text("film")))
        #expect(try await upload.value.status == 200)
        #expect(upload.status == TransferStatus(bytes: 4, expected: 4, legs: 2))
        #expect(
            transport.requests.map(\.impliedContentType)
                == Array(repeating: "text/plain; charset=utf-8", count: 2))
    }

    @Test("is not sent again when it can be read only once")
    func once() async throws {
        let transport = Self.transport(503, 200)
        let chunks = AsyncStream<Data> { continuation in
            continuation.yield(Data("film".utf8))
            continuation.finish()
        }
        let upload = try EventTests.client(transport).upload(.put("films/1", body: .stream(once: chunks)))
        let failure = await #expect(throws: Failure.self) { _ = try await upload.value }
        #expect(failure?.code == "status.503")
        #expect(failure?.stopReason == .notReplayable)
        #expect(transport.requests.count == 1)
    }

    @Test("names the body that it sends in a failure, and not how it is counted")
    func failure() async throws {
        let chunks = AsyncStream<Data> { $0.finish() }
        for (body, text) in [
            (.text("film"), "body: 4 bytes"),
            (.file(URL(fileURLWithPath: "/tmp/a film.mp4")), "body: the file a film.mp4"),
            (.stream(once: chunks, length: 12), "body: a stream of 12 bytes"),
            (.stream(once: chunks), "body: a stream of unknown length"),
            (
                .form(HTTP.Form([.file("film", URL(fileURLWithPath: "/tmp/a film.mp4"))])), "body: a form with files"
            ),
        ] as [(HTTP.Body, String)] {
            let client = try EventTests.client(ScriptedTransport(.status(404)))
            let upload = client.upload(.put("films/1", body: body))
            let failure = await #expect(throws: Failure.self) { _ = try await upload.value }
            #expect(failure?.report.contains(text) == true, "\(failure?.report ?? "")")
        }
    }

    @Test(
        "hides the secrets of its body in a failure, as a call without progress does",
        arguments: [
            .text(#"{"password":"hunterzwei42"}"#), .form(["password": "hunterzwei42"]),
            .form(HTTP.Form([.text("title", "Lake"), .text("password", "hunterzwei42")])),
            .form(
                HTTP.Form([
                    .body("film", .stream { AsyncStream<Data> { $0.finish() } }), .text("password", "hunterzwei42"),
                ])),
        ] as [HTTP.Body])
    func secrets(body: HTTP.Body) async throws {
        let answer = Stub<HTTP.Request, HTTP.Response>.status(
            400, headers: ["Content-Type": "text/plain"], body: "No user has hunterzwei42")
        let client = try EventTests.client(ScriptedTransport(answer.repeated()))
        let call = HTTP.Call(.post, "users", body: body)
        for failure in [
            await client.result(of: call).failure,
            await #expect(throws: Failure.self) { _ = try await client.upload(call).value },
        ] {
            let failure = try #require(failure)
            let text = "\(failure.report) \(failure.debugDescription) \(failure.jsonReport(details: true))"
            #expect(text.contains("No user has <redacted>"), "\(text)")
            #expect(!text.contains("hunterzwei42"))
        }
    }

    @Test("shows interceptors the body that it sends, and the type that a transport would add")
    func visible() async throws {
        let seen = Notes<HTTP.Request>()
        let signing = ClosureInterceptor { request, _, next in
            seen.add(request)
            return try await next(request)
        }
        let transport = ScriptedTransport(.status(200).repeated())
        let client = try EventTests.client(transport, retry: nil, [signing])
        _ = try await client.upload(.put("notes/1", body: .text("film"))).value
        _ = try await client.upload(.post("notes", form: ["a": "b"])).value
        #expect(seen.all.map(\.body.data) == [Data("film".utf8), Data("a=b".utf8)])
        #expect(seen.all.map(\.body.length) == [4, 3])
        #expect(seen.all.map(\.impliedContentType) == ["text/plain; charset=utf-8", nil])
        #expect(seen.all.map { $0.headers[.contentType] } == [nil, "application/x-www-form-urlencoded"])
    }

    @Test("is cancelled with the task that waits for it, and when nobody holds it")
    func cancelled() async throws {
        let clock = ManualClock()
        let hanging = Stub<HTTP.Request, HTTP.Response>.respond { _, context in
            try await context.clock.sleep(for: .seconds(60))
            return HTTP.Response(status: 200)
        }
        let client = try EventTests.client(ScriptedTransport(hanging.repeated()), clock)
        let upload = client.upload(.put("films/1", body: .text("film")))
        let waiting = Task { try await upload.value }
        await clock.waitForSleepers(1)
        waiting.cancel()
        let failure = await #expect(throws: Failure.self) { _ = try await waiting.value }
        #expect(failure?.isCancelled == true)
        _ = client.upload(.put("films/2", body: .text("film")))
    }
}
