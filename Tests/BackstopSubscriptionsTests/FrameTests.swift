import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopSubscriptions

@Suite("What a server sends as a result", .limited)
struct FrameTests {
    typealias Counter = SubscriptionTests.Counter

    static let multipart = SubscriptionTests.carriers[0]
    static let events = SubscriptionTests.carriers[1]

    /// The results before and behind a part, and how it ends.
    static func read(
        part text: String, options: (inout GraphQL.Options) -> Void = { _ in }
    ) async throws -> (results: [GraphQL.Result<Counter.Data>], failure: Failure?) {
        try await read(
            multipart, .bytes("\r\nContent-Type: application/json\r\n\r\n\(text)\r\n--graphql"), options: options)
    }

    static func read(
        _ carrier: SubscriptionTests.Carrier, _ piece: StreamPiece, options: (inout GraphQL.Options) -> Void = { _ in }
    ) async throws -> (results: [GraphQL.Result<Counter.Data>], failure: Failure?) {
        let transport = ScriptedTransport(
            .stream(
                [.bytes(carrier.first), carrier.result(1), piece, carrier.result(2), .bytes(carrier.last)],
                headers: carrier.headers))
        let client = try SubscriptionTests.client(transport).withOptions { options(&$0.values.graphQL) }
        let read = await SubscriptionTests.read(client, Counter(), by: carrier.delivery)
        #expect(transport.requests.count == 1)
        return read
    }

    @Test(
        "is a sign of life if it is an empty object, or a null payload before the end",
        arguments: ["{}", " {\n\t} ", "{\"payload\":null}"])
    func heartbeats(text: String) async throws {
        let (results, failure) = try await Self.read(part: text)
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1, 2])
    }

    @Test(
        "ends the subscription as unreadable if it is no JSON, no object or none that is known",
        arguments: [
            ("{oops", [1]), ("{", [1]), ("{\"payload\":{\"data\":{\"number\":7}}", [1]), ("{\"payl", [1]),
            ("{\"payload\"}", [1]), ("{'payload':{}}", [1]), ("<html>", [1]), ("", [1]), ("null", [1]), ("[]", [1]),
            ("{\"payload\":[]}", [1]), ("{\"Payload\":{\"data\":{\"number\":7}}}", [1]), ("{\"error\":\"gone\"}", [1]),
            ("{\"payload\":{\"data\":{\"number\":7}}}garbage", [1, 7]),
            ("{\"payload\":{\"data\":{\"number\":7}}}\r\n,", [1, 7]),
            ("{\"payload\":{\"data\":{\"number\":7}}}{\"payload\":{\"data\":{\"number\":8}}}", [1, 7]),
        ])
    func unreadable(text: String, numbers: [Int]) async throws {
        let (results, failure) = try await Self.read(part: text)
        #expect(failure?.reason.kind == "decoding", "\(failure?.code ?? "an end")")
        #expect(results.map(\.data.number) == numbers)
    }

    @Test("says what came in the place of a result")
    func unknown() async throws {
        let (_, failure) = try await Self.read(part: "{\"message\":\"gone\"}")
        #expect(failure?.explanation.contains("payload") == true, "\(failure?.explanation ?? "")")
        #expect(failure?.explanation.contains("message") == true, "\(failure?.explanation ?? "")")
        let (_, behind) = try await Self.read(part: "{\"payload\":{\"data\":{\"number\":7}}} too")
        #expect(behind?.explanation.contains("column 35") == true, "\(behind?.explanation ?? "")")
    }

    @Test("may have no envelope")
    func bare() async throws {
        let (results, failure) = try await Self.read(part: "{\"data\":{\"number\":7}}")
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1, 7, 2])
        let (_, refused) = try await Self.read(part: "{\"errors\":[{\"message\":\"no\"}]}")
        #expect(refused?.graphQLErrors.map(\.message) == ["no"])
    }

    @Test("has the errors beside its payload as well as those in it")
    func errorsBeside() async throws {
        let payload = "{\"data\":{\"number\":7},\"errors\":[{\"message\":\"a\"}]}"
        let (results, failure) = try await Self.read(
            part: "{\"payload\":\(payload),\"errors\":[{\"message\":\"b\"}]}")
        #expect(failure == nil)
        #expect(results.map { $0.errors.map(\.message) } == [[], ["a", "b"], []])
        let (before, strict) = try await Self.read(
            part: "{\"payload\":{\"data\":{\"number\":7}},\"errors\":[{\"message\":\"b\"}]}"
        ) { $0.failsOnPartialData = true }
        #expect(before.map(\.data.number) == [1])
        #expect(strict?.code == "service.graphQL.partialData")
    }

    @Test(
        "may be the end without a reason, and then says so",
        arguments: ["{\"payload\":null,\"errors\":[]}", "{\"payload\":null,\"errors\":null}"])
    func noReason(text: String) async throws {
        let (results, failure) = try await Self.read(part: text)
        #expect(results.map(\.data.number) == [1])
        #expect(failure?.explanation.contains("without saying why") == true)
    }

    @Test("is handed on before the boundary behind it has come, and before the connection is lost")
    func early() async throws {
        let head = "--graphql\r\nContent-Type: application/json\r\n\r\n"
        let transport = ScriptedTransport(
            .stream(
                [.bytes(head), .bytes("{\"payload\":{\"data\":{\"number\":1}}"), .bytes("}"), .lost],
                headers: Self.multipart.headers))
        let (results, failure) = await SubscriptionTests.read(
            try SubscriptionTests.client(transport, retry: .never), Counter())
        #expect(results.map(\.data.number) == [1])
        #expect(failure?.code == "transport.lost")
    }

    @Test("may be an event without a name; other names are ignored")
    func unnamed() async throws {
        let (results, failure) = try await Self.read(
            Self.events, .bytes("data: {\"data\":{\"number\":7}}\n\nevent: ping\ndata: {}\n\n"))
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1, 7, 2])
    }

    @Test(
        "is the end if it is an event of errors, however they are written",
        arguments: [
            ("{\"errors\":[{\"message\":\"no\"}]}", "no"), ("[{\"message\":\"no\"}]", "no"),
            ("{\"message\":\"no\"}", "no"), ("not \"now\"", "not \"now\""),
            ("", "The server ended the subscription without saying why."),
        ])
    func errorEvent(data: String, message: String) async throws {
        let (results, failure) = try await Self.read(Self.events, .bytes("event: error\ndata: \(data)\n\n"))
        #expect(results.map(\.data.number) == [1])
        #expect(failure?.graphQLErrors.map(\.message) == [message])
    }

    @Test("may have several lines, be written otherwise, and be followed by any error, in a script")
    func scripted() async throws {
        for (delivery, raw) in [
            (GraphQL.Delivery.multipart, "{\"data\":{\"number\":2}}"), (.events, "data: {\"data\":{\"number\":2}}"),
        ] {
            let transport = ScriptedTransport(
                .subscription([
                    .result("{\n\r\n  \"data\":\r{\"number\":1}\n}"), .raw(raw), .failure(TransportError(.tls)),
                ]))
            let (results, failure) = await SubscriptionTests.read(
                try SubscriptionTests.client(transport, retry: .never), Counter(), by: delivery)
            #expect(results.map(\.data.number) == [1, 2])
            #expect(failure?.code == "transport.tls")
        }
    }

    @Test("is not found under another boundary, which is no loss")
    func boundary() async throws {
        func failure(_ body: String) async throws -> Failure? {
            let transport = ScriptedTransport(Stub.stream([.bytes(body)], headers: Self.multipart.headers).repeated())
            return await SubscriptionTests.read(try SubscriptionTests.client(transport), Counter()).failure
        }
        let wrong = try await failure("--other\r\n\r\n{\"payload\":{\"data\":{\"number\":1}}}\r\n--other--\r\n")
        #expect(wrong?.code == "transport.badResponse")
        #expect(wrong?.explanation.contains("\"graphql\"") == true)
        for cut in ["", "\r\n", "--graph", "\r\n--gr"] {
            #expect(try await failure(cut)?.code == "transport.truncated", "\(cut)")
        }
    }
}
