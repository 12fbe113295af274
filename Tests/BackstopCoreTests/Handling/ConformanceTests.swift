import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A handler or an observer", .limited)
struct HandlerConformanceTests {
    @MainActor
    private final class Banner: FailureHandler {
        let name = "banner"
        private(set) var texts: [String] = []

        func handle(_ failure: Failure) async -> Verdict {
            texts.append(failure.code)
            return .unhandled
        }
    }

    /// Its name is computed, so it says that it needs no actor.
    @MainActor
    private final class Alert: FailureHandler {
        nonisolated var name: String { "alert" }
        private(set) var count = 0

        func handle(_ failure: Failure) -> Verdict {
            count += 1
            return .unhandled
        }
    }

    private actor Outages: FailureHandler {
        private(set) var count = 0

        func handle(_ failure: Failure) async -> Verdict {
            count += 1
            return .handled
        }
    }

    @MainActor
    private final class Reporter: FailureObserver {
        private(set) var outcomes: [ObservedOutcome] = []

        func observe(_ failure: Failure, outcome: ObservedOutcome) {
            outcomes.append(outcome)
        }
    }

    private actor Counter: FailureObserver {
        private(set) var count = 0

        func observe(_ failure: Failure, outcome: ObservedOutcome) async {
            count += 1
        }
    }

    @MainActor
    @Test("may be an actor, or a class of the main actor")
    func isolated() async {
        // given
        let banner = Banner()
        let alert = Alert()
        let outages = Outages()
        let reporter = Reporter()
        let counter = Counter()
        var fixture = HandlingFixture()
        fixture.handling.observers = [reporter, counter]
        fixture.handling.scopes = [HandlerScope("scope") { [banner, alert] as [any FailureHandler] }]
        // when
        let outcome = await fixture.perform(failing: [ShopError()], defaults: [outages])
        // then
        #expect(outcome.handledBy == "Outages")
        #expect(banner.texts == ["other"])
        #expect(alert.count == 1)
        #expect(await outages.count == 1)
        #expect(reporter.outcomes == [.handled(by: "Outages")])
        #expect(await counter.count == 1)
    }

    @Test("is named after its type, unless it says otherwise")
    @MainActor
    func names() {
        let all: [any FailureHandler] = [Banner(), Alert(), Outages()]
        #expect(all.map(\.name) == ["banner", "alert", "Outages"])
    }
}
