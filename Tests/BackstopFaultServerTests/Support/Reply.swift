#if Demo
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    /// A whole answer, read over a connection of its own.
    struct Reply {
        let status: Int
        let headers: [String: String]
        let body: String

        /// Names are in lower case.
        init(parsing text: String) throws {
            let parts = try #require(text.range(of: "\r\n\r\n"))
            var lines = text[..<parts.lowerBound].components(separatedBy: "\r\n")
            status = try #require(Int(lines.removeFirst().split(separator: " ")[1]))
            var headers: [String: String] = [:]
            for line in lines {
                let colon = try #require(line.range(of: ": "))
                headers[line[..<colon.lowerBound].lowercased()] = String(line[colon.upperBound...])
            }
            self.headers = headers
            body = String(text[parts.upperBound...])
        }

        func json() throws -> Any {
            try JSONSerialization.jsonObject(with: Data(body.utf8))
        }
    }

    extension URL {
        /// Calls a target of this origin once.
        func reply(
            to target: String, method: String = "GET", headers: String = "", body: String = ""
        ) async throws -> Reply {
            let client = try await RawClient(self)
            try await client.send(
                "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\(headers)"
                    + (body.isEmpty ? "\r\n" : "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"))
            let text = try await client.readToEnd().text
            await client.close()
            return try Reply(parsing: text)
        }
    }
#endif
