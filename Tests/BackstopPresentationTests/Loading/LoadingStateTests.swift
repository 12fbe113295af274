import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A loading state")
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

@Suite("Loading into a model", .limited)
@MainActor
struct LoadingTests {
    private final class Model {
        var hits = LoadingState<Int>.initial
        var others = LoadingState<Int>.initial
    }

    @Test("shows that it loads, then what came")
    func loaded() async {
        let model = Model()
        await LoadingState.load(\Model.hits, of: model) {
            #expect(model.hits == .loading(previous: nil))
            return 7
        }
        #expect(model.hits == .loaded(7))
    }

    @Test("keeps the value from before when it fails, and says why, whatever was thrown")
    func failed() async {
        struct Other: Error {}
        let model = Model()
        model.hits = .loaded(1)
        await LoadingState.load(\Model.hits, of: model) { throw Failure(TransportError(.offline)) }
        #expect(model.hits.failure?.code == "transport.offline" && model.hits.value == 1)
        await LoadingState.load(\Model.hits, of: model) { throw refusal(name: "Hits") }
        #expect(model.hits.failure?.name == "Hits")
        await LoadingState.load(\Model.hits, of: model) { throw Other() }
        #expect(model.hits.failure?.code == "other" && model.hits.value == 1)
    }

    @Test("takes the outcome of perform as it is")
    func outcome() async {
        let model = Model()
        await LoadingState.load(\Model.hits, of: model) { .value(3) }
        #expect(model.hits == .loaded(3))
        await LoadingState.load(\Model.hits, of: model) { .handled(Failure(StatusError(500)), by: "presenter") }
        #expect(model.hits.failure?.code == "status.500")
    }

    @Test("is as before when it is cancelled")
    func cancelled() async {
        let model = Model()
        model.hits = .loaded(1)
        await LoadingState.load(\Model.hits, of: model) { throw Failure(CancellationError()) }
        #expect(model.hits == .loaded(1))

        model.hits = .failed(Failure(StatusError(500)), previous: 1)
        await LoadingState.load(\Model.hits, of: model) { .cancelled }
        #expect(model.hits.failure?.code == "status.500" && model.hits.value == 1)

        model.hits = .loading(previous: nil)
        await LoadingState.load(\Model.hits, of: model) { .cancelled }
        #expect(model.hits == .initial)
    }

    @Test("of two loads the later counts, whichever ends first; other properties load by themselves")
    func latest() async {
        let model = Model()
        let (slow, quick) = (Gate(), Gate())
        let first = Task {
            await LoadingState.load(\Model.hits, of: model) {
                await slow.pass()
                return 1
            }
        }
        await slow.waitForArrivals(1)
        let second = Task {
            await LoadingState.load(\Model.hits, of: model) {
                await quick.pass()
                return 2
            }
        }
        await quick.waitForArrivals(1)
        await LoadingState.load(\Model.others, of: model) { 5 }

        slow.open()
        await first.value
        #expect(model.hits.isLoading && model.others == .loaded(5))
        quick.open()
        await second.value
        #expect(model.hits == .loaded(2))
    }
}
