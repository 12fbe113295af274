import Backstop
import Foundation

/// A form with files (RFC 7578), built in memory.
nonisolated struct MultipartForm: Sendable {
    let boundary: String
    private var parts = Data()

    /// - Parameter boundary: A text that is in none of the parts, and the same each time this form is sent.
    init(boundary: String) {
        self.boundary = boundary
    }

    mutating func add(_ name: String, _ value: String) {
        add("name=\"\(escaped(name))\"", [], Data(value.utf8))
    }

    mutating func add(_ name: String, file: Data, named fileName: String, contentType: String) {
        add(
            "name=\"\(escaped(name))\"; filename=\"\(escaped(fileName))\"",
            ["Content-Type: \(escaped(contentType))"], file)
    }

    func request(_ method: HTTP.Method, _ target: some HTTP.Target) throws(RequestError) -> HTTP.Request {
        try HTTP.Request(
            method, target, headers: [.contentType: "multipart/form-data; boundary=\(boundary)"],
            body: .data(parts + Data("--\(boundary)--\r\n".utf8)))
    }

    private mutating func add(_ disposition: String, _ headers: [String], _ content: Data) {
        let head = ["--\(boundary)", "Content-Disposition: form-data; \(disposition)"] + headers
        parts += Data((head + ["", ""]).joined(separator: "\r\n").utf8) + content + Data("\r\n".utf8)
    }

    /// A name that cannot end its quotes or its line, escaped as browsers do (HTML, 4.10.21.8).
    private func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

struct AddPhoto: EmptyEndpoint {
    var title: String
    var jpeg: Data
    var key = UUID().uuidString  // makes the upload safe to retry
    var boundary = UUID().uuidString  // stored, so that the same key always goes with the same body

    func makeRequest() throws -> HTTP.Request {
        var form = MultipartForm(boundary: boundary)
        form.add("title", title)
        form.add("photo", file: jpeg, named: "photo.jpg", contentType: "image/jpeg")
        var request = try form.request(.post, "photos")
        request.headers[.idempotencyKey] = key
        return request
    }
}
