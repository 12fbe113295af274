import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("An endpoint", .limited)
struct EndpointTests {
    private struct Cover: Endpoint {
        let id: Int
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books/\(id)/cover") }
        func content(from response: HTTP.Response) throws -> Data { response.body }
    }

    private struct Generic<Value: Decodable & Sendable>: JSONEndpoint {
        typealias Content = Value
        typealias Root = Value
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "generic") }
    }

    private struct Ping: EmptyEndpoint {
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "ping") }
    }

    @Test("gives what it reads from the response")
    func plain() async throws {
        // given
        let rig = Rig(.data(200, Data([0xFF, 0xD8])))
        // then
        #expect(try await rig.standard().send(Cover(id: 7)) == Data([0xFF, 0xD8]))
        #expect(rig.urls == ["https://api.example.com/v1/books/7/cover"])
    }

    @Test("is named after its type, without module and generic arguments")
    func names() {
        #expect(Cover(id: 1).name == "Cover")
        #expect(Generic<[Int]>().name == "Generic")
        #expect(Ping().name == "Ping")
    }

    @Test("without content ignores the body, yet not a refusal")
    func empty() async throws {
        // given
        let rig = Rig(.status(200, body: "not read"), .status(404))
        let client = try rig.standard()
        // then
        try await client.send(Ping())
        let failure = await #expect(throws: Failure.self) { try await client.send(Ping()) }
        #expect(failure?.code == "status.404")
    }
}

@Suite("A JSON endpoint", .limited)
struct JSONEndpointTests {
    private struct Books: JSONEndpoint {
        struct Envelope: Decodable { var data: [Book] }
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books") }
        func content(from root: Envelope) throws -> [Book] { root.data }
    }

    private struct Dated: JSONEndpoint {
        struct Content: Decodable, Sendable { var publishedOn: Date }
        var decoder: JSONDecoder {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            decoder.dateDecodingStrategy = .secondsSince1970
            return decoder
        }
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "dated") }
    }

    private struct Picky: JSONEndpoint {
        struct Envelope: Decodable { var data: [Book] }
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books") }
        func content(from root: Envelope) throws -> Book {
            guard let first = root.data.first else {
                throw OwnError(number: 404)
            }
            return first
        }
    }

    @Test("takes the content out of an envelope")
    func envelope() async throws {
        let rig = Rig(.json(200, #"{"data":[{"id":1,"title":"Dune"}]}"#))
        #expect(try await rig.standard().send(Books()) == [.dune])
    }

    @Test("tells the place inside of the envelope when it cannot be read")
    func envelopeFails() async throws {
        // given
        let client = try Rig(.json(200, #"{"data":[{"id":1,"title":"Dune"},{"id":2,"titel":"Emma"}]}"#)).standard()
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(Books()) })
        // then
        guard case .decoding(let decoding) = failure.reason else {
            Issue.record("It is a decoding failure.")
            return
        }
        #expect(decoding.path == "$.data[1]")
        #expect(decoding.kind == .missingKey)
        #expect(decoding.found.hasSuffix(#"(similar: "titel")"#))
    }

    private struct MaybeBook: JSONEndpoint {
        struct Envelope: Decodable { var data: Book }
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "book") }
        func content(from root: Envelope) throws -> Book? { root.data }
    }

    @Test("with an envelope around an optional gives nil for a 204 and for a body with nothing in it")
    func optionalInEnvelope() async throws {
        // given
        let client = try Rig(
            .status(204), .status(200), .json(200, " \r\n"), .json(200, #"{"data":{"id":1,"title":"Dune"}}"#),
            .json(200, "{}")
        ).standard()
        // then
        for expected in [nil, nil, nil, Book.dune] {
            #expect(try await client.send(MaybeBook()) == expected)
        }
        let failure = await #expect(throws: Failure.self) { try await client.send(MaybeBook()) }
        #expect(failure?.decoding?.kind == .missingKey)
    }

    @Test("uses its own decoder")
    func decoder() async throws {
        let rig = Rig(.json(200, #"{"published_on":86400}"#))
        #expect(try await rig.standard().send(Dated()).publishedOn == Date(timeIntervalSince1970: 86_400))
    }

    @Test("may throw an error of its own for a root that it does not want")
    func own() async throws {
        let client = try Rig(.json(200, #"{"data":[]}"#)).standard()
        let failure = await #expect(throws: Failure.self) { try await client.send(Picky()) }
        #expect(failure?.error(as: OwnError.self) == OwnError(number: 404))
    }
}
