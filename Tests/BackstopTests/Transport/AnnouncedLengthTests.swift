import BackstopTestSupport
import Foundation
import Testing

@testable import Backstop

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The length that a response announces", .limited)
struct AnnouncedLengthTests {
    private func problem(_ fields: [String: String]) throws -> String? {
        let url = try #require(URL(string: "http://example.com"))
        let head = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields))
        return AnnouncedLength.problem(of: head)
    }

    @Test("is usable when it is one number", arguments: ["0", "2", "002", "2, 2", "2,2 , 2", "9223372036854775807"])
    func usable(text: String) throws {
        #expect(try problem(["Content-Length": text]) == nil)
    }

    @Test(
        "is refused when it is no number, and says so",
        arguments: ["", "+2", "-2", "0x2", "2.0", "2 2", "many", "\u{0662}", "9223372036854775808", ", 2"])
    func malformed(text: String) throws {
        let problem = try problem(["Content-Length": text])
        #expect(
            problem == "The response has \(text.debugDescription) for a Content-Length, which is not a length")
    }

    @Test("is refused when there are several that differ")
    func different() throws {
        #expect(try problem(["Content-Length": "2, 3"]) == "The response has lengths that differ: \"2, 3\"")
    }

    @Test("does not matter when the body comes in chunks, or when there is none")
    func absent() throws {
        #expect(try problem(["Content-Length": "2, 3", "Transfer-Encoding": "chunked"]) == nil)
        #expect(try problem([:]) == nil)
    }
}
