import Backstop
import BackstopCore
import BackstopTestSupport
import Foundation
import Testing

@Suite("A value that Foundation says too little about", .limited)
struct UnfitNumberTests {
    private struct Item: Decodable {
        var count: Int?
        var small: UInt8?
        var price: Double?
        var pin: Int?
        var firstName: Int?
        var date: Date?
    }

    private struct List: Decodable {
        var items: [Item]
    }

    private func failure<Value: Decodable>(
        _ text: String, as type: Value.Type = List.self, decoder: JSONDecoder? = nil
    ) throws -> DecodingFailure {
        let response = HTTP.Response(status: 200, body: Data(text.utf8))
        return try #require(throws: DecodingFailure.self) { _ = try response.json(type, decoder: decoder) }
    }

    @Test(
        "is a number that does not fit, with its place",
        arguments: [
            (#"{"items":[{"price":1.5},{"count":1.5}]}"#, "$.items[1].count", "number 1.5"),
            (
                #"{"items":[{"count":100},{"count":100000000000000000000}]}"#, "$.items[1].count",
                "number 100000000000000000000"
            ),
            (#"{"items":[{"price":-1},{"small":-1}]}"#, "$.items[1].small", "number -1"),
            (
                #"{"a":[1.5,[-300]],"items":[{"count":255,"small":255},{"x":{"small":256},"small":256}]}"#,
                "$.items[1].small", "number 256"
            ),
            (#"{"items":[{"price":1e400}]}"#, "$.items[0].price", "number 1e400"),
            (#"{"items":[{"pin":12.5}]}"#, "$.items[0].pin", "number <redacted>"),
        ])
    func located(text: String, path: String, found: String) throws {
        let failure = try failure(text)
        #expect(failure.kind == .corrupted)
        #expect(failure.path == path)
        #expect(failure.found == found)
        #expect(
            failure.explanation
                == "The content could not be read: \(path) should be a number that fits its type, but is "
                + "the \(found).")
        #expect(Failure(failure).report.contains("Declare the property with a type that has room"))
    }

    @Test("is found at the top, in lists, and whatever the decoder does with keys")
    func places() throws {
        #expect(try failure("1.5", as: Int.self).path == "$")
        #expect(try failure("[1, [2], [300]]", as: [[UInt8]].self).kind == .typeMismatch)
        #expect(try failure("[[1], [2, 300]]", as: [[UInt8]].self).path == "$[1][1]")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try failure(#"{"items":[{"first_name":1.5}]}"#, decoder: decoder).path == "$.items[0].first_name")
    }

    /// Counts how often it is decoded.
    private struct Counted: Decodable {
        @TaskLocal static var count = Lock(0)
        var numbers: [Int]

        init(from decoder: any Decoder) throws {
            Self.count.withLock { $0 += 1 }
            numbers = try [Int](from: decoder)
        }
    }

    @Test("costs a few more decodings, and in a large body one", arguments: [(20_000, 18), (200_000, 2)])
    func cost(count: Int, decodings: Int) throws {
        let numbers = (0..<count).map { $0 == count - 2 ? "1.5" : "\($0 % 1000)" }
        try Counted.$count.withValue(Lock(0)) {
            let failure = try failure("[\(numbers.joined(separator: ","))]", as: Counted.self)
            #expect(Counted.count.withLock { $0 } <= decodings)
            #expect(failure.path == (decodings == 2 ? "$" : "$[\(count - 2)]"))
            #expect(!failure.explanation.contains("valid JSON"))
        }
    }

    @Test("is not blamed for what an app's type refuses")
    func others() throws {
        struct Refusing: Decodable {
            init(from decoder: any Decoder) throws {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "I want another."))
            }
        }
        #expect(try failure("[100]", as: Refusing.self).detail == "I want another.")

        struct Limits: Decodable {
            init(from decoder: any Decoder) throws {
                let values = try [String: Int](from: decoder)
                guard values["low", default: 0] <= values["high", default: 0] else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: decoder.codingPath, debugDescription: "low is above high"))
                }
            }
        }
        let failure = try failure(#"{"low":500,"high":100}"#, as: Limits.self)
        #expect(failure.path == "$")
        #expect(failure.detail == "low is above high")
        #expect(failure.expected == "JSON (UnfitNumberTests.Limits)")
    }

    @Test(
        "is told from an app's sentence that sounds like it",
        arguments: [
            ("Parsed JSON number <300> does not fit in UInt8.", true),
            ("Number 300 is not representable in Swift.", true), ("The item does not fit in the box.", false),
            ("This order is not representable here.", false), ("The voucher is not valid JSON.", false),
        ])
    func sentences(words: String, isUnfit: Bool) {
        let error = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: words))
        let failure = DecodingFailure(error, decoding: UInt8.self, from: Array("300".utf8), contentType: nil)
        #expect(failure.expected == (isUnfit ? "a number that fits its type" : "JSON (UInt8)"))
        #expect(failure.detail == (isUnfit ? "" : words))
    }

    @Test("is a date, where a string with one stands and the decoder was not told how dates are written")
    func date() throws {
        let failure = try failure(#"{"items":[{"date":"2026-01-31T10:00:00Z"}]}"#)
        #expect(failure.path == "$.items[0].date")
        #expect(
            failure.explanation.contains("should be a date (Date) as a number, or a number (Double), but is the string")
        )
        #expect(Failure(failure).report.contains("If it is a Date, set the decoder's dateDecodingStrategy"))
        // then: any other string is no date
        #expect(try self.failure(#"{"items":[{"price":"2026"}]}"#).expected == "a number (Double)")
    }
}
