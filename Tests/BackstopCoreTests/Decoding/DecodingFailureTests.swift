import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopCore

@Suite("Decoding failures", .limited)
struct DecodingFailureTests {
    struct Shelf: Decodable {
        struct Item: Decodable {
            let title: String
            let price: Double
            var firstName: String?
            var password: Int?
            var date: Date?
        }
        let items: [Item]
    }

    /// Decodes a text that must fail, and explains the failure.
    private static func failure<T: Decodable>(
        _ text: String, as type: T.Type = Shelf.self, contentType: String? = "application/json",
        snakeCase: Bool = false
    ) throws -> DecodingFailure {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        if snakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        let error = try #require(throws: (any Error).self) { _ = try decoder.decode(type, from: Data(text.utf8)) }
        return DecodingFailure(error, decoding: type, from: Array(text.utf8), contentType: contentType)
    }

    @Test("a value of another type is named with its place, both types, and the text around it")
    func typeMismatch() throws {
        let text = #"{"items":[{"title":"A","price":1},{"title":"B","price":"9,50"}]}"#
        let failure = try Self.failure(text)
        #expect(failure.kind == .typeMismatch)
        #expect(failure.path == "$.items[1].price")
        #expect(failure.expected == "a number (Double)")
        #expect(failure.found == #"string "9,50""#)
        #expect(failure.byteOffset == 55)
        #expect(failure.excerpt?.contains(#""price":"9,50""#) == true)
        #expect(
            failure.explanation == "The content could not be read: $.items[1].price should be a number (Double), "
                + "but is the string \"9,50\".")
    }

    @Test("a missing key is named with the keys that are there, and with the one that was probably meant")
    func missingKey() throws {
        let failure = try Self.failure(#"{"items":[{"id":1,"titel":"A"}]}"#)
        #expect(failure.kind == .missingKey)
        #expect(failure.path == "$.items[0]")
        #expect(failure.expected == #"the key "title""#)
        #expect(failure.found == #"object with keys id, titel (similar: "titel")"#)
        #expect(failure.byteOffset == 10)
        let other = try Self.failure(#"{"things":[]}"#)
        #expect(other.found == "object with the key things")
        #expect(other.path == "$")
    }

    @Test("null where a value is needed is a missing value")
    func missingValue() throws {
        let failure = try Self.failure(#"{"items":[{"title":null,"price":1}]}"#)
        #expect(failure.kind == .missingValue)
        #expect(failure.explanation.hasSuffix("$.items[0].title should be a string (String), but is null."))
    }

    @Test("an object where an array should stand is told without the decoder's inner types")
    func containers() throws {
        let array = try Self.failure(#"{"items":{"a":1}}"#)
        #expect(array.explanation.hasSuffix("$.items should be an array, but is an object with the key a."))
        let object = try Self.failure(#"{"items":[[1,2]]}"#)
        #expect(object.explanation.hasSuffix("$.items[0] should be an object, but is an array of 2."))
    }

    @Test("a date in another format is corrupted, with the decoder's words")
    func date() throws {
        let failure = try Self.failure(#"{"items":[{"title":"A","price":1,"date":"05.03.2024"}]}"#)
        #expect(failure.kind == .corrupted)
        #expect(Failure(failure).report.contains("next:     Have the server send dates such as 2026-01-31T10:00:00Z"))
    }

    /// The errors that Foundation gives for one body, before iOS 17 and macOS 14 and since: the words, how much of the path
    /// it has, and what is told.
    private static let errors: [(body: String, words: String, depth: Int, told: String)] = [
        (#"{"a":[{"d":"x"}]}"#, isoWords, 3, #"$.a[0].d should be a date in ISO 8601, but is the string "x"."#),
        (
            #"{"a":[{"d":"x"}]}"#, isoWords, 2,
            "$.a[0] should be an object whose dates are in ISO 8601, but is an object with the key d."
        ),
        (#"{"a":["x"]}"#, isoWords, 1, "$.a should be an array whose dates are in ISO 8601, but is an array of 1."),
        (
            #"{"a":[{"d":300}]}"#, "Parsed JSON number <300> does not fit in UInt8.", 3,
            "$.a[0].d should be a number that fits its type, but is the number 300."
        ),
        (
            #"{"a":[{"d":300}]}"#, "Number 300 is not representable in Swift.", 3,
            "$.a[0].d should be a number that fits its type, but is the number 300."
        ),
        (
            #"{"a":[{"d":300}]}"#, "Number 300 is not representable in Swift.", 0,
            "$ should be JSON whose numbers fit their types, but is an object with the key a."
        ),
    ]

    private static let isoWords = "Expected date string to be ISO8601-formatted."

    @Test("an older Foundation's error is told as today's", arguments: errors)
    func foundations(body: String, words: String, depth: Int, told: String) {
        struct Step: CodingKey {
            var stringValue: String
            var intValue: Int?
            init(stringValue: String) { self.stringValue = stringValue }
            init(intValue: Int) { (stringValue, self.intValue) = ("Index \(intValue)", intValue) }
        }
        let path = [Step(stringValue: "a"), Step(intValue: 0), Step(stringValue: "d")].prefix(depth)
        let error = DecodingError.dataCorrupted(.init(codingPath: Array(path), debugDescription: words))
        let failure = DecodingFailure(
            error, decoding: Shelf.self, from: Array(body.utf8), contentType: "application/json")
        // The decoder's words may follow.
        #expect(failure.explanation.hasPrefix("The content could not be read: " + told), "\(failure.explanation)")
    }

    @Test("an unknown case is corrupted, with the value that is not known")
    func corrupted() throws {
        let failure = try Self.failure(#"[{"colour":"red"},{"colour":"teal"}]"#, as: [Paint].self)
        #expect(failure.kind == .corrupted)
        #expect(failure.path == "$[1].colour")
        #expect(failure.expected == "a value that can be read")
        #expect(failure.found == #"string "teal""#)
        #expect(failure.explanation.contains("teal"))
    }

    struct Paint: Decodable {
        enum Colour: String, Decodable { case red, blue }
        let colour: Colour
    }

    @Test("a place is found although the decoder converts keys")
    func snakeCase() throws {
        let failure = try Self.failure(
            #"{"items":[{"title":"A","price":1,"first_name":5}]}"#, snakeCase: true)
        #expect(failure.found == "number 5")
        #expect(failure.byteOffset == 46)
    }

    @Test("an empty body is called empty", arguments: ["", " \r\n\t"])
    func empty(text: String) throws {
        let failure = try Self.failure(text)
        #expect(failure.kind == .empty)
        #expect(failure.excerpt == nil)
        #expect(failure.byteOffset == nil)
        #expect(failure.explanation.hasSuffix("JSON (DecodingFailureTests.Shelf) was expected, but the body is empty."))
    }

    @Test(
        "a sign-in page is called one, whatever its content type says",
        arguments: ["text/html; charset=utf-8", "application/json", nil])
    func signIn(contentType: String?) throws {
        let page = "\n<!DOCTYPE html>\n<TITLE class=x>Sign in\n &amp; go &amp;lt;</TITLE><body></body>"
        let failure = try Self.failure(page, contentType: contentType)
        #expect(failure.kind == .html)
        #expect(failure.found == #"an HTML page titled "Sign in & go &lt;", which looks like a sign-in page"#)
        #expect(
            failure.explanation
                == #"The server sent an HTML page titled "Sign in & go &lt;", probably a sign-in page, "#
                + "where JSON (DecodingFailureTests.Shelf) was expected: the session may have ended, or a proxy may "
                + "have answered."
        )
    }

    @Test("another web page is told by its title")
    func page() throws {
        let failure = try Self.failure("<html><title>502 Bad Gateway</title><h1>502</h1>", contentType: "text/html")
        #expect(
            failure.explanation
                == #"The server sent an HTML page titled "502 Bad Gateway", where JSON (DecodingFailureTests.Shelf) "#
                + #"was expected."#
        )
        #expect(try Self.failure("Not today", contentType: "text/html").found == "an HTML page")
        #expect(try Self.failure("{}", contentType: "text/html").kind == .missingKey)
    }

    @Test("a cut body is called cut")
    func truncated() throws {
        let failure = try Self.failure(#"{"items":[{"title":"A","pri"#)
        #expect(failure.kind == .truncated)
        #expect(failure.found == "JSON that ends in the middle of a value, after 27 bytes")
        #expect(failure.byteOffset == 27)
    }

    @Test("a fault in JSON is named with its line and column")
    func syntax() throws {
        let failure = try Self.failure("{\"items\": [\n  {\"title\" \"A\"}]}")
        #expect(failure.kind == .notJSON)
        #expect(
            failure.found == #"JSON with a syntax error at line 2, column 12: unexpected quote where ":" is "#
                + #"expected"#)
    }

    @Test("what is no JSON at all is told as what it is")
    func otherFormats() throws {
        #expect(try Self.failure("Service down", contentType: nil).found == #"text, not JSON: "Service down""#)
        #expect(try Self.failure("<a><b/></a>", contentType: "text/xml").found == "markup, not JSON")
        #expect(try Self.failure("\u{0}\u{1}\u{2}", contentType: nil).found == "binary data, not JSON")
    }

    @Test("nesting that is too deep is told as that")
    func deep() throws {
        let failure = try Self.failure(String(repeating: "[", count: 600) + String(repeating: "]", count: 600))
        #expect(failure.kind == .tooDeep)
        #expect(failure.byteOffset == 64)
    }

    @Test("any other error is kept in words")
    func otherError() {
        struct Odd: Error, CustomStringConvertible { let description = "the moon is full, token=abc" }
        let failure = DecodingFailure(Odd(), decoding: Shelf.self, from: Array("{}".utf8), contentType: nil)
        #expect(failure.kind == .corrupted)
        #expect(failure.detail == "the moon is full, token=<redacted>")
        #expect(failure.explanation.contains("the moon is full"))
    }

    @Test("a body in pieces is read like any other")
    func pieces() {
        let error = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))
        let body = ["[1", ",]"].map { Array($0.utf8) }.joined()
        let failure = DecodingFailure(error, decoding: [Int].self, from: Array(body)[0...], contentType: nil)
        #expect(failure.byteOffset == 3)
        let lazily = DecodingFailure(error, decoding: [Int].self, from: "[1,]".utf8, contentType: nil)
        #expect(lazily.byteOffset == 3)
    }

    @Test("no secret is in any of the texts")
    func secrets() throws {
        let filler = String(repeating: #"{"title":"x","price":1},"#, count: 40)
        for secret in [
            #"{"title":"B","price":1,"password":"zq1"}"#,
            #"{"token":"zq2","title":"B","price":"Bearer zq3"}"#,
            #"{"credentials":{"user":"zq4","x":["zq5"]},"price":"eyJzq6.eyJzq7.zq8"}"#,
            #"{"title":"\x","m":"https://ann:zq9@a.example/?api_key=zq10"}"#,
            #"{"t":"eyJzq11.eyJzq12.zq13","secret":"zq14"zq15,"x"}"#,
        ] {
            for text in ["{\"items\":[\(secret)]}", "{\"items\":[\(filler)\(secret),1]}"] {
                let failure = try Self.failure(text)
                let all = [failure.found, failure.excerpt ?? "", failure.detail, failure.explanation, failure.expected]
                #expect(!all.joined(separator: "\n").contains("zq"), "\(failure)")
            }
        }
        #expect(
            try Self.failure(#"{"items":[{"title":"B","price":1,"password":"zq1"}]}"#).found == "string <redacted>")
    }

    @Test("cut anywhere, a body gives bounded texts without secrets", arguments: Seed.ofRun)
    func cuts(seed: Seed) {
        var random = seed.numbers
        let text = Array(
            (#"{"items":[{"title":"A \"q\"","token":"zq1"},"#
                + #"{"u":"https://ann:zq2@a.example/?sig=zq3","m":"Basic Qzq4"},"#
                + #"{"pass\u0077ord":["zq5",{"a":"zq6"}],"x":"eyJhbGciOizq7.eyJzq8.zq9"}],"n":[1,2,3]}"#).utf8)
        let paths: [[JSONPathElement]] = [[], [.key("items"), .index(2), .key("x")], [.key("n"), .index(9)]]
        for length in 0...text.count {
            var body = Array(text.prefix(length))
            // A fault between two members, not inside of a token, of which nothing would be left to recognise.
            let commas = body.indices.filter { body[$0] == 0x2C }
            if Bool.random(using: &random), let comma = commas.randomElement(using: &random) {
                body.insert(contentsOf: "!?".utf8, at: comma + 1)
            }
            for path in paths {
                let keys = path.map { Key($0) }
                let error = DecodingError.dataCorrupted(.init(codingPath: keys, debugDescription: "no"))
                let failure = DecodingFailure(error, decoding: Shelf.self, from: body, contentType: nil)
                let all = [failure.found, failure.excerpt ?? "", failure.explanation].joined(separator: "\n")
                #expect(!all.contains("zq"), "\(String(decoding: body, as: UTF8.self))\n\(all)")
                #expect(all.unicodeScalars.count < 1500)
            }
        }
    }

    @Test("megabytes of garbage are bounded in text and time", arguments: Seed.ofRun)
    func garbage(seed: Seed) {
        var random = seed.numbers
        let error = DecodingError.typeMismatch(
            Int.self, .init(codingPath: [Key(.key("a")), Key(.index(3))], debugDescription: ""))
        let noise = (0..<500_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let bodies = [
            noise, [0x7B, 0x22] + noise, Array("<html>".utf8) + noise,
            Array("{\"a\":\"".utf8) + [UInt8](repeating: 0x61, count: 500_000),
            [UInt8](repeating: 0x5B, count: 500_000), [UInt8](repeating: 0x22, count: 500_000),
            [UInt8](repeating: 0x3C, count: 500_000),
        ]
        for body in bodies {
            let corrupted = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))
            for error in [error, corrupted] {
                let time = cpuTime {
                    let failure = DecodingFailure(error, decoding: Shelf.self, from: body, contentType: nil)
                    #expect(failure.explanation.unicodeScalars.count < 1000)
                    #expect((failure.excerpt ?? "").unicodeScalars.count <= 163)
                }
                #expect(time < .seconds(20))
            }
        }
    }

    @Test("similar keys are found, and others are not taken for them")
    func similarKeys() {
        #expect(SimilarKey.find("title", among: ["id", "titel"]) == "titel")
        #expect(SimilarKey.find("userName", among: ["user", "user_name", "usrName"]) == "user_name")
        #expect(SimilarKey.find("ID", among: ["id"]) == "id")
        #expect(SimilarKey.find("id", among: ["is", "ie"]) == nil)
        #expect(SimilarKey.find("price", among: ["title", "prefix"]) == nil)
        #expect(SimilarKey.find("", among: [""]) == nil)
    }

    /// A coding key as decoders make them.
    struct Key: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(_ element: JSONPathElement) {
            switch element {
            case .key(let key): (stringValue, intValue) = (key, nil)
            case .index(let index): (stringValue, intValue) = ("Index \(index)", index)
            }
        }
        init?(stringValue: String) { self.init(.key(stringValue)) }
        init?(intValue: Int) { self.init(.index(intValue)) }
    }

    @Test("a long secret leaves room for what stands behind it")
    func longSecret() throws {
        let secret = String(repeating: "s", count: 400)
        let failure = try Self.failure(#"{"password":"\#(secret)","id":"x"}"#)
        #expect(failure.excerpt == #"{"password":"<redacted>","id":"x"}"#)
    }

    private struct Step: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// What a decoder says of a place, whether it is there or not.
    private static func failure(
        at path: String..., in text: String, complaint: (DecodingError.Context) -> DecodingError
    ) -> DecodingFailure {
        let context = DecodingError.Context(
            codingPath: path.map(Step.init(stringValue:)), debugDescription: "Cannot read hunter2.")
        return DecodingFailure(
            complaint(context), decoding: Shelf.self, from: Array(text.utf8), contentType: "application/json")
    }

    @Test("a place that is not there is described by the nearest one that is, and no key is guessed")
    func missingPlace() {
        let text = #"{"a":{"titel":1}}"#
        let value = Self.failure(at: "a", "b", in: text) { .valueNotFound(Int.self, $0) }
        #expect(value.found == "nothing: the nearest place that exists is object with the key titel")
        let key = Self.failure(at: "a", "b", in: text) { .keyNotFound(Step(stringValue: "title"), $0) }
        #expect(!key.found.contains("similar"))
        let near = Self.failure(at: "a", in: text) { .keyNotFound(Step(stringValue: "title"), $0) }
        #expect(near.found.contains(#"(similar: "titel")"#))
    }

    @Test("what the decoder says of a secret is left out, and so is the secret, whatever its type")
    func secretPlace() {
        let text = Self.failure(at: "password", in: #"{"password":"hunter2"}"#) { .dataCorrupted($0) }
        #expect(text.detail == "<redacted>")
        #expect(text.found == "string <redacted>")
        let bool = Self.failure(at: "password", in: #"{"password":true}"#) { .typeMismatch(String.self, $0) }
        #expect(bool.found == "a boolean")
        let other = Self.failure(at: "size", in: #"{"size":true}"#) { .typeMismatch(String.self, $0) }
        #expect(other.found == "true")
    }

    @Test("a key that is empty, or has signs, stands in quotes in the path")
    func oddKeys() {
        let failure = Self.failure(at: "", "a b", "c", in: "{}") { .typeMismatch(String.self, $0) }
        #expect(failure.path == #"$[""]["a b"].c"#)
    }

    @Test("an optional type is called what it wraps")
    func optionalType() {
        let failure = Self.failure(at: "a", in: #"{"a":"x"}"#) { .typeMismatch(Int?.self, $0) }
        #expect(failure.expected == "a whole number (Int)")
    }

    @Test("gives the decoder's own error by its type")
    func decoderError() {
        let failure = Self.failure(at: "a", in: "{}") { .valueNotFound(Int.self, $0) }
        #expect(Failure(failure).error(as: DecodingError.self) != nil)
    }
}
