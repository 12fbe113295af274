import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopCore

@Suite("Scanning JSON without decoding it", .limited)
struct JSONScanTests {
    private static func has(_ keys: [String], _ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { JSONScan.hasTopLevelKeys(keys, in: $0) }
    }

    private static func located(_ path: [JSONPathElement], _ text: String) -> JSONScan.Located? {
        Array(text.utf8).withUnsafeBytes { JSONScan.locate(path, in: $0) }
    }

    private static func problem(_ bytes: [UInt8]) -> JSONScan.Problem? {
        bytes.withUnsafeBytes { JSONScan.firstProblem(in: $0) }
    }

    // MARK: hasTopLevelKeys

    @Test(
        "keys are found at the top level only, and all of them are needed",
        arguments: [
            (["error", "reason"], #"{"error":true,"reason":"no"}"#, true),
            (["reason", "error"], " \n{ \"a\" : [1,{\"x\":2}] , \"error\" : null , \"reason\" : {} }", true),
            (["error"], "\u{FEFF}{\"error\":1}", true),
            (["error", "reason"], #"{"error":true}"#, false),
            (["error"], #"{"data":{"error":true}}"#, false),
            (["error"], #"{"data":[{"error":true}]}"#, false),
            (["error"], #"{"data":"\"error\":1","x":"error"}"#, false),
            (["error"], #"{"data":"}{\\","error":1}"#, true),
            (["error"], #"{"\u0065rror":1}"#, true),
            (["errör/"], #"{"err\u00f6r\/":1}"#, true),
            (["error"], #"{"errors":1,"err":2}"#, false),
            (["error"], #"[{"error":1}]"#, false),
            (["error"], "", false),
            (["error"], #"{"error"}"#, false),
            (["error"], #"{"error"#, false),
            (["error"], #"{} "error":1}"#, false),
            (["error", "reason"], #"{"error":1}{"reason":2}"#, false),
            (["a", "a"], #"{"a":1}"#, true),
            ([], "{}", true),
            ([], "[]", false),
        ])
    func keys(keys: [String], text: String, isThere: Bool) {
        #expect(Self.has(keys, text) == isThere)
    }

    @Test("more keys than fit into one machine word are all looked for")
    func manyKeys() {
        let names = (0..<150).map { "key\($0)" }
        let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        #expect(Self.has(names, text))
        #expect(!Self.has(names + ["other"], text))
    }

    // MARK: locate

    private static let book =
        #"{"data":{"items":[{"id":1,"titel":"A"},{"price":"9,50","n":-1.5e3,"ok":true,"x":null}]}}"#

    @Test(
        "a value is found and described, or else its deepest ancestor",
        arguments: [
            ([.key("data"), .key("items"), .index(1), .key("price")], 4, #""9,50""#, #"string "9,50""#),
            ([.key("data"), .key("items"), .index(1), .key("n")], 4, "-1.5e3", "number -1.5e3"),
            ([.key("data"), .key("items"), .index(1), .key("ok")], 4, "true", "true"),
            ([.key("data"), .key("items"), .index(1), .key("x")], 4, "null", "null"),
            (
                [.key("data"), .key("items"), .index(0), .key("title")], 3, #"{"id":1,"titel":"A"}"#,
                "object with keys id, titel"
            ),
            ([.key("data"), .key("items"), .index(7)], 2, nil, "array of 2"),
            ([.key("data"), .key("items")], 2, nil, "array of 2"),
            ([.key("data"), .key("items"), .key("first")], 2, nil, "array of 2"),
            ([.index(0)], 0, nil, "object with the key data"),
            ([], 0, book, "object with the key data"),
        ] as [([JSONPathElement], Int, String?, String)])
    func locate(path: [JSONPathElement], depth: Int, text: String?, description: String) throws {
        let found = try #require(Self.located(path, Self.book))
        #expect(found.depth == depth)
        #expect(found.description == description)
        if let text {
            #expect(String(decoding: Array(Self.book.utf8)[found.range], as: UTF8.self) == text)
        }
    }

    @Test("a key is found with escapes, by a decoder's key strategy, and by number in an object")
    func looseKeys() {
        #expect(Self.located([.key("key")], #"{"\u006bey":1}"#)?.description == "number 1")
        #expect(Self.located([.key("firstName")], #"{"first_name":1}"#)?.description == "number 1")
        #expect(Self.located([.key("firstName")], #"{"first_name":1,"firstName":2}"#)?.description == "number 2")
        #expect(Self.located([.index(7)], #"{"7":true}"#)?.description == "true")
    }

    @Test("long and empty values are described shortly")
    func shortDescriptions() {
        #expect(Self.located([], "\"" + String(repeating: "ä", count: 5000) + "\"")?.description.count ?? 0 < 80)
        #expect(Self.located([], "[]")?.description == "empty array")
        #expect(Self.located([], "{}")?.description == "object without keys")
        #expect(Self.located([], "\"a\\nb\"")?.description == "string \"a b\"")
        #expect(Self.located([], "   ") == nil)
        let keys = (0..<30).map { "\"k\($0)\":0" }.joined(separator: ",")
        #expect(Self.located([], "{\(keys)}")?.description.hasSuffix("k11 and 18 more") == true)
    }

    // MARK: firstProblem

    @Test(
        "valid JSON has no problem",
        arguments: [
            "{}", "[]", " [ ] ", "null", "0", "-0.5e+10", "\"\\u00e4\\ud83d\\ude00\\n\"", "\"ä😀\"",
            #"{"a":[{"b":{}},[],1]}"#,
            "\u{FEFF}1", "[[[[]]]]", "\"\u{7F}\"",
        ])
    func valid(text: String) {
        #expect(Self.problem(Array(text.utf8)) == nil)
    }

    @Test(
        "the first fault is named with its place",
        arguments: [
            ("[1,]", 3, #"unexpected "]" where a value is expected"#),
            ("[1 2]", 3, #"unexpected "2" where "," or "]" is expected"#),
            (#"{"a" 1}"#, 5, #"unexpected "1" where ":" is expected"#),
            ("{a:1}", 1, #"unexpected "a" where a quoted key is expected"#),
            (#"{"a":1,}"#, 7, #"unexpected "}" where a quoted key is expected"#),
            (#"{"a":1]"#, 6, #"unexpected "]" where "," or "}" is expected"#),
            ("nul!", 3, #"unexpected "!" in what should be null"#),
            ("01", 1, "a number with a leading zero"),
            ("1.x", 2, #"unexpected "x" where a digit is expected"#),
            ("-", 1, "the text ends in the middle of a value"),
            ("{} {}", 3, #"unexpected "{" after the end of the value"#),
            ("\"a\nb\"", 2, "a control character or line break in a string"),
            (#""\x""#, 1, "an unknown escape"),
            (#""\u12G4""#, 1, "\\u without four hexadecimal digits"),
            (#""\ud83d!""#, 7, "half of a surrogate pair"),
            (#""\ude00""#, 7, "half of a surrogate pair"),
            ("<html>", 0, #"unexpected "<" where a value is expected"#),
        ])
    func faults(text: String, offset: Int, message: String) throws {
        let problem = try #require(Self.problem(Array(text.utf8)))
        #expect(problem.offset == offset)
        #expect(problem.message == message)
        #expect(problem.isTruncated == message.contains("ends in the middle"))
    }

    @Test("a place is counted in lines and characters")
    func place() {
        let problem = Self.problem(Array("{\n  \"ä\": 1,\n  \"öö\": ?\n}".utf8))
        #expect(problem?.line == 3)
        #expect(problem?.column == 9)
    }

    @Test("every cut of a JSON object is recognised as a cut")
    func truncated() {
        let text = Array(#" {"a":[1,-2.5e7,true,null,"x\u00e4\ud83d\ude00ö"],"b":{"c":{}}}"#.utf8)
        for length in 1..<text.count {
            #expect(Self.problem(Array(text.prefix(length)))?.isTruncated == true, "cut at \(length)")
        }
    }

    @Test("nesting is followed to 64 levels and no further, without recursion")
    func deep() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(Self.problem(nested(64)) == nil)
        #expect(Self.problem(nested(65))?.isTooDeep == true)
        let bottomless = [UInt8](repeating: 0x5B, count: 1_000_000)
        #expect(Self.problem(bottomless)?.isTooDeep == true)
        bottomless.withUnsafeBytes { bytes in
            #expect(JSONScan.locate([.index(0), .index(0)], in: bytes)?.depth == 2)
        }
    }

    @Test(
        "bytes that are not valid UTF-8 are a problem",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        #expect(Self.problem([0x22] + bytes + [0x22])?.message == "bytes that are not valid UTF-8")
    }

    @Test("a character that is cut by the end is a text that ends too early, and a byte that begins none is not")
    func cutCharacter() {
        for bytes in [[0xC3], [0xE2], [0xE2, 0x82], [0xF0], [0xF0, 0x9F, 0x8D]] as [[UInt8]] {
            #expect(Self.problem([0x22] + bytes)?.isTruncated == true)
        }
        for bytes in [[0x80], [0xC0], [0xC1], [0xF5], [0xFF], [0xE0, 0x80], [0xF4, 0x90]] as [[UInt8]] {
            #expect(Self.problem([0x22] + bytes)?.isTruncated == false)
        }
    }

    @Test(
        "random mutations never stop the program, and have a problem exactly when Foundation cannot read them",
        // With the fixed one, a comma comes before "]".
        arguments: Seed.ofRun(and: [4_162_132_418_330_442_899]))
    func mutations(seed: Seed) {
        var random = seed.numbers
        let original = Array(Self.book.utf8) + Array(#",{"\u0061":"\ud83d\ude00"}"#.utf8)
        for _ in 0..<3000 {
            var bytes = original
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[position] = .random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(position..<min(bytes.count, position + 8))
                default: bytes.insert(contentsOf: "{[\"\\,:}]".utf8.shuffled(using: &random).prefix(2), at: position)
                }
            }
            bytes = [0x5B] + bytes + [0x5D]
            let problem = Self.problem(bytes)
            let isRead = (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
            // Foundation lets a comma pass before "}" and "]", which RFC 8259 does not.
            let isCommaAtEnd = [
                #"unexpected "}" where a quoted key is expected"#, #"unexpected "]" where a value is expected"#,
            ].contains(problem?.message)
            #expect((problem == nil) == isRead || (isRead && isCommaAtEnd), "\(String(decoding: bytes, as: UTF8.self))")
            bytes.withUnsafeBytes { raw in
                _ = JSONScan.hasTopLevelKeys(["a", "data"], in: UnsafeRawBufferPointer(rebasing: raw.dropFirst()))
                let path: [JSONPathElement] = [.index(0), .key("data"), .key("items"), .index(1), .key("price")]
                let found = JSONScan.locate(path, in: raw)
                #expect((found?.range.upperBound ?? 0) <= raw.count)
            }
        }
    }

    @Test("random bytes never stop the program", arguments: Seed.ofRun)
    func noise(seed: Seed) {
        var random = seed.numbers
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            ([0x7B] + bytes).withUnsafeBytes { raw in
                _ = JSONScan.hasTopLevelKeys(["a"], in: raw)
                _ = JSONScan.locate([.key("a"), .index(1)], in: raw)
                // An empty object may have white space behind it.
                let last = bytes.last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
                #expect(JSONScan.firstProblem(in: raw) != nil || last == 0x7D)
            }
        }
    }
}
