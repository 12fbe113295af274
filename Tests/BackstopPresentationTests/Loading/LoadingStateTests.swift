import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A loading state", .limited)
struct LoadingStateTests {
    private static let failure = Failure(StatusError(503))

    private typealias State = LoadingState<Int>

    @Test("has the value to show, new or from before")
    func value() {
        let states: [(State, Int?)] = [
            (.initial, nil), (.loading(previous: nil), nil), (.loading(previous: 1), 1), (.loaded(2), 2),
            (.failed(Self.failure, previous: nil), nil), (.failed(Self.failure, previous: 3), 3),
        ]
        for (state, value) in states {
            #expect(state.value == value)
            #expect(state.loadingAgain == .loading(previous: value))
            #expect(state.map { "\($0)" }.value == value.map { "\($0)" })
        }
        #expect(State.failed(Self.failure, previous: 3).failure?.code == "status.503")
        #expect(State.loaded(1).failure == nil)
        #expect(State.loading(previous: nil).isLoading && !State.initial.isLoading)
    }

    @Test("equals another with the same value, or with a failure of the same code")
    func equal() {
        #expect(State.loaded(1) == .loaded(1) && State.loaded(1) != .loaded(2) && State.loaded(1) != .initial)
        #expect(State.loading(previous: 1) != .loading(previous: nil))
        let (one, other) = (Failure(StatusError(404)), Failure(StatusError(503)))
        #expect(State.failed(one, previous: 1) == .failed(Failure(StatusError(404)), previous: 1))
        #expect(State.failed(one, previous: 1) != .failed(other, previous: 1))
        #expect(State.failed(one, previous: 1) != .failed(one, previous: 2))
    }

    @Test("ends as the call did, and keeps what was there")
    func ended() {
        let loading = State.loading(previous: 1)
        #expect(loading.ended(with: .value(2)) == .loaded(2))
        #expect(loading.ended(with: .handled(Self.failure, by: "x")) == .failed(Self.failure, previous: 1))
        #expect(loading.ended(with: .unhandled(Self.failure)) == .failed(Self.failure, previous: 1))
        #expect(loading.ended(with: .cancelled) == .loaded(1))
        #expect(State.loading(previous: nil).ended(with: .cancelled) == .initial)
    }

    @Test("is made of a result that was kept")
    func result() {
        #expect(State(.success(2)) == .loaded(2))
        #expect(State(.failure(Self.failure)) == .failed(Self.failure, previous: nil))
        #expect(State(.failure(Failure(CancellationError()))) == .initial)
        #expect(
            State.loading(previous: 1).ended(with: Result.failure(Self.failure)) == .failed(Self.failure, previous: 1))
        #expect(State.loading(previous: 1).ended(with: Result.failure(Failure(CancellationError()))) == .loaded(1))
    }

    /// The state of two things, and of both together.
    private static let pairs: [(State, State, LoadingState<[Int]>)] = [
        (.loaded(1), .loaded(2), .loaded([1, 2])),
        (.loaded(1), .loading(previous: nil), .loading(previous: nil)),
        (.loaded(1), .loading(previous: 2), .loading(previous: [1, 2])),
        (.initial, .loading(previous: 2), .loading(previous: nil)),
        (.initial, .loaded(2), .initial),
        (.initial, .initial, .initial),
        (.failed(failure, previous: 1), .loading(previous: 2), .failed(failure, previous: [1, 2])),
        (.loaded(1), .failed(failure, previous: nil), .failed(failure, previous: nil)),
    ]

    @Test("of several things fails, loads and is loaded as a screen needs it", arguments: pairs)
    func merged(first: LoadingState<Int>, second: LoadingState<Int>, both: LoadingState<[Int]>) {
        #expect(LoadingState.merged([first, second]) == both)
        #expect(LoadingState.merged(first, second).map { [$0.0, $0.1] } == both)
        #expect(LoadingState.merged(first, second, .loaded(3)).map { [$0.0, $0.1] } == both)
    }

    @Test("of nothing is loaded, and of two failures it is the first")
    func edges() {
        #expect(LoadingState<[Int]>.merged([LoadingState<Int>]()) == .loaded([]))
        let other = State.failed(Failure(StatusError(404)), previous: nil)
        #expect(LoadingState.merged([other, .failed(Self.failure, previous: 1)]).failure?.code == "status.404")
    }
}
