import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The depth of a body", .limited)
struct DepthTests {
    /// Decodes itself to any depth, as comments with answers do.
    private struct Node: Decodable, Sendable {
        let children: [Node]

        init(from decoder: any Decoder) throws {
            children = try [Node](from: decoder)
        }
    }

    private struct Holder: Decodable, Sendable {
        let value: JSONValue
        let title: String
    }

    /// An app's error whose fields hold anything.
    private struct AnyError: APIError {
        static let identifyingKeys = ["error"]
        let error: JSONValue
        var failureCode: String { "any" }
        var failureMessage: String? { nil }
    }

    /// Decodes a text within the text, at the path that the outer text has as well.
    private struct Within: Decodable, Sendable {
        struct Inner: Decodable, Sendable { let value: JSONValue }
        let outer: JSONValue
        let inner: JSONValue

        init(from decoder: any Decoder) throws {
            outer = try [String: JSONValue](from: decoder)["value"] ?? .null
            inner = try JSONDecoder().decode(Inner.self, from: Data((outer["text"]?.string ?? "").utf8)).value
        }
    }

    @Test("a value is what the decoder has, also where a text stands within the text, and keys are converted")
    func guides() throws {
        // given
        let inner = #"{"value":{"text":[1,null,"x"],"b":{"c":1.5}}}"#
        let escaped = inner.replacingOccurrences(of: "\"", with: "\\\"")
        let response = HTTP.Response(status: 200, body: Data(#"{"value":{"text":"\#(escaped)","b":true}}"#.utf8))
        // when
        let within = try response.json(Within.self)
        // then
        #expect(within.outer == ["text": .string(inner), "b": true])
        #expect(within.inner == ["text": [1, .null, "x"], "b": ["c": 1.5]])
        // given
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = Data(#"{"title":"a","value":{"first_name":{"last_name":[1,true,{"a_b":null}]}}}"#.utf8)
        // then
        let held = try HTTP.Response(status: 200, body: body).json(Holder.self, decoder: decoder)
        #expect(held.value == ["first_name": ["last_name": [1, true, ["a_b": .null]]]])
    }

    private static func nested(_ depth: Int, in open: String = "", _ close: String = "") -> Data {
        Data((open + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + close).utf8)
    }

    @Test("of 64 levels fits a stack of 512 KiB, in an app's own type and in a value")
    func allowed() async {
        let isRead = await onSmallStack {
            let response = HTTP.Response(status: 200, body: Self.nested(64))
            let held = HTTP.Response(status: 200, body: Self.nested(63, in: #"{"title":"","value":"#, "}"))
            return (try? response.json(Node.self)) != nil && (try? response.json(JSONValue.self)) != nil
                && (try? held.json(Holder.self)) != nil
        }
        #expect(isRead)
    }

    @Test("beyond 64 levels is refused before a decoder recurses into it", arguments: [65, 250, 511, 100_000])
    func refused(depth: Int) async {
        let kinds = await onSmallStack {
            let plain = HTTP.Response(status: 200, body: Self.nested(depth))
            let held = HTTP.Response(status: 200, body: Self.nested(depth, in: #"{"title":"","value":"#, "}"))
            func kind<Value: Decodable>(_ type: Value.Type, _ response: HTTP.Response) -> DecodingFailure.Kind? {
                do {
                    _ = try response.json(type)
                    return nil
                } catch {
                    return error.kind
                }
            }
            return [
                kind(Node.self, plain), kind(JSONValue.self, plain), kind([JSONValue].self, plain),
                kind(Holder.self, held), kind([String: JSONValue].self, held), kind(ProblemDetails.self, held),
            ]
        }
        #expect(kinds == Array(repeating: .tooDeep, count: 6))
    }

    @Test("is counted behind what hides brackets, for decoders of JSON5 and in UTF-16 and UTF-32")
    func otherTexts() async throws {
        let kinds = await onSmallStack { () -> [DecodingFailure.Kind?] in
            let decoder = JSONDecoder()
            decoder.allowsJSON5 = true
            let brackets = String(repeating: "[", count: 300)
            func kind(_ data: Data?, _ decoder: JSONDecoder) -> DecodingFailure.Kind? {
                do {
                    _ = try HTTP.Response(status: 200, body: data ?? Data()).json(Node.self, decoder: decoder)
                    return nil
                } catch {
                    return error.kind
                }
            }
            let open = JSONDecoder()
            open.assumesTopLevelDictionary = true
            return [
                kind(Data(#"/* " */ \#(brackets)"#.utf8), decoder), kind(Data("// \"\n\(brackets)".utf8), decoder),
                kind(Data("['\"',\(brackets)".utf8), decoder),
                kind("[\"∢\",\(brackets)".data(using: .utf16LittleEndian), JSONDecoder()),
                kind("[\"∢\",\(brackets)".data(using: .utf16BigEndian), JSONDecoder()),
                kind(brackets.data(using: .utf16), JSONDecoder()), kind(brackets.data(using: .utf32), JSONDecoder()),
                kind(brackets.data(using: .utf32LittleEndian), JSONDecoder()),
                kind(Data(#""a":{},"b":\#(brackets)"#.utf8), open),
            ]
        }
        #expect(kinds == Array(repeating: .tooDeep, count: 9))
    }

    @Test("ends a number that is the whole text, for decoders of JSON5, which would read on in memory")
    func lastNumber() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        for (text, value) in [("1", 1.0), ("1.5", 1.5), ("2.", 2), ("0x1F", 31), ("-1e3", -1000)] {
            // given: digits behind the body
            let body = Data("\(text)8085]".utf8).prefix(text.utf8.count)
            // then
            #expect(try HTTP.Response(status: 200, body: body).json(Double.self, decoder: decoder) == value)
        }
    }

    @Test(
        "counts no brackets in strings, and none that are closed again",
        arguments: [
            "[\"" + String(repeating: "[", count: 100) + "\"]", "[\"\\\"" + String(repeating: "{", count: 100) + "\"]",
            "[" + String(repeating: "[[]],", count: 100) + "1]", #"["\\",1,"]"]"# + String(repeating: " ", count: 100),
        ])
    func harmless(json: String) throws {
        let data = Data(json.utf8)
        #expect(try HTTP.Response(status: 200, body: data).json(JSONValue.self).isNull == false)
        let wide = try #require(json.data(using: .utf16LittleEndian))
        #expect(try HTTP.Response(status: 200, body: wide).json(JSONValue.self).isNull == false)
    }

    @Test("of an error body is refused as well; the status is then what is told", arguments: [65, 500, 10_000])
    func errorBodies(depth: Int) async throws {
        // given
        let body = String(decoding: Self.nested(depth, in: #"{"error":"#, "}"), as: UTF8.self)
        let any = try Rig(.json(422, body)).standard(apiError: AnyError.self)
        let problem = try Rig(.json(422, body, headers: ["Content-Type": "application/problem+json"]))
            .standard(apiError: ProblemDetails.self)
        for client in [any, problem] {
            // when
            let failure = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
            // then
            #expect(failure?.code == "status.422")
        }
    }
}
