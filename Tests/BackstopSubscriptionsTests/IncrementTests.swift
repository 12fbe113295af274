import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopSubscriptions

@Suite("A result that arrives in parts", .limited)
struct IncrementTests {
    /// The person of the specification's examples.
    struct Person: GraphQL.Operation {
        struct Data: Decodable, Sendable, Equatable {
            struct Person: Decodable, Sendable, Equatable {
                var name: String
                var films: [Film]?
                var homeWorld: World?
            }
            struct Film: Decodable, Sendable, Equatable { var title: String }
            struct World: Decodable, Sendable, Equatable { var name: String }
            var person: Person?
        }
        var document = GraphQL.Document(
            text: "query Person { person { name ... @defer { homeWorld { name } } films @stream { title } } }")
    }

    static let headers: HTTP.Headers = ["Content-Type": "multipart/mixed; boundary=\"-\""]

    static func body(_ parts: [String], isClosed: Bool = true) -> String {
        parts.map { "---\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\($0)\r\n" }.joined()
            + (isClosed ? "-----\r\n" : "")
    }

    /// Each part in a piece of its own.
    static func stub(_ parts: [String], isClosed: Bool = true) -> Stub<HTTP.Request, HTTP.Response> {
        .stream(
            [.bytes("---")]
                + parts.map { .bytes("\r\nContent-Type: application/json\r\n\r\n\($0)\r\n---") }
                + (isClosed ? [.bytes("--")] : []), headers: headers)
    }

    static func read(
        _ stub: Stub<HTTP.Request, HTTP.Response>, by delivery: GraphQL.Delivery = .multipart,
        options: GraphQL.Options? = nil
    ) async throws -> (parts: [GraphQL.Increment<Person.Data>], failure: Failure?) {
        let transport = ScriptedTransport(stub)
        let client = try SubscriptionTests.client(transport)
        var parts: [GraphQL.Increment<Person.Data>] = []
        do throws(Failure) {
            for try await part in try await client.fetchIncrementally(Person(), by: delivery, options: options) {
                parts.append(part)
            }
            #expect(transport.requests.count == 1)
            return (parts, nil)
        } catch {
            return (parts, error)
        }
    }

    @Test("of a subscription are refused before anything is sent", arguments: [GraphQL.Delivery.multipart, .events])
    func subscription(delivery: GraphQL.Delivery) async throws {
        let transport = ScriptedTransport()
        let client = try SubscriptionTests.client(transport)
        let failure = await #expect(throws: Failure.self) {
            _ = try await client.fetchIncrementally(SubscriptionTests.Counter(), by: delivery)
        }
        #expect(failure?.code == "request.invalid")
        #expect(failure?.explanation.contains("open it with client.subscribe") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "is decoded again for as long as that costs in proportion to what arrives, and at its end",
        arguments: [true, false])
    func work(ends: Bool) throws {
        // given
        let head = HTTP.Response(status: 200, headers: Self.headers)
        let client = try SubscriptionTests.client(ScriptedTransport())
        var parser = IncrementParser(
            frames: try GraphQL.Delivery.multipart.parser(head, isSubscription: false),
            endpoint: client.prepared(Person(), by: .multipart, nil) { _, _ in }.endpoint, head: head,
            merged: MergedResult(free: 100_000))
        var counts: [Int] = []
        func films(_ part: GraphQL.Increment<Person.Data>) -> Int { part.result.data.person?.films?.count ?? 0 }
        func film(_ index: Int) -> String {
            #"{"incremental":[{"path":["person","films",\#(index)],"items":[{"title":"b"}]}],"hasNext":true}"#
        }
        // when
        let name = String(repeating: "a", count: 10_000)
        let first = #"{"data":{"person":{"name":"\#(name)","films":[]}},"hasNext":true}"#
        for part in [first] + (0..<500).map(film) {
            try parser.parse(Data("---\r\nContent-Type: application/json\r\n\r\n\(part)\r\n".utf8)) {
                counts.append(films($0))
            }
        }
        let steady = counts
        if ends {
            try parser.parse(Data("---\r\n\r\n{\"hasNext\":false}\r\n-----\r\n".utf8)) { counts.append(films($0)) }
        } else {
            #expect(throws: TransportError.self) { try parser.end { counts.append(films($0)) } }
        }
        // then: 26 of 10 KB for what is free and for the first part, and one for every ten to twenty small ones
        #expect(steady.prefix(20) == Array(0..<20)[...])
        #expect((50...80).contains(steady.count), "\(steady.count)")
        #expect(counts.last == 500)
        #expect(counts.count == steady.count + 1)
    }

    /// What the three formats make of one answer.
    static let formats: [(name: String, parts: [String])] = [
        (
            "2022",
            [
                #"{"data":{"person":{"name":"Luke Skywalker","films":[{"title":"A New Hope"}]}},"hasNext":true}"#,
                #"{"incremental":[{"label":"homeWorldDefer","path":["person"],"data":{"homeWorld":{"name":"Tatooine"}}},"#
                    + #"{"label":"filmsStream","path":["person","films",1],"items":[{"title":"The Empire Strikes Back"}]}],"hasNext":true}"#,
                #"{"incremental":[{"label":"filmsStream","path":["person","films",2],"items":[{"title":"Return of the Jedi"}]}],"hasNext":true}"#,
                #"{"hasNext":false}"#,
            ]
        ),
        (
            "2023",
            [
                #"{"data":{"person":{"name":"Luke Skywalker","films":[{"title":"A New Hope"}]}},"#
                    + #""pending":[{"id":"0","path":["person"],"label":"homeWorldDefer"},"#
                    + #"{"id":"1","path":["person","films"],"label":"filmsStream"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"homeWorld":{"name":"Tatooine"}}},"#
                    + #"{"id":"1","items":[{"title":"The Empire Strikes Back"}]}],"completed":[{"id":"0"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"1","items":[{"title":"Return of the Jedi"}]}],"completed":[{"id":"1"}],"hasNext":true}"#,
                #"{"hasNext":false}"#,
            ]
        ),
        (
            "Apollo's first one",
            [
                #"{"data":{"person":{"name":"Luke Skywalker","films":[{"title":"A New Hope"},{"title":"The Empire Strikes Back"},{"title":"Return of the Jedi"}]}},"hasNext":true}"#,
                #"{"label":"homeWorldDefer","path":["person"],"data":{"homeWorld":{"name":"Tatooine"}},"hasNext":true}"#,
                #"{"label":"filmsStream","path":["person"],"data":{},"hasNext":true}"#, #"{"hasNext":false}"#,
            ]
        ),
    ]

    @Test("is all that has come so far, in each of the formats", arguments: formats.indices)
    func merged(index: Int) async throws {
        let (name, sent) = Self.formats[index]
        let (parts, failure) = try await Self.read(Self.stub(sent))
        #expect(failure == nil, "\(name)")
        #expect(parts.map(\.hasNext) == [true, true, true, false], "\(name)")
        let first = try #require(parts.first?.result.data.person)
        #expect(first.name == "Luke Skywalker")
        #expect(first.homeWorld == nil)
        #expect(parts[1].labels.contains("homeWorldDefer"), "\(name)")
        let last = try #require(parts.last)
        #expect(
            last.result.data.person
                == Person.Data.Person(
                    name: "Luke Skywalker",
                    films: ["A New Hope", "The Empire Strikes Back", "Return of the Jedi"].map { .init(title: $0) },
                    homeWorld: .init(name: "Tatooine")), "\(name)")
        #expect(last.labels == ["homeWorldDefer", "filmsStream"], "\(name)")
        #expect(last.result.errors.isEmpty)
    }

    @Test("is one element of parts that arrive together", arguments: formats.indices)
    func together(index: Int) async throws {
        let (name, sent) = Self.formats[index]
        let (parts, failure) = try await Self.read(.stream([.bytes(Self.body(sent))], headers: Self.headers))
        #expect(failure == nil, "\(name)")
        #expect(parts.count == 1, "\(name)")
        #expect(parts.last?.result.data.person?.films?.count == 3, "\(name)")
    }

    @Test("is whole when nothing but what stands behind its last part is missing", arguments: formats.indices)
    func unmarked(index: Int) async throws {
        let (name, sent) = Self.formats[index]
        for missing in [2, 4] {
            let body = String(Self.body(sent).dropLast(missing))
            let (parts, failure) = try await Self.read(.stream([.bytes(body)], headers: Self.headers))
            #expect(failure == nil, "\(name), without the last \(missing)")
            #expect(parts.last?.hasNext == false)
        }
    }

    @Test(
        "fails when it ends before the end of its last part, wherever that is",
        arguments: formats.indices)
    func cut(index: Int) async throws {
        let (name, sent) = Self.formats[index]
        let body = Array(Self.body(sent).utf8)
        for position in stride(from: 0, to: body.count - 9, by: 11) {
            let (parts, failure) = try await Self.read(
                .stream([.data(Data(body[..<position]))], headers: Self.headers))
            #expect(failure?.code == "transport.truncated", "\(name), cut at \(position)")
            #expect(parts.last?.hasNext != false || position > body.count - 30, "\(name), cut at \(position)")
        }
        let (_, failure) = try await Self.read(Self.stub(Array(sent.dropLast())))
        #expect(failure?.code == "transport.truncated", "\(name), without its last part")
    }

    @Test("is one element if the server answers with everything at once")
    func plain() async throws {
        let (parts, failure) = try await Self.read(
            .json(200, #"{"data":{"person":{"name":"Luke","homeWorld":{"name":"Tatooine"}}}}"#))
        #expect(failure == nil)
        #expect(parts.map(\.hasNext) == [false])
        #expect(parts.first?.result.data.person?.homeWorld?.name == "Tatooine")
        let (none, refused) = try await Self.read(.json(200, #"{"errors":[{"message":"no"}]}"#))
        #expect(none.isEmpty)
        #expect(refused?.code == "service.graphQL.errors")
    }

    @Test("arrives as events as well")
    func events() async throws {
        let sent = Self.formats[1].parts
        let (parts, failure) = try await Self.read(
            .stream(
                sent.map { .bytes("event: next\ndata: \($0)\n\n") } + [.bytes("event: complete\n\n")],
                headers: ["Content-Type": "text/event-stream"]), by: .events)
        #expect(failure == nil)
        #expect(parts.last?.result.data.person?.films?.count == 3)
    }

    @Test("has the errors of all parts, and knows a part that failed from one that is to come")
    func errors() async throws {
        let (parts, failure) = try await Self.read(
            Self.stub([
                #"{"data":{"person":{"name":"Luke"}},"pending":[{"id":"0","path":["person"],"label":"a"},{"id":"1","path":["person"],"label":"b"}],"hasNext":true}"#,
                #"{"completed":[{"id":"0","errors":[{"message":"down","path":["person","homeWorld"]}]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"1","data":{"films":null},"errors":[{"message":"lost","path":["person","films"]}]}],"completed":[{"id":"1"}],"hasNext":false}"#,
            ]))
        #expect(failure == nil)
        #expect(parts.map { $0.result.errors.map(\.message) } == [[], ["down"], ["down", "lost"]])
        #expect(parts.last?.labels == ["b"])
        #expect(parts.last?.result.error(at: "person.homeWorld")?.message == "down")
    }

    @Test("fails on partial data if the call wants all or nothing")
    func strict() async throws {
        var options = GraphQL.Options()
        options.failsOnPartialData = true
        let (parts, failure) = try await Self.read(
            Self.stub([
                #"{"data":{"person":{"name":"Luke"}},"hasNext":true}"#,
                #"{"incremental":[{"path":["person"],"data":{"homeWorld":null},"errors":[{"message":"down"}]}],"hasNext":false}"#,
            ]), options: options)
        #expect(parts.count == 1)
        #expect(failure?.code == "service.graphQL.partialData")
    }

    @Test(
        "fails when its parts do not fit together",
        arguments: [
            #"{"incremental":[{"path":["person"],"data":{"homeWorld":null}}],"hasNext":true}"#,
            #"{"data":{"person":null},"hasNext":true}|{"incremental":[{"path":["person"],"data":{"name":"a"}}],"hasNext":false}"#,
            #"{"data":{"person":null},"hasNext":true}|{"incremental":[{"path":["nobody"],"data":{"name":"a"}}],"hasNext":false}"#,
            #"{"data":{"person":null},"hasNext":true}|{"incremental":[{"id":"9","data":{"name":"a"}}],"hasNext":false}"#,
            #"{"data":{"person":{"name":"a","films":[]}},"hasNext":true}|{"incremental":[{"path":["person","films",1],"items":[{"title":"a"}]}],"hasNext":false}"#,
            #"{"data":{"person":{"name":"a"}},"hasNext":true}|{"incremental":[{"path":["person","films",0],"items":[{"title":"a"}]}],"hasNext":false}"#,
            #"{"data":{"person":{"name":"a"}},"hasNext":true}|{"data":{"person":{"name":"b"}},"hasNext":false}"#,
            #"{"data":{"person":{"name":"a","films":[{"title":"a"}]}},"hasNext":true}|{"incremental":[{"path":["person","films",-1],"data":{"title":"b"}}],"hasNext":false}"#,
        ])
    func misfits(parts: String) async throws {
        let sent = parts.split(separator: "|").map(String.init)
        let (_, failure) = try await Self.read(Self.stub(sent))
        #expect(failure?.code == "transport.badResponse")
    }

    @Test(
        "says of a part that cannot be read what is said of a whole response with the same bytes",
        arguments: [
            "[]", "{", "<html>", #"{"data":{"person":{"name":"\ud800"}}}"#, #"{"data":{"person":null},}"#,
            "{\"data\":\(String(repeating: "[", count: 70))\(String(repeating: "]", count: 70))}",
        ])
    func unreadable(part: String) async throws {
        let plain = try SubscriptionTests.client(ScriptedTransport(.json(200, part)))
        let whole = await #expect(throws: Failure.self) { try await plain.fetch(Person()) }
        #expect(whole?.code == "decoding")
        let before = #"{"data":{"person":{"name":"a"}},"hasNext":true}"#
        for sent in [[part], [before, part]] {
            let (parts, failure) = try await Self.read(Self.stub(sent))
            #expect(failure?.code == "decoding")
            #expect(failure?.explanation == whole?.explanation)
            #expect(parts.count == sent.count - 1)
        }
    }

    @Test("does not cost a stack, whatever paths a server sends")
    func deepPaths() async throws {
        let path = "[\"person\"," + Array(repeating: "\"a\"", count: 100_000).joined(separator: ",") + "]"
        let (_, failure) = try await Self.read(
            Self.stub([
                #"{"data":{"person":{"name":"a"}},"hasNext":true}"#,
                "{\"incremental\":[{\"path\":\(path),\"data\":{\"a\":1}}],\"hasNext\":false}",
            ]))
        #expect(failure?.code == "transport.badResponse")
        // Each part a level deeper than the one before.
        var entries: [String] = []
        for level in 0..<70 {
            let path = (["\"person\""] + Array(repeating: "\"a\"", count: level)).joined(separator: ",")
            let deep = String(repeating: "{\"a\":", count: 50) + "1" + String(repeating: "}", count: 50)
            entries.append("{\"path\":[\(path)],\"data\":\(deep)}")
        }
        let (_, deeper) = try await Self.read(
            Self.stub([
                #"{"data":{"person":{"name":"a"}},"hasNext":true}"#,
                "{\"incremental\":[\(entries.joined(separator: ","))],\"hasNext\":false}",
            ]))
        #expect(deeper?.code == "transport.badResponse")
    }

    @Test("merges lists of objects element by element, and objects member by member")
    func deepMerge() async throws {
        let (parts, failure) = try await Self.read(
            Self.stub([
                #"{"data":{"person":{"name":"Luke","films":[{"title":"a"},{"title":"b"}]}},"hasNext":true}"#,
                #"{"incremental":[{"path":[],"data":{"person":{"films":[{},{"title":"c"}],"homeWorld":{"name":"T"}}}}],"hasNext":false}"#,
            ]))
        #expect(failure == nil)
        let person = try #require(parts.last?.result.data.person)
        #expect(person.name == "Luke")
        #expect(person.films?.map(\.title) == ["a", "c"])
        #expect(person.homeWorld?.name == "T")
    }

    @Test("has the errors of a part that is null, and is over with the last boundary, whatever happens then")
    func nullPart() async throws {
        let parts = [
            #"{"data":{"person":{"name":"Luke"}},"hasNext":true}"#,
            #"{"incremental":[{"path":["person"],"data":null,"errors":[{"message":"down"}]}],"hasNext":false}"#,
        ]
        let (found, failure) = try await Self.read(
            .stream([.bytes(Self.body(parts)), .lost], headers: Self.headers))
        #expect(failure == nil)
        #expect(found.last?.result.errors.map(\.message) == ["down"])
        #expect(found.last?.result.data.person?.name == "Luke")
    }

    @Test("is neither answered nor kept by a cache, and is not sent if only that is asked")
    func cache() async throws {
        let transport = ScriptedTransport(
            .json(200, #"{"data":{"person":{"name":"old"}}}"#),
            Self.stub([#"{"data":{"person":{"name":"new"}},"hasNext":false}"#]))
        let client = try SubscriptionTests.client(transport, outside: [ResponseCache()])
        _ = try await client.fetch(Person())
        let first = client.graphQLOptions.changing { $0.cachePolicy = .cacheFirst }
        var names: [String?] = []
        for try await part in try await client.fetchIncrementally(Person(), options: first) {
            names.append(part.result.data.person?.name)
        }
        #expect(names == ["new"])
        #expect(try await client.fetch(Person(), cachePolicy: .cacheOnly).data.person?.name == "old")
        let only = client.graphQLOptions.changing { $0.cachePolicy = .cacheOnly }
        let failure = await #expect(throws: Failure.self) {
            try await client.fetchIncrementally(Person(), options: only)
        }
        #expect(failure?.code == "rejected.cacheMiss")
        #expect(transport.requests.count == 2)
    }

    @Test("passes its failure to handlers")
    func handlers() async throws {
        let transport = ScriptedTransport(Self.stub([#"{"data":{"person":{"name":"a"}},"hasNext":true}"#]))
        let client = try SubscriptionTests.client(transport)
        var names: [String?] = []
        let outcome = await client.performIncrementally(Person()) { part in
            names.append(part.result.data.person?.name)
        } handlers: {
            On(.transport) { _ in Verdict.handled }
        }
        #expect(names == ["a"])
        #expect(outcome.failure?.transfer?.elements == 1)
        #expect(outcome.failure?.stopReason == .begun)
    }
}
