import Backstop
import Foundation

/// Bodies one after the other, each opened when the one before has been sent.
nonisolated struct JoinedBodies: AsyncSequence, AsyncIteratorProtocol {
    private var rest: [HTTP.Body]
    private var current: HTTP.Body.Chunks.Iterator?

    init(_ bodies: [HTTP.Body]) {
        rest = bodies
    }

    mutating func next() async throws -> Data? {
        while true {
            if let chunk = try await current?.next() { return chunk }
            guard !rest.isEmpty else { return nil }
            current = try await rest.removeFirst().open().makeAsyncIterator()
        }
    }

    func makeAsyncIterator() -> JoinedBodies { self }
}

extension MultipartForm {
    /// A request with this form and a large file, which is read while it is sent.
    ///
    /// - Parameter size: The size of the file, so that the length of the body can be announced.
    func request(
        _ method: HTTP.Method, _ target: some HTTP.Target, adding name: String, file: URL, size: Int64,
        contentType: String
    ) throws(RequestError) -> HTTP.Request {
        var head = self
        head.add(name, file: Data(), named: file.lastPathComponent, contentType: contentType)
        var request = try head.request(method, target)
        // The place of the file is before the line break that ends its empty part.
        guard let text = request.body.data else { return request }
        let end = Data("\r\n--\(boundary)--\r\n".utf8)
        let bodies: [HTTP.Body] = [.data(text.dropLast(end.count)), .file(file), .data(end)]
        request.body = .stream(length: Int64(text.count) + size) { JoinedBodies(bodies) }
        return request
    }
}
