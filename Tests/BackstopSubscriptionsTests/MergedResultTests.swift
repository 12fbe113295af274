import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopSubscriptions

@Suite("The parts that a result is put together from", .limited)
struct MergedResultTests {
    struct Account: GraphQL.Operation {
        struct Data: Decodable, Sendable, Equatable {
            var balance: Decimal
            var id: UInt64
            var share: Double?
        }
        var document = GraphQL.Document(text: "query Account { balance ... @defer { id share } }")
    }

    private static let first = #"{"data":{"person":{"name":"Luke","films":[{"title":"a"}]}},"hasNext":true"#

    private static func read(
        _ parts: [String]
    ) async throws -> (parts: [GraphQL.Increment<IncrementTests.Person.Data>], failure: Failure?) {
        try await IncrementTests.read(IncrementTests.stub(parts))
    }

    /// What is made of responses; as text, with sorted keys.
    private static func merge(_ parts: [String]) throws -> (merged: MergedResult, data: String) {
        var merged = MergedResult()
        for part in parts {
            try merged.take(Data(part.utf8))
        }
        let value = try JSONValue(parsing: merged.response(HTTP.Response(status: 200)).body)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (merged, String(decoding: try encoder.encode(value["data"]), as: UTF8.self))
    }

    @Test("keep their numbers as they were sent, in one response or in several")
    func numbers() async throws {
        let whole = #"{"data":{"balance":12345678901234.567891,"id":18446744073709551615,"share":0.1}}"#
        let sent = [
            #"{"data":{"balance":12345678901234.567891,"id":1},"hasNext":true}"#,
            #"{"incremental":[{"path":[],"data":{"id":18446744073709551615,"share":1e-1}}],"hasNext":false}"#,
        ]
        let expected = Account.Data(
            balance: try #require(Decimal(string: "12345678901234.567891")), id: .max, share: 0.1)
        for stub in [.json(200, whole), IncrementTests.stub(sent)] {
            let client = try SubscriptionTests.client(ScriptedTransport(stub))
            var last: Account.Data?
            for try await part in try await client.fetchIncrementally(Account()) {
                last = part.result.data
            }
            #expect(last == expected)
        }
    }

    @Test("add nothing to a list whose further elements have failed")
    func failedItems() async throws {
        struct List: GraphQL.Operation {
            struct Data: Decodable, Sendable { var names: [String?] }
            var document = GraphQL.Document(text: "query List { names @stream }")
        }
        let transport = ScriptedTransport(
            IncrementTests.stub([
                #"{"data":{"names":["a"]},"hasNext":true}"#,
                #"{"incremental":[{"path":["names",1],"items":null,"errors":[{"message":"gone"}]}],"hasNext":false}"#,
            ]))
        var names: [String?] = []
        var errors = 0
        for try await part in try await SubscriptionTests.client(transport).fetchIncrementally(List()) {
            (names, errors) = (part.result.data.names, part.result.errors.count)
        }
        #expect(names == ["a"])
        #expect(errors == 1)
    }

    @Test(
        "have arrived by their labels unless they failed, in either format",
        arguments: [
            (#""data":{"films":null},"errors":[{"message":"lost"}]"#, true), (#""data":{}"#, true),
            (#""data":null,"errors":[{"message":"lost"}]"#, false),
            (#""items":null,"errors":[{"message":"lost"}]"#, false), (#""data":null"#, true),
        ])
    func labels(content: String, hasArrived: Bool) throws {
        let entry = #"{"label":"part","path":["person"],\#(content)}"#.replacing(
            #"["person"],"items""#, with: #"["person","films",1],"items""#)
        let parts = [Self.first + "}", #"{"incremental":[\#(entry)],"hasNext":false}"#]
        #expect(try Self.merge(parts).merged.labels == (hasArrived ? ["part"] : []))
        // As a part by itself, in Apollo's first format.
        let alone = [Self.first + "}", entry.dropLast() + #","hasNext":false}"#]
        #expect(try Self.merge(alone).merged.labels == (hasArrived ? ["part"] : []))
    }

    @Test("do not turn a number that fits no type into null")
    func hugeNumber() async throws {
        let transport = ScriptedTransport(
            IncrementTests.stub([#"{"data":{"balance":1,"id":2,"share":1e400},"hasNext":false}"#]))
        let stream = try await SubscriptionTests.client(transport).fetchIncrementally(Account())
        let failure = await #expect(throws: Failure.self) { for try await _ in stream {} }
        #expect(failure?.reason.kind == "decoding")
    }

    @Test("are put together at the cost of their bytes, however many there are", arguments: [false, true])
    func cost(areItems: Bool) throws {
        func time(_ count: Int) throws -> Duration {
            let list = Array(repeating: "{\"a\":1}", count: areItems ? 0 : count).joined(separator: ",")
            let entries = (0..<count).map {
                "{\"path\":[\"list\",\($0)],\(areItems ? "\"items\":[{\"a\":1}]" : "\"data\":{\"b\":2}")}"
            }
            let parts = [
                "{\"data\":{\"list\":[\(list)]},\"hasNext\":true}",
                "{\"incremental\":[\(entries.joined(separator: ","))],\"hasNext\":false}",
            ].map { Data($0.utf8) }
            return try cpuTime {
                var merged = MergedResult()
                try parts.forEach { try merged.take($0) }
            }
        }
        _ = try time(500)
        let ratio = try time(16_000) / time(4000)
        #expect(ratio < 8)
    }

    @Test("are refused once more bytes have come than are accepted")
    func longest() throws {
        var merged = MergedResult(longest: 60)
        try merged.take(Data(#"{"data":{},"hasNext":true}"#.utf8))
        try merged.take(Data(#"{"hasNext":true,"incremental":[]}"#.utf8))
        let error = #expect(throws: TransportError.self) { try merged.take(Data("{}".utf8)) }
        #expect(error?.code == .tooLarge)
        #expect(error?.detail == "The parts of the response have more than the 60 bytes accepted")
    }

    @Test("are not put together for a call that is over")
    func cancelled() async throws {
        let entries = Array(repeating: "{\"path\":[],\"data\":{\"a\":1}}", count: 3).joined(separator: ",")
        let merging = Task {
            var merged = MergedResult()
            try merged.take(Data("{\"data\":{},\"hasNext\":true}".utf8))
            withUnsafeCurrentTask { $0?.cancel() }
            try merged.take(Data("{\"incremental\":[\(entries)]}".utf8))
        }
        await #expect(throws: CancellationError.self) { try await merging.value }
    }

    @Test(
        "are refused when a member has another type, an id is known twice or not at all, or a part follows the last one",
        arguments: [
            #"{"incremental":{"path":["person"],"data":{}}}"#, #"{"incremental":[1]}"#, #"{"pending":"0"}"#,
            #"{"completed":{"id":"0"}}"#, #"{"hasNext":"false"}"#, #"{"pending":[{"id":true,"path":[]}]}"#,
            #"{"pending":[{"id":"0"}]}"#, #"{"pending":[{"path":[]}]}"#, #"{"pending":[{"id":"0","path":"person"}]}"#,
            #"{"pending":[{"id":"0","path":[]},{"id":"0","path":["person"]}]}"#,
            #"{"pending":[{"id":"0","path":[],"label":1}]}"#,
            #"{"pending":[{"id":"0","path":[]}],"incremental":[{"id":[],"data":{"name":"a"}}]}"#,
            #"{"pending":[{"id":"0","path":[]}],"incremental":[{"id":"0","subPath":"person","data":{}}]}"#,
            #"{"incremental":[{"path":"person","data":{"name":"a"}}]}"#,
            #"{"incremental":[{"path":["person",1.5],"data":{"name":"a"}}]}"#,
            #"{"incremental":[{"path":["person",null],"data":{"name":"a"}}]}"#,
            #"{"incremental":[{"path":["person"],"data":"a"}]}"#, #"{"incremental":[{"path":["person"],"data":[]}]}"#,
            #"{"incremental":[{"path":["person","films",1],"items":{"title":"b"}}]}"#,
            #"{"path":"person","data":{"name":"a"}}"#, #"{"path":["person","films",2],"data":{"title":"b"}}"#,
            #"{"completed":[{"id":"0"}]}"#, #"{"completed":[{}]}"#, #"{"hasNext":false}|{"hasNext":false}"#,
        ])
    func wrongTypes(text: String) async throws {
        let (_, failure) = try await Self.read([Self.first + "}"] + text.split(separator: "|").map(String.init))
        #expect(failure?.code == "transport.badResponse", "\(failure?.code ?? "an end")")
    }

    @Test("may be null where they may be missing, and have one error that is no list")
    func nulls() async throws {
        let (parts, failure) = try await Self.read([
            Self.first + #","pending":null,"path":null,"label":null}"#,
            #"{"incremental":null,"completed":null,"errors":"down","hasNext":false}"#,
        ])
        #expect(failure == nil)
        #expect(parts.last?.result.errors.map(\.message) == ["down"])
        #expect(parts.last?.result.data.person?.name == "Luke")
    }

    @Test("are missing when one that was announced has not come, whatever says that it was the last")
    func neverCompleted() async throws {
        for (last, code) in [(#"{"hasNext":false}"#, "transport.badResponse"), ("{}", "transport.truncated")] {
            let (parts, failure) = try await Self.read([
                Self.first + #","pending":[{"id":"0","path":["person"]}]}"#, last,
            ])
            #expect(failure?.code == code)
            #expect(parts.map(\.hasNext) == [true])
        }
    }

    @Test("may be followed by others unless one says that it is the last, or the end has come")
    func missingHasNext() async throws {
        let sent = [
            #"{"data":{"person":{"name":"Luke"}}}"#, "{}",
            #"{"incremental":[{"path":["person"],"data":{"homeWorld":{"name":"Tatooine"}}}]}"#,
        ]
        let (parts, failure) = try await Self.read(sent)
        #expect(failure == nil)
        #expect(parts.map(\.hasNext) == [true, true, false])
        #expect(parts.map { $0.result.data.person?.homeWorld?.name } == [nil, "Tatooine", "Tatooine"])
        let (together, _) = try await IncrementTests.read(
            .stream([.bytes(IncrementTests.body(sent))], headers: IncrementTests.headers))
        #expect(together.map(\.hasNext) == [false])
    }

    @Test("are not said to be the last ones beside a failure")
    func lastButWrong() async throws {
        let body = IncrementTests.body([Self.first + "}", #"{"hasNext":false}"#, #"{"hasNext":false}"#])
        let (parts, failure) = try await IncrementTests.read(
            .stream([.bytes(body)], headers: IncrementTests.headers))
        #expect(failure?.code == "transport.badResponse")
        #expect(parts.map(\.hasNext) == [true])
    }

    @Test("may be single elements of a list, as in Apollo's first format")
    func listElements() throws {
        let (merged, data) = try Self.merge([
            #"{"data":{"films":[{"a":1}],"ids":[1]},"hasNext":true}"#,
            #"{"path":["films",1],"data":{"a":2},"hasNext":true}"#,
            #"{"path":["films",1],"data":{"b":3},"hasNext":true}"#,
            #"{"path":["films",2],"data":null,"errors":[{"message":"lost"}],"hasNext":true}"#,
            #"{"path":["films",3],"data":{"a":4},"hasNext":true}"#, #"{"path":["ids",1],"data":2,"hasNext":false}"#,
        ])
        #expect(data == #"{"films":[{"a":1},{"a":2,"b":3},null,{"a":4}],"ids":[1,2]}"#)
        #expect(!merged.hasNext)
    }

    @Test("keep texts with escapes, and the first of members with the same key")
    func texts() throws {
        let text = #"{"a\n\"b":"c\u00e9\/\n","d":[true,false,null,1.50,1E2,{}],"d":1}"#
        let tree = try JSONTree(parsing: Data(text.utf8))
        var written = Data()
        tree.write(to: &written)
        let value = try JSONValue(parsing: written)
        #expect(value["a\n\"b"] == .string("cé/\n"))
        #expect(value["d"] == .array([.bool(true), .bool(false), .null, .double(1.5), .int(100), .object([:])]))
        #expect(String(decoding: written, as: UTF8.self).contains(#"[true,false,null,1.50,1E2,{}]"#))
        for wrong in ["", "{", "[1,]", "{} {}", "{\"a\" 1}", String(repeating: "[", count: 100)] {
            #expect(throws: (any Error).self) { try JSONTree(parsing: Data(wrong.utf8)) }
        }
    }
}
