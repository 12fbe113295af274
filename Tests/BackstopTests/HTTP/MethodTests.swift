import Backstop
import BackstopTestSupport
import Testing

@Suite("A method", .limited)
struct MethodTests {
    @Test("may be any token", arguments: ["GET", "get", "PURGE", "M-SEARCH", "X!#$%&'*+-.^_`|~9"])
    func token(name: String) throws {
        let method = try HTTP.Method(name)
        #expect(method.name == name)
        #expect("\(method)" == name)
    }

    @Test(
        "is refused when it is no token",
        arguments: [
            "", " ", "GET ", "GET BOOKS", "GET\r\nX: 1", "G\u{0}T", "GÉT", "GET/", "\"GET\"", "GET:", "GET\u{1B}[2J",
        ])
    func refused(name: String) {
        let error = #expect(throws: RequestError.self) { try HTTP.Method(name) }
        #expect(error?.code == .invalidMethod)
        #expect(error.map { hasControls($0.detail) } == false)
    }

    @Test("is told by its letters, upper and lower case being different (RFC 9110, 9.1)")
    func equality() throws {
        #expect(try HTTP.Method("GET") == .get)
        #expect(try HTTP.Method("get") != .get)
    }

    @Test(
        "knows whether doing it twice is doing it once (RFC 9110, 9.2.2)",
        arguments: [
            ("GET", true), ("HEAD", true), ("OPTIONS", true), ("TRACE", true), ("PUT", true), ("DELETE", true),
            ("POST", false), ("PATCH", false), ("CONNECT", false), ("PURGE", false), ("get", false),
        ])
    func idempotent(name: String, expected: Bool) throws {
        #expect(try HTTP.Method(name).isIdempotent == expected)
    }

    @Test(
        "knows whether it only reads (RFC 9110, 9.2.1)",
        arguments: [
            ("GET", true), ("HEAD", true), ("OPTIONS", true), ("TRACE", true), ("PUT", false), ("DELETE", false),
            ("POST", false), ("PATCH", false), ("CONNECT", false), ("PURGE", false), ("get", false),
        ])
    func safe(name: String, expected: Bool) throws {
        #expect(try HTTP.Method(name).isSafe == expected)
    }

    @Test("that is not idempotent is so with an idempotency key")
    func key() throws {
        let plain = try HTTP.Request(.post, "orders")
        let keyed = try HTTP.Request(.post, "orders", headers: ["Idempotency-Key": "7f3a"])
        #expect(!plain.isIdempotent)
        #expect(keyed.isIdempotent)
        #expect(try HTTP.Request(.put, "orders").isIdempotent)
    }
}
