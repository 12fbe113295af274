import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A script that does not fit the requests", .limited)
struct ScriptErrorTests {
    @Test("fails the call that no entry is left for, naming request and script")
    func missing() async throws {
        // given
        let transport = ScriptedTransport(.status(503))
        let chain = try HTTP.Chain(transport: transport) { Retry(.standard) }
        _ = try await chain.call(Sample.request())
        // when
        let failure = await #expect(throws: Failure.self) {
            try await chain.call(Sample.request(.get, "/authors"), options: Sample.options(RecordingClock()))
        }
        // then
        let error = try #require(failure?.error(as: ScriptError.self))
        #expect(
            error.description == """
                The script has no stub for request 2, GET https://api.example.com/authors. Add a stub for it, or \
                find out why it is sent.
                The script:
                  1. status 503
                """)
        #expect(failure?.code == "rejected.script")
        #expect(failure?.attempts.count == 1)
        #expect(error.localizedDescription == error.description)
    }

    @Test("fails at the end for a request without entry, even when the call's failure was handled")
    func missingAtEnd() async throws {
        // given
        let transport = ScriptedTransport([])
        _ = try? await Sample.chain(transport).call(Sample.request())
        // when
        let error = #expect(throws: ScriptError.self) { try transport.checkFinished() }
        // then
        #expect(error?.unanswered.map(\.number) == [1])
        #expect(transport.unanswered.count == 1)
        #expect(error?.description.contains("The script is empty.") == true)
    }

    @Test("lists the entries that were not used, with how often they were")
    func unused() async throws {
        // given
        let transport = ScriptedTransport(
            .status(200), .status(503).repeated(3), .hang, .on(.get, "/never", .status(204)))
        _ = try await Sample.chain(transport).call(Sample.request())
        _ = try await Sample.chain(transport).call(Sample.request())
        // when
        let error = #expect(throws: ScriptError.self) { try transport.checkFinished() }
        // then
        #expect(transport.unused.map(\.position) == [2, 3, 4])
        #expect(
            error?.description == """
                3 stubs of the script were not used up: 2. status 503, answered 1 of 3; 3. hang; \
                4. on GET /never: status 204, answered 0.
                The script:
                  1. status 200
                  2. status 503, answered 1 of 3  <- not used up
                  3. hang  <- not used up
                  4. on GET /never: status 204, answered 0  <- not used up
                """)
    }

    @Test("names every entry by what it does")
    func names() throws {
        // given
        let transport = try ScriptedTransport(
            .status(503), .json(200, "{}"), .json(201, encoding: [1]), .failure(TransportError(.dns)),
            .failure(CancellationError()), .delay(.seconds(3), then: .hang),
            .respond("echo") { _, _ in HTTP.Response(status: 200) },
            .on("books", where: { _ in true }, .status(200)), .response(HTTP.Response(status: 418)))
        // then
        #expect(
            transport.usages.map(\.step) == [
                "status 503", "json with status 200", "json with status 201", "failure transport.dns",
                "failure cancelled", "hang after 3 s", "echo", "on books: status 200", "response 418",
            ])
    }

    @Test("works for requests that are not HTTP")
    func generic() async throws {
        // given
        let transport = Script<String, Int>(
            .response(1), .on("long", where: { $0.count > 3 }, .response(4)), .failure(TransportError(.lost)))
        let chain = try Chain(transport: transport) {}
        // when
        let answers = [try await chain.call("long one"), try await chain.call("a")]
        let failure = await #expect(throws: Failure.self) { try await chain.call("b") }
        let missing = await #expect(throws: Failure.self) { try await chain.call("c") }
        // then
        #expect(answers == [4, 1])
        #expect(failure?.code == "transport.lost")
        #expect(missing?.error(as: ScriptError.self)?.unanswered.map(\.request) == ["c"])
        #expect(transport.requests == ["long one", "a", "b", "c"])
    }
}
