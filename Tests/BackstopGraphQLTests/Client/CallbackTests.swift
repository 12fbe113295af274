import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A GraphQL call with closures, or as a result", .limited)
struct CallbackTests {
    private static let errors = #"{"errors":[{"message":"m","extensions":{"code":"LOST"}}]}"#

    @MainActor
    private final class Screen {
        var events: [String] = []

        nonisolated init() {}
    }

    private actor Inbox {
        private(set) var entries: [String] = []

        func add(_ entry: String) {
            entries.append(entry)
        }
    }

    private func client(_ steps: ScriptedTransport.Step...) throws -> Client {
        var handling = FailureHandling()
        handling.log = RecordingLog()
        return try Client(
            baseURL: "https://api.example.com/graphql", transport: ScriptedTransport(steps), handling: handling
        ) { Decoding() }
    }

    @Test("calls exactly one of them, on the main actor")
    func mainActor() async throws {
        // given
        let client = try client(
            .json(200, #"{"data":{"hero":{"name":"Luke"}}}"#), .json(200, Self.errors), .json(200, Self.errors))
        let screen = Screen()
        // when
        for _ in 1...2 {
            await client.perform(
                HeroName(), onSuccess: { result in screen.events.append(result.data.hero?.name ?? "nobody") },
                onFailure: { failure in
                    screen.events.append(failure.graphQLErrors.first?.code ?? "no code")
                    return true
                }, onCancel: { screen.events.append("cancel") }
            ).value
        }
        await client.perform(
            HeroName(), cachePolicy: .networkOnly,
            completion: { outcome in screen.events.append(outcome.failure?.code ?? "no failure") }
        ).value
        // then
        #expect(await screen.events == ["Luke", "LOST", "service.graphQL.errors"])
    }

    @Test("calls them on the actor that is given")
    func otherActor() async throws {
        // given
        let client = try client(
            .json(200, #"{"data":{"hero":{"name":"Luke"}}}"#), .json(200, Self.errors), .json(200, Self.errors))
        let inbox = Inbox()
        // when
        for _ in 1...2 {
            await client.perform(
                HeroName(), on: inbox, onSuccess: { inbox, result in inbox.add(result.data.hero?.name ?? "nobody") },
                onFailure: { inbox, failure in
                    inbox.add(failure.code)
                    return true
                }
            ).value
        }
        await DefaultHandlers.withHandlers {
        } operation: {
            await client.perform(
                HeroName(), on: inbox, completion: { inbox, outcome in inbox.add(outcome.failure?.code ?? "") }
            ).value
        }
        // then
        #expect(await inbox.entries == ["Luke", "service.graphQL.errors", "service.graphQL.errors"])
    }

    @Test("is a result with data and errors, or a failure")
    func result() async throws {
        // given
        let client = try client(.json(200, #"{"data":{"hero":{"name":"Luke"}}}"#), .json(200, Self.errors))
        // when
        let good = await client.result(of: HeroName())
        let bad = await client.result(of: HeroName(), cachePolicy: .networkOnly)
        // then
        #expect(try good.get().data.hero?.name == "Luke")
        guard case .failure(let failure) = bad else {
            Issue.record("It failed.")
            return
        }
        #expect(failure.graphQLErrors.first?.extensions["code"] == "LOST")
    }
}
