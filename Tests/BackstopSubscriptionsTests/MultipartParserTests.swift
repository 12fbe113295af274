import Backstop
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopSubscriptions

@Suite("The parts of a multipart response", .limited)
struct MultipartParserTests {
    static func head(_ type: String = "multipart/mixed;boundary=\"graphql\"") -> HTTP.Response {
        HTTP.Response(status: 200, headers: ["Content-Type": type])
    }

    /// What the parser finds in these pieces, and what it throws.
    static func read(_ pieces: [Data], _ head: HTTP.Response = head()) -> (parts: [String], error: TransportError?) {
        var parts: [String] = []
        do {
            var parser = try MultipartParser(head)
            for piece in pieces {
                try parser.parse(piece) { parts.append(String(decoding: $0, as: UTF8.self)) }
            }
            try parser.end { parts.append(String(decoding: $0, as: UTF8.self)) }
            return (parts, nil)
        } catch {
            return (parts, error as? TransportError)
        }
    }

    static let json = "Content-Type: application/json\r\n\r\n"

    /// What comes, and the parts that are in it; a body that is whole.
    static let bodies: [(name: String, type: String, body: String, parts: [String])] = [
        (
            "behind a byte order mark", "multipart/mixed; boundary=x",
            "\u{FEFF}--x\r\n\r\n{\"a\":1}\r\n--x\r\n\r\n{\"b\":2}\r\n--x--", ["{\"a\":1}", "{\"b\":2}"]
        ),
        (
            "Apollo Router's own example", "multipart/mixed;boundary=\"graphql\";subscriptionSpec=1.0",
            "--graphql\r\n\(json){}\r\n--graphql\r\n\(json){\"payload\":{\"data\":{\"a\":1}}}\r\n--graphql--\r\n",
            ["{}", "{\"payload\":{\"data\":{\"a\":1}}}"]
        ),
        (
            "an empty line before the first boundary, and text after the last", "multipart/mixed; boundary=graphql",
            "\r\n--graphql\r\n\(json){\"a\":1}\r\n--graphql--\r\nbye\r\n--graphql\r\n", ["{\"a\":1}"]
        ),
        (
            "a hyphen as boundary (graphql over HTTP)", "multipart/mixed; boundary=\"-\"",
            "---\r\n\(json){\"a\":\"--\\n---\"}\r\n---\r\n\(json){\"b\":2}\r\n-----\r\n",
            ["{\"a\":\"--\\n---\"}", "{\"b\":2}"]
        ),
        (
            "a preamble, fields in any case, space behind a boundary", "Multipart/Mixed; Boundary=\"a b\"",
            "hello\r\n--a b \t\r\nCONTENT-TYPE:application/graphql-response+json; charset=utf-8\r\nX: 1\r\n\r\n{}\r\n--a b--",
            ["{}"]
        ),
        (
            "lines that end with LF", "multipart/mixed; boundary=x",
            "--x\nContent-Type: application/json\n\n{\n \"a\":1\n}\n--x--\n", ["{\n \"a\":1\n}"]
        ),
        (
            "parts without a head, and empty ones", "multipart/mixed; boundary=x",
            "--x\r\n\r\n{}\r\n--x\r\n\r\n\r\n--x--", ["{}", ""]
        ),
        (
            "seventy characters", "multipart/mixed; boundary=\(String(repeating: "b", count: 70))",
            "--\(String(repeating: "b", count: 70))\r\n\r\n1\r\n--\(String(repeating: "b", count: 70))--", ["1"]
        ),
        (
            "a boundary before the last one, as Strawberry has it", "multipart/mixed;boundary=graphql",
            "--graphql\r\n\(json){}\r\n--graphql\r\n--graphql--\r\n", ["{}"]
        ),
        ("only the last boundary", "multipart/mixed; boundary=x", "--x--\r\n", []),
        ("no boundary in the head, as in old routers", "multipart/mixed", "--graphql\r\n\r\n{}\r\n--graphql--", ["{}"]),
    ]

    @Test("are found however the bytes are split", arguments: bodies.indices)
    func splits(index: Int) {
        let (name, type, body, parts) = Self.bodies[index]
        let bytes = Data(body.utf8)
        let head = Self.head(type)
        let whole = Self.read([bytes], head)
        #expect(whole.parts == parts, "\(name)")
        #expect(whole.error == nil, "\(name)")
        #expect(Self.read(bytes.map { Data([$0]) }, head).parts == parts, "\(name), byte by byte")
        for first in bytes.indices {
            for second in [first, min(first + 1, bytes.count), min(first + 7, bytes.count), bytes.count] {
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]].map { Data($0) }
                let found = Self.read(pieces, head)
                #expect(found.parts == parts, "\(name), split at \(first) and \(second)")
                #expect(found.error == nil, "\(name), split at \(first) and \(second)")
            }
        }
    }

    @Test("that are cut at any byte are those before it, and a failure")
    func cuts() {
        let body = Data("--x\r\n\r\n{\"a\":1}\r\n--x\r\n\r\n{\"b\":2}\r\n--x--".utf8)
        let head = Self.head("multipart/mixed; boundary=x")
        // Each part is whole with its last brace.
        let ends = ["--x\r\n\r\n{\"a\":1}".utf8.count, body.count - "\r\n--x--".utf8.count]
        for position in body.indices {
            let found = Self.read([Data(body[..<position])], head)
            #expect(found.error?.code == .truncated, "cut at \(position)")
            #expect(found.parts.count == ends.filter { $0 <= position }.count, "cut at \(position)")
        }
    }

    @Test("are handed over when their JSON is complete, or their boundary has come, before its line ends")
    func early() throws {
        var parser = try MultipartParser(Self.head())
        var parts: [String] = []
        func parse(_ text: String) throws {
            try parser.parse(Data(text.utf8)) { parts.append(String(decoding: $0, as: UTF8.self)) }
        }
        try parse("--graphql\r\n\r\n{\"a\":[\"}]\\\"}\"]")
        #expect(parts == [])
        try parse("}")
        #expect(parts == ["{\"a\":[\"}]\\\"}\"]}"])
        try parse("\r\n \t\r\n--graphql\r\n\r\n1\r\n--graphql")
        #expect(parts.last == "1")
        #expect(!parser.isComplete)
        try parse("-")
        #expect(!parser.isComplete)
        try parse("-")
        #expect(parser.isComplete)
    }

    @Test(
        "are handed over with their last brace, whatever lines are in them, and however long the boundary is",
        arguments: ["graphql", String(repeating: "b", count: 70)])
    func lines(boundary: String) throws {
        var parser = try MultipartParser(Self.head("multipart/mixed; boundary=\(boundary)"))
        var parts: [Int] = []
        for json in ["{\"a\":1}", "{\n  \"a\": 1\n}", "[\n-\n-1\n]"] {
            try parser.parse(Data("\r\n--\(boundary)\r\n\r\n\(json)".utf8)) { parts.append($0.count) }
            #expect(parts.last == json.utf8.count)
        }
        #expect(parts.count == 3)
    }

    @Test(
        "are refused when they are malformed",
        arguments: [
            ("multipart/mixed; boundary=\"\"", "--\r\n\r\n{}\r\n----"),
            ("multipart/mixed; boundary=\(String(repeating: "b", count: 71))", ""),
            ("multipart/mixed; boundary=x", "--x\r\nContent-Type: text/html\r\n\r\n<p>\r\n--x--"),
            ("multipart/mixed; boundary=x", "--xy\r\n\r\n{}\r\n--xy--"),
            ("multipart/mixed; boundary=x", "--x- \r\n\r\n{}\r\n--x--"),
        ])
    func malformed(type: String, body: String) {
        #expect(Self.read([Data(body.utf8)], Self.head(type)).error?.code == .badResponse)
    }

    @Test(
        "have bounds",
        arguments: [
            (String(repeating: "a", count: 17 << 10), ""),
            ("--x\r\nX: \(String(repeating: "a", count: 17 << 10))", ""),
            ("--x\(String(repeating: " ", count: 17 << 10))", ""),
            ("--x\r\n\r\n", "a"),
        ])
    func bounds(start: String, filler: String) {
        var pieces = [Data(start.utf8)]
        if !filler.isEmpty {
            pieces += Array(repeating: Data(String(repeating: filler, count: 1 << 20).utf8), count: 17)
        }
        #expect(Self.read(pieces, Self.head("multipart/mixed; boundary=x")).error?.code == .tooLarge)
    }

    @Test(
        "cost as much as their bytes, however many or long they are, and however they arrive", arguments: [false, true])
    func cost(isOne: Bool) {
        func time(_ count: Int, piece: Int) -> Duration {
            let text =
                isOne
                ? "--x\r\n\r\n[\(String(repeating: "{\"a\":\"}\"},\r\n\r\n", count: count))1]\r\n"
                : String(repeating: "--x\r\n\r\n{\"a\":1}\r\n", count: count)
            let body = Data("\(text)--x--".utf8)
            let pieces = stride(from: 0, to: body.count, by: piece).map { Data(body[$0..<min($0 + piece, body.count)]) }
            return cpuTime {
                #expect(Self.read(pieces, Self.head("multipart/mixed; boundary=x")).parts.count == (isOne ? 1 : count))
            }
        }
        for piece in [1, 1000, 1 << 30] {
            _ = time(1000, piece: piece)
            let ratio = time(16_000, piece: piece) / time(4_000, piece: piece)
            #expect(ratio < 9, "in pieces of \(piece)")
        }
    }

    @Test(
        "have their boundary from a parameter, in any case, perhaps in quotes",
        arguments: [
            ("multipart/mixed; boundary=abc", "abc"), ("multipart/mixed;BOUNDARY=\"a;b=c\";x=1", "a;b=c"),
            ("multipart/mixed; x=\"boundary=no\"; boundary = no; boundary=yes", "yes"),
            ("multipart/mixed; boundary=\"a\\\"b\"", "a\"b"), ("multipart/mixed", nil),
            ("multipart/mixed; ; boundary", nil),
            ("multipart/mixed; boundary=\"open", "open"),
        ] as [(String, String?)])
    func parameters(type: String, boundary: String?) {
        #expect(MultipartParser.parameter("boundary", of: type) == boundary)
    }
}
