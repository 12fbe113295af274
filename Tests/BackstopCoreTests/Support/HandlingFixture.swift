import BackstopCore
import BackstopTestSupport
import BackstopTesting

typealias Own = FailureHandling.OwnHandler<Int>

/// A handler chain whose surroundings are recorded, and a call that fails as often as it is told.
struct HandlingFixture: Sendable {
    var handling = FailureHandling()
    let log = RecordingLog()
    let observer = RecordingObserver()
    let clock = RecordingClock()
    let asked = Notes<String>()

    init(scopes: [HandlerScope] = []) {
        handling.scopes = scopes
        handling.log = log
        handling.observers = [observer]
    }

    /// A handler that writes down that it was asked.
    func handler(_ name: String, _ verdict: Verdict = .unhandled) -> any FailureHandler {
        let asked = asked
        return Otherwise(name: name) { _ -> Verdict in
            asked.add(name)
            return verdict
        }
    }

    /// The call's own handler that writes down that it was asked.
    func own(_ name: String, _ resolution: Resolution<Int> = .unhandled) -> Own {
        let asked = asked
        return Own(name) { _ in
            asked.add(name)
            return resolution
        }
    }

    /// Performs a call that fails with these errors, one after the other, and then gives 1; no defaults but these.
    func perform(
        failing errors: [any Error], own: [Own] = [], defaults: [any FailureHandler] = []
    ) async -> Outcome<Int> {
        let left = Lock(errors)
        return await DefaultHandlers.withHandlers {
            defaults
        } operation: {
            await handling.perform(clock: clock, own: own) { () async throws(Failure) -> Int in
                let error = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                if let error {
                    throw Failure(error)
                }
                return 1
            }
        }
    }

    /// What the observer was told, in order.
    var outcomes: [ObservedOutcome] {
        observer.failures.map(\.outcome)
    }
}

extension Outcome {
    /// The outcome in one word, for comparisons.
    var word: String {
        switch self {
        case .value: "value"
        case .handled: "handled"
        case .unhandled: "unhandled"
        case .cancelled: "cancelled"
        }
    }
}
